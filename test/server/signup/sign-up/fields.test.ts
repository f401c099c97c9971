import { describe, expect, test } from "bun:test";
import { anyToken, expectSignedUp, expectUnrecorded, signupSite } from "../../support/signup.ts";

const site = signupSite();

/** The field in a signup of which it is the only thing that may be wrong. */
type Place = (value: unknown) => object;

const FIELDS: readonly (readonly [string, number, number, Place])[] = [
  ["name", 2, 200, (name) => ({ name })],
  ["ctaSource", 1, 2_000, (ctaSource) => ({ ctaSource })],
  ["referralOther", 2, 120, (referralOther) => ({ referral: "other", referralOther })],
  ["turnstileToken", 1, 2_048, (turnstileToken) => ({ turnstileToken })],
  ["honeypot", 0, 200, (honeypot) => ({ honeypot })],
  ...Object.entries({
    subscribedVia: 64,
    authProvider: 32,
    serviceUserId: 64,
    username: 64,
    campaignRef: 64,
    campaignId: 64,
    campaignSubscriberId: 64,
    utmSource: 64,
    utmMedium: 64,
    utmCampaign: 64,
    utmContent: 64,
    promoCode: 16,
    landingPath: 128,
  }).map(([key, max]) => [key, 0, max, (value: unknown) => ({ meta: { [key]: value } })] as const),
];

describe.each(FIELDS)("%s of %d to %d characters", (field, min, max, place) => {
  const isBounded = field !== "ctaSource";
  const right = [min, min + 1, max];
  const wrong = [...(min > 0 ? [min - 1] : []), ...(isBounded ? [max + 1] : [])];
  const signUp = (value: unknown) => {
    site.change({ challenge: anyToken });
    return site.signUp(place(value));
  };

  // A body of 2,000 emoji is as large as a body may be.
  describe.each(max < 2_000 ? ["a", "😀"] : ["a"])("in %s", (filler) => {
    test.each(right)("%d are taken", async (length) => {
      expectSignedUp(await signUp(filler.repeat(length)));
    });

    test.each(wrong)("%d are not", async (length) => {
      expectUnrecorded(site, await signUp(filler.repeat(length)), "invalid_request");
    });
  });

  test.each([[1], [null], [true], [["aa"]], [{}]])("%j is not a text", async (value) => {
    expectUnrecorded(site, await signUp(value), "invalid_request");
  });
});

test.each(["email", "name", "ctaSource"])("%s is required", async (field) => {
  expectUnrecorded(site, await site.signUp({ [field]: undefined }), "invalid_request");
});

describe("email", () => {
  const LOCAL = "a".repeat(64);
  const label = (length: number) => "b".repeat(length);
  const DOMAIN = [label(63), label(63), label(55), "test"].join(".");

  test.each([
    ["of one letter", "a@b.test", "a@b.test"],
    ["with blanks around it", " \t Ada@Site.TEST \n", "ada@site.test"],
    ["of an international domain", "ada@xn--Site-xyz.test", "ada@xn--site-xyz.test"],
    ["with a tag", "ada+news@site.test", "ada+news@site.test"],
    ["with an apostrophe", "o'hara@site.test", "o'hara@site.test"],
    ["of 253 characters", `${LOCAL}@${DOMAIN}`, `${LOCAL}@${DOMAIN}`],
    ["of 254 characters", `${LOCAL}@${DOMAIN}s`, `${LOCAL}@${DOMAIN}s`],
    ["of 254 characters in blanks", `  ${LOCAL}@${DOMAIN}s  `, `${LOCAL}@${DOMAIN}s`],
  ])("%s is taken", async (_, email, stored) => {
    expectSignedUp(await site.signUp({ email }));
    expect(site.rows()).toMatchObject([{ email: stored }]);
  });

  test.each([
    ["nothing", ""],
    ["blanks", "  "],
    ["no at sign", "ada.site.test"],
    ["no domain", "ada@"],
    ["no local part", "@site.test"],
    ["a domain of one label", "ada@site"],
    ["two", "ada@site.test,bob@site.test"],
    ["a name around it", "Ada <ada@site.test>"],
    ["a blank within", "ada lovelace@site.test"],
    ["a line break within", "ada@site.test\nbcc:bob@site.test"],
    ["the Kelvin sign, which would become a k", "\u212Aate@site.test"],
    ["another alphabet", "ada@sité.test"],
    ["an emoji", "😀@site.test"],
    ["an invisible blank", "ada@site.test\u200B"],
    ["255 characters", `${LOCAL}@${DOMAIN}ss`],
    ["a local part of 65 letters", `${LOCAL}a@site.test`],
    ["a label of 64 letters", `ada@${label(64)}.test`],
    ["an address of the network", "ada@127.0.0.1"],
    ["a top-level domain of digits", "ada@site.123"],
    ["a number", 1],
    ["null", null],
    ["a list", ["ada@site.test"]],
  ])("%s is rejected", async (_, email) => {
    expectUnrecorded(site, await site.signUp({ email }), "invalid_request");
  });
});

describe("a name", () => {
  test.each([["李明"], ["Zoë O’Hara-Smith"], ["  Al  "]])("may be %j", async (name) => {
    expectSignedUp(await site.signUp({ name }));
    expect(site.subscribers).toMatchObject([{ name: name.trim() }]);
  });

  test.each([
    ["Dr.Li", "Dr. Li"],
    ["St.John", "St. John"],
    ["J.R.R.Tolkien", "J.R.R. Tolkien"],
    ["evil.example", "evil. example"],
    ["me@evil.co.uk", "me@evil. co. uk"],
    ["evil\u3002example", "evil\u3002 example"],
    ["Ada. Lovelace...", "Ada. Lovelace..."],
    ["\u202eAda\u202c \u2066\u061cKing\u2069\u200f", "Ada King"],
    ["\u0645\u06cc\u200c\u0631\u0648\u0645", "\u0645\u06cc\u200c\u0631\u0648\u0645"],
    ["\u{1f469}\u200d\u{1f52c} Ada", "\u{1f469}\u200d\u{1f52c} Ada"],
  ])("%j reaches the newsletter as %j", async (name, shown) => {
    expectSignedUp(await site.signUp({ name }));
    expect(site.subscribers).toMatchObject([{ name: shown }]);
  });

  test.each([
    ["blank", "     "],
    ["invisible", "\u200B\u200B\u200B"],
    ["one letter among blanks", "  a  "],
    ["a line of a mail's head", "Ada\r\nBcc: bob@site.test"],
    ["ended by a zero byte", "Ada\0"],
  ])("may not be %s", async (_, name) => {
    expectUnrecorded(site, await site.signUp({ name }), "invalid_request");
  });
});
