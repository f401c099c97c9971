import { expect, test } from "bun:test";
import type { ErrorCode } from "../../schemas/index.ts";
import { expectFailedFetch } from "./support/expect.ts";
import { COST, inputOfBytes, jsonPost, MCP, PATHS } from "./support/http.ts";
import { runningServer } from "./support/servers.ts";
import { GOOD, SIGNUP, signupPorts, TOKENLESS } from "./support/signup.ts";

/* The tables "Errors" and "Limits" of the specification, row by row. */

const FILTER = PATHS.mail_filter_generator;
const server = runningServer();

const text = (length: number): string => "a".repeat(length);
const list = <Item>(length: number, item: Item): Item[] => Array(length).fill(item);
const named = (length: number, value: string) =>
  Object.fromEntries(Array.from({ length }, (_, index) => [`K${index}`, value]));

const filters = (length: number) => ({ filters: list(length, { from: ["a@b.test"], star: true }) });
const filter = (fields: object) => ({ filters: [{ from: ["a@b.test"], star: true, ...fields }] });
const zaps = (length: number) => ({ zaps: list(length, { action_steps: 1, runs_per_month: 1 }) });
const zap = (fields: object) => ({ zaps: [{ action_steps: 1, runs_per_month: 1, ...fields }] });
const local = (fields: object) => ({ name: "files", command: "npx", ...fields });
const remote = (headers: object) => ({ name: "far", url: "https://far.test/mcp", headers });
const signup = (fields: object) => ({ ...GOOD, ...fields });
const address = (length: number) => `${text(length - "@site.test".length)}@site.test`;

/** The other fields are short, so that a body of this size is too large for itself alone. */
const signupOfBytes = (size: number) => {
  const body = JSON.stringify(signup({}));
  return `${body}${" ".repeat(size - body.length)}`;
};

/** The lengths of the fields of `meta`. */
const META = {
  ...{ subscribedVia: 64, authProvider: 32, serviceUserId: 64, username: 64, campaignRef: 64 },
  ...{ campaignId: 64, campaignSubscriberId: 64, utmSource: 64, utmMedium: 64, utmCampaign: 64 },
  ...{ utmContent: 64, promoCode: 16, landingPath: 128 },
};

type Inputs = readonly (object | string)[];

/** A limit in the words of the specification, where it applies, what is taken and what is not. */
const LIMITS: readonly (readonly [string, string, Inputs, Inputs])[] = [
  ["tool input size: 16 KiB", MCP, [inputOfBytes(16_384)], [inputOfBytes(16_385)]],
  ["signup body size: 8 KiB", SIGNUP, [signupOfBytes(8_192)], [signupOfBytes(8_193)]],
  ["filters per request: 1 to 20", FILTER, [filters(1), filters(20)], [filters(0), filters(21)]],
  ...["from", "to", "subject", "has_words", "does_not_have"].map(
    (field): (typeof LIMITS)[number] => [
      `entries of ${field}: max 20, each 1 to 200 chars`,
      FILTER,
      [filter({ [field]: list(20, "a") }), filter({ [field]: [text(200)] })],
      [list(21, "a"), [text(201)], [""]].map((entries) => filter({ [field]: entries })),
    ],
  ),
  ["filter name: max 80", FILTER, [filter({ name: text(80) })], [filter({ name: text(81) })]],
  ["filter label: max 200", FILTER, [filter({ label: text(200) })], [filter({ label: text(201) })]],
  ...["larger_than_mb", "smaller_than_mb"].map((field): (typeof LIMITS)[number] => [
    `${field}: greater than 0, max 50`,
    FILTER,
    [filter({ [field]: 0.5 }), filter({ [field]: 50 })],
    [filter({ [field]: 0 }), filter({ [field]: 50.5 })],
  ]),
  ["automations per request: 1 to 25", COST, [zaps(1), zaps(25)], [zaps(0), zaps(26)]],
  ["action_steps: 1 to 100", COST, ...range("action_steps", 1, 100)],
  ["runs_per_month: 0 to 10000000", COST, ...range("runs_per_month", 0, 10_000_000)],
  ["automation name: max 200", COST, [zap({ name: text(200) })], [zap({ name: text(201) })]],
  [
    "MCP name: 1 to 64, pattern",
    MCP,
    [local({ name: "a" }), local({ name: `aZ0_-${text(59)}` })],
    ["", text(65), "a b", "ä"].map((name) => local({ name })),
  ],
  [
    "command: 1 to 500",
    MCP,
    [local({ command: "a" }), local({ command: text(500) })],
    [local({ command: "" }), local({ command: text(501) })],
  ],
  [
    "args: max 50, each max 1000",
    MCP,
    [local({ args: list(50, "a") }), local({ args: [text(1_000)] })],
    [local({ args: list(51, "a") }), local({ args: [text(1_001)] })],
  ],
  [
    "env keys: up to 100, pattern",
    MCP,
    [local({ env: { [`_${text(99)}`]: "" } })],
    [text(101), "1A", "A-B", ""].map((key) => local({ env: { [key]: "" } })),
  ],
  [
    "headers keys: up to 100, pattern",
    MCP,
    [remote({ [`X-${text(98)}`]: "a" })],
    [text(101), "A_B", ""].map((key) => remote({ [key]: "a" })),
  ],
  [
    "env values: max 2000, no line breaks",
    MCP,
    [local({ env: named(1, text(2_000)) })],
    [text(2_001), "a\nb", "a\rb"].map((value) => local({ env: named(1, value) })),
  ],
  [
    "headers values: max 2000, no line breaks",
    MCP,
    [remote({ A: text(2_000) })],
    [text(2_001), "a\nb", "a\rb"].map((value) => remote({ A: value })),
  ],
  ["email: max 254", SIGNUP, [signup({ email: address(64) })], [signup({ email: address(255) })]],
  ["name: 2 to 200", SIGNUP, ...texts("name", 2, 200)],
  ["referralOther: 2 to 120", SIGNUP, ...texts("referralOther", 2, 120, { referral: "other" })],
  [
    "turnstileToken: 1 to 2048",
    SIGNUP,
    [GOOD],
    ["", text(2_049)].map((turnstileToken) => signup({ turnstileToken })),
  ],
  ["honeypot: max 200", SIGNUP, ...texts("honeypot", 0, 200)],
  ...Object.entries(META).map(([field, max]): (typeof LIMITS)[number] => [
    `meta.${field}: max ${max}`,
    SIGNUP,
    [signup({ meta: { [field]: text(max) } })],
    [signup({ meta: { [field]: text(max + 1) } })],
  ]),
];

function range(field: string, min: number, max: number): [Inputs, Inputs] {
  const inputs = (...values: readonly number[]) => values.map((value) => zap({ [field]: value }));
  return [inputs(min, max), inputs(min - 1, max + 1, min + 0.5)];
}

function texts(field: string, min: number, max: number, others = {}): [Inputs, Inputs] {
  const input = (length: number) => signup({ ...others, [field]: text(length) });
  return [
    [input(min), input(max)],
    [...(min > 0 ? [input(min - 1)] : []), input(max + 1)],
  ];
}

const json = (input: object | string): string =>
  typeof input === "string" ? input : JSON.stringify(input);

test.each(LIMITS)("limit: %s", async (limit, path, taken, rejected) => {
  for (const input of taken) {
    expect((await server.fetch(path, jsonPost(json(input)))).status).toBe(200);
  }
  const code = limit.includes("size") ? "payload_too_large" : "invalid_request";
  for (const input of rejected) {
    await expectFailedFetch(server.fetch(path, jsonPost(json(input))), code);
  }
});

const from = (origin: string) => ({ "Content-Type": "application/json", Origin: origin });
const of = (input: object | string, headers = from("https://tools.test")): RequestInit => ({
  ...jsonPost(json(input)),
  headers,
});
const wrongType = { "Content-Type": "text/plain", Origin: "https://tools.test" };

/** A code, its condition in the words of the specification, and what meets it. */
const ERRORS: readonly (readonly [ErrorCode, string, string, RequestInit, typeof server?])[] = [
  ["invalid_request", "body was not JSON", SIGNUP, of("{")],
  ["invalid_request", "input was not JSON", `${MCP}?input={`, {}],
  ["invalid_request", "failed validation", SIGNUP, of({})],
  ["invalid_request", "input failed validation", `${MCP}?input={}`, {}],
  ["origin_rejected", "not the site's own origin", SIGNUP, of(GOOD, from("https://evil.test"))],
  ["verification_failed", "the token was missing", SIGNUP, of(TOKENLESS)],
  ["verification_failed", "or stale", SIGNUP, of(signup({ turnstileToken: "stale" }))],
  ["not_found", "no free tool has the requested name", "/api/tools/zz", {}],
  ["method_not_allowed", "signup accepts only POST", SIGNUP, {}],
  ["method_not_allowed", "health accepts GET and HEAD", "/api/health", of({})],
  ["payload_too_large", "signup body over 8 KiB", SIGNUP, of(signupOfBytes(8_193))],
  ["payload_too_large", "a tool's input over 16 KiB", `${MCP}?input=${text(16_385)}`, {}],
  ["unsupported_media_type", "not application/json", SIGNUP, of(GOOD, wrongType)],
  ["unsupported_media_type", "not application/json", MCP, of(local({}), wrongType)],
  ["internal_error", "storage failed", SIGNUP, of(GOOD), siteThat({ store: "fails" })],
  ["internal_error", "verification failed", SIGNUP, of(GOOD), siteThat({ challenge: "fails" })],
];

function siteThat({ store, challenge }: { store?: "fails"; challenge?: "fails" }) {
  const ports = signupPorts();
  const fails = () => Promise.reject(new Error("out of order"));
  return runningServer({
    signup: {
      ...ports,
      ...(store && { store: { ...ports.store, record: fails } }),
      ...(challenge && { challenge: { verify: fails } }),
    },
  });
}

test.each(ERRORS)("error: %s, %s", async (code, _, path, request, to = server) => {
  await expectFailedFetch(to.fetch(path, request), code);
});
