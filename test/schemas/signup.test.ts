import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { BetaSignupOkSchema, BetaSignupSchema } from "../../schemas/index.ts";
import { validate } from "../../src/issues.ts";
import { problems } from "../support/rejection.ts";

const signup = (fields: object) => ({
  email: "ada@example.org",
  name: "Ada",
  ctaSource: "hero",
  ...fields,
});

/** Each problem as one line; none when it is accepted. */
const problemsOf = (input: unknown): readonly string[] =>
  problems(() => validate(BetaSignupSchema, input));

const long = (length: number) => "😀".repeat(length);
const letters = (count: number) => "a".repeat(count);
/** An address of 254 characters, with the longest local part and the longest labels. */
const LONGEST = `${letters(64)}@${letters(63)}.${letters(63)}.${letters(61)}`;

const META_LENGTHS = {
  ...{ subscribedVia: 64, authProvider: 32, serviceUserId: 64, username: 64, campaignRef: 64 },
  ...{ campaignId: 64, campaignSubscriberId: 64, utmSource: 64, utmMedium: 64, utmCampaign: 64 },
  ...{ utmContent: 64, promoCode: 16, landingPath: 128 },
};

describe("a signup is accepted", () => {
  test.each<[string, object]>([
    ["with the least", {}],
    ["with an address of 254 characters", { email: LONGEST }],
    ["with white space around a long address", { email: ` \t\n\u00a0${LONGEST}\ufeff ` }],
    ["with a name of 2 characters", { name: "李明" }],
    ["with a name of 200 characters", { name: long(200) }],
    ["with white space around a long name", { name: `  ${long(200)}  ` }],
    ["with a name with a joiner in it", { name: "👩\u200d🔬 \u0646\u200c\u0627" }],
    ["with a token of 2048", { turnstileToken: long(2048) }],
    ["with attribution", { meta: { username: long(64), promoCode: long(16), landingPath: "" } }],
  ])("%s", (_, fields) => expect(problemsOf(signup(fields))).toEqual([]));

  test.each(Object.entries(META_LENGTHS))("with %s of %d characters, and no more", (key, most) => {
    expect(problemsOf(signup({ meta: { [key]: long(most) } }))).toEqual([]);
    expect(problemsOf(signup({ meta: { [key]: long(most + 1) } }))).toEqual([
      `meta.${key}: must have at most ${most} characters`,
    ]);
  });
});

describe("a signup is rejected", () => {
  const email = "email: must be an e-mail address, such as me@example.com";
  const undeliverable =
    "email: must have at most 64 characters before the @ and 63 between dots, and must not end with a number";
  const other = "referralOther: must have 2 to 120 characters when referral is other";
  test.each<[string, object, string]>([
    ["for no address", { email: undefined }, "email: must be a string"],
    ["for an address of 255", { email: `${LONGEST}a` }, "email: must have at most 254 characters"],
    ["for 65 characters before the @", { email: `${letters(65)}@b.example` }, undeliverable],
    ["for a label of 64 characters", { email: `a@${letters(64)}.example` }, undeliverable],
    ["for a domain in letters outside ASCII", { email: "a@bücher.example" }, email],
    ["for a name of 1 character", { name: "A" }, "name: must have at least 2 characters"],
    ["for a name of 201 characters", { name: long(201) }, "name: must have at most 200 characters"],
    ["for another referral too short", { referral: "other", referralOther: "x" }, other],
    ["for no token", { turnstileToken: "" }, "turnstileToken: must have at least 1 character"],
    ["for a break in the name", { name: "Ada\nx" }, "name: must not contain control characters"],
    ["for a full honeypot", { honeypot: long(201) }, "honeypot: must have at most 200 characters"],
  ])("%s", (_, fields, problem) => expect(problemsOf(signup(fields))).toEqual([problem]));

  test.each([[null], [[]], [""], [0]])("for being %j", (input) =>
    expect(problemsOf(input)).toEqual(["must be an object"]),
  );

  test("for fields that are not known", () => {
    const [first = "", second = ""] = problemsOf(signup({ secret: "", meta: { ip: "" } }));
    expect(first).toStartWith("meta.ip: is not a known field; known are subscribedVia, ");
    expect(second).toStartWith("secret: is not a known field; known are email, ");
  });

  test.each([
    ...["You won $1000 https://evil.example/x <b>", "Ada <b>", "a > b", "see ftp://x.test"],
    "\uff45vil\uff0eexample\uff0fx",
  ])("for the name %j, which mails would show as a link", (name) =>
    expect(problemsOf(signup({ name }))).toEqual([
      "name: must not contain a URL, an e-mail address, < or >",
    ]),
  );

  test.each([
    ...["\u200b\u200b", "A\u200b", "\u3164\u3164", "A\u00ad\u2060", "\ud800\ud800"],
    "A\u3000\u200d",
  ])("for the name %j, of which less than two characters show", (name) =>
    expect(problemsOf(signup({ name }))).toEqual(["name: must have at least 2 visible characters"]),
  );
});

test("a signup comes out with the address trimmed and in lower case, and the name trimmed", () => {
  const input = signup({ email: "\tAda.K@Example.ORG ", name: "\u00a0Ada  King\n", meta: {} });
  expect(validate(BetaSignupSchema, input)).toEqual({
    email: "ada.k@example.org",
    name: "Ada  King",
    ctaSource: "hero",
    meta: {},
  });
});

test("the answer says ok, and whether the newsletter has the address", () => {
  for (const listmonk of [true, false])
    expect(v.is(BetaSignupOkSchema, { ok: true, listmonk })).toBe(true);
  for (const wrong of [{ ok: false, listmonk: true }, { ok: true }, { ok: true, listmonk: 1 }]) {
    expect(v.is(BetaSignupOkSchema, wrong)).toBe(false);
  }
});
