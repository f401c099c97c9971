import fc from "fast-check";
import type { FailureCode } from "../../../schemas/index.ts";
import { ORIGIN } from "../../server/signup/altcha-tokens.ts";
import { BAD_TOKENS, goodToken } from "./tokens.ts";

export const INGEST_SECRET = "ingest-secret-of-the-abused-0001";

type Fate = FailureCode | "recorded" | "trapped";

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
export interface Attempt {
  readonly fields: object;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
  readonly token: () => Promise<string | undefined>;
  readonly fate: Fate;
}

/** Attempts in which any of the parts may be wrong; the interface's rule 5 orders their faults. */
export const attempts: fc.Arbitrary<Attempt> = fc
  .tuple(often(FIELDS), often(ORIGINS), often(TOKENS), fc.constantFrom(...AUTHORIZATIONS))
  .map(([fields, origin, token, authorization]) => {
    const isServer = authorization === AUTHORIZATIONS[1];
    const refusal = fields.fails === "trapped" ? undefined : fields.fails;
    return {
      fields: fields.value,
      origin: origin.value,
      authorization,
      token: token.value,
      fate:
        refusal ??
        origin.fails ??
        (isServer ? undefined : token.fails) ??
        fields.fails ??
        "recorded",
    };
  });
