import { expect } from "bun:test";
import fc from "fast-check";
import type { ErrorCode } from "../../../schemas/index.ts";
import { encode, forge, inSeconds, ORIGIN, solveAltcha } from "../../server/support/altcha.ts";
import { exchange, type RawResponse, rawPost } from "../../server/support/http.ts";
import { expectRejected, expectSignedUp } from "../../server/support/signup.ts";
import type { Scenario, Target } from "./run.ts";
import { inParallel, upTo } from "./support.ts";

/** Signs the challenges of the server under test. */
const CHALLENGE_SECRET = "challenge-secret-of-the-abused-01";

const solve = async (change: object = {}): Promise<string> =>
  solveAltcha(await forge({ hmacSignatureSecret: CHALLENGE_SECRET, ...change }));

/** A token as a visitor of the site gets it, but for the time that it takes. */
const goodToken = (): Promise<string> => solve();

/** Tokens that the site has not given to anyone, or not for this, or not now. */
const BAD_TOKENS: readonly (() => Promise<string | undefined>)[] = [
  async () => undefined,
  async () => "x",
  async () => crypto.randomUUID().repeat(56),
  async () => encode({ challenge: [], solution: { counter: 0, derivedKey: "" } }),
  () => solve({ hmacSignatureSecret: "a secret of the abuser's own, long enough" }),
  () => solve({ data: { action: "login", origin: ORIGIN } }),
  () => solve({ data: { action: "beta_signup", origin: "https://evil.test" } }),
  () => solve({ expiresAt: inSeconds(-10) }),
  () => solve({ expiresAt: inSeconds(4_000) }),
  async () => {
    const challenge = await forge({ hmacSignatureSecret: CHALLENGE_SECRET });
    return encode({ challenge, solution: { counter: 0, derivedKey: "00".repeat(32) } });
  },
  async () => {
    const token: { challenge: { parameters: object } } = JSON.parse(atob(await solve()));
    Object.assign(token.challenge.parameters, { nonce: "00".repeat(16) });
    return encode(token);
  },
];

const INGEST_SECRET = "ingest-secret-of-the-abused-0001";

type Fate = ErrorCode | "recorded" | "trapped";

/** One thing of a signup, and what it leads to when nothing before it has failed. */
interface Part<Value> {
  readonly value: Value;
  readonly fails?: Fate;
}

const META_LENGTHS = {
  ...{ subscribedVia: 64, authProvider: 32, serviceUserId: 64, username: 64, campaignRef: 64 },
  ...{ campaignId: 64, campaignSubscriberId: 64, utmSource: 64, utmMedium: 64, utmCampaign: 64 },
  ...{ utmContent: 64, promoCode: 16, landingPath: 128 },
};
const largestMeta = Object.fromEntries(
  Object.entries(META_LENGTHS).map(([key, length]) => [key, "😀".repeat(length)]),
);

const FIELDS: readonly Part<object>[] = [
  { value: {} },
  { value: { meta: largestMeta } },
  { value: { ctaSource: "x".repeat(6_000) } },
  { value: { referral: "other", referralOther: "a pub" } },
  { value: { honeypot: "" } },
  { value: { honeypot: "x" }, fails: "trapped" },
  ...Object.entries(largestMeta).map(
    ([key, text]): Part<object> => ({
      value: { meta: { [key]: `${text}x` } },
      fails: "invalid_request",
    }),
  ),
  ...[
    { meta: { evil: "x" } },
    { meta: [largestMeta] },
    { meta: { utmSource: 1 } },
    { referral: "other" },
    { isAdmin: true },
    { name: "  " },
    { turnstileToken: "x".repeat(2_049) },
  ].map((value): Part<object> => ({ value, fails: "invalid_request" })),
  { value: { ctaSource: "x".repeat(9_000) }, fails: "payload_too_large" },
  {
    value: { meta: { ...largestMeta, ctaSource: "x".repeat(100_000) } },
    fails: "payload_too_large",
  },
];

const ORIGINS: readonly Part<string | undefined>[] = [
  { value: undefined },
  { value: ORIGIN },
  ...[
    "null",
    "https://evil.test",
    `${ORIGIN}.evil.test`,
    `${ORIGIN}/`,
    ORIGIN.toUpperCase(),
    "",
  ].map((value) => ({ value, fails: "origin_rejected" }) as const),
];

const TOKENS: readonly Part<() => Promise<string | undefined>>[] = [
  { value: goodToken },
  ...BAD_TOKENS.map((value) => ({ value, fails: "verification_failed" }) as const),
];

const AUTHORIZATIONS = [undefined, `Bearer ${INGEST_SECRET}`, `Bearer ${INGEST_SECRET}1`, "Bearer"];

/** Half of the time what is right. */
const often = <Value>(parts: readonly Part<Value>[]): fc.Arbitrary<Part<Value>> =>
  fc.oneof(fc.constantFrom(...parts.filter(({ fails }) => !fails)), fc.constantFrom(...parts));

/** A signup that somebody tries, and what must become of it. */
interface Attempt {
  readonly fields: object;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
  readonly token: () => Promise<string | undefined>;
  readonly fate: Fate;
}

/** Attempts in which any of the parts may be wrong; what is checked first decides their fate. */
const attempts: fc.Arbitrary<Attempt> = fc
  .tuple(often(FIELDS), often(ORIGINS), often(TOKENS), fc.constantFrom(...AUTHORIZATIONS))
  .map(([fields, origin, token, authorization]) => {
    const isServer = authorization === AUTHORIZATIONS[1];
    const rejection = fields.fails === "trapped" ? undefined : fields.fails;
    return {
      fields: fields.value,
      origin: origin.value,
      authorization,
      token: token.value,
      fate:
        rejection ??
        origin.fails ??
        (isServer ? undefined : token.fails) ??
        fields.fails ??
        "recorded",
    };
  });

interface Caller {
  readonly origin?: string | undefined;
  readonly authorization?: string | undefined;
}

/** Posts a signup that is right where `fields` says nothing else. */
function sendSignup(
  port: number,
  fields: object,
  { origin, authorization }: Caller = {},
): Promise<RawResponse> {
  const headers = [
    ...(origin === undefined ? [] : [`Origin: ${origin}\r\n`]),
    ...(authorization === undefined ? [] : [`Authorization: ${authorization}\r\n`]),
  ];
  const body = JSON.stringify({ name: "Ada", ctaSource: "hero", ...fields });
  return exchange(port, rawPost("/api/beta-signup", body, headers.join("")), "POST");
}

const AT_A_TIME = 32;

/** Signups with anything wrong that there can be; gives the addresses that were acknowledged. */
async function flood({ port, seed, times }: Target): Promise<string[]> {
  const sample = fc.sample(attempts, { numRuns: times(4_000, 60_000), seed });
  const acknowledged: string[] = [];
  await inParallel(sample, AT_A_TIME, async (attempt, index) => {
    const { token, fields, fate } = attempt;
    const email = `flood-${index}@site.test`;
    const turnstileToken = await token();
    const response = await sendSignup(port, { email, turnstileToken, ...fields }, attempt);
    if (fate !== "recorded" && fate !== "trapped") return expectRejected(response, fate);
    expectSignedUp(response);
    if (fate === "recorded") acknowledged.push(email);
  });
  return acknowledged;
}

/** Tokens that are sent many times at once, each time for another address. */
async function replay({ port, times }: Target): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let round = 0; round < times(30, 500); round += 1) {
    const turnstileToken = await goodToken();
    const emails = Array.from(
      { length: AT_A_TIME },
      (_, index) => `replay-${round}-${index}@site.test`,
    );
    const responses = await Promise.all(
      emails.map(async (email) => ({
        email,
        response: await sendSignup(port, { email, turnstileToken }),
      })),
    );
    const [taken, ...others] = responses.filter(({ response }) => response.status === 200);
    expect(others).toEqual([]);
    for (const { response } of responses) {
      if (response.status !== 200) expectRejected(response, "verification_failed");
    }
    if (taken) acknowledged.push(taken.email);
  }
  return acknowledged;
}

/** One address, in many spellings at once. */
async function repeat({ port, times }: Target): Promise<string[]> {
  const spellings = ["one@site.test", " One@Site.Test", "ONE@SITE.TEST\t"];
  await inParallel(upTo(times(300, 3_000)), AT_A_TIME, async (index) => {
    const email = spellings[index % spellings.length];
    const authorization = `Bearer ${INGEST_SECRET}`;
    expectSignedUp(await sendSignup(port, { email }, { authorization }));
  });
  return ["one@site.test"];
}

/** Those who want in without being asked, or twice, or in somebody's name. */
export const signups: Scenario = {
  title: "of all signups the store holds those that were acknowledged, once",
  environment: { BASE_URL: ORIGIN, CHALLENGE_SECRET, SIGNUP_INGEST_SECRET: INGEST_SECRET },

  async run(target) {
    const flooded = await flood(target);
    const replayed = await replay(target);
    const repeated = await repeat(target);
    const acknowledged = [...flooded, ...replayed, ...repeated].sort();
    const rows = await target.database.query("SELECT email FROM signups ORDER BY email");
    expect(rows).toEqual(acknowledged.map((email) => ({ email })));
    expect(replayed.length).toBe(target.times(30, 500));
    return `${flooded.length} of ${target.times(4_000, 60_000)} floods, ${replayed.length} of ${replayed.length * AT_A_TIME} replays and 1 of ${target.times(300, 3_000)} repeats recorded`;
  },
};
