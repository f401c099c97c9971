import { describe, expect, test } from "bun:test";
import { serverCallerTest } from "../../../../server/signup/server-caller.ts";
import { exchange } from "../../support/http.ts";
import {
  countingChallenge,
  expectSignedUp,
  expectUnrecorded,
  GOOD,
  rawSignup,
  signupSite,
} from "../../support/signup.ts";

const site = signupSite();

const OWN = "https://tools.test";

const withHeaders = (fields: Parameters<typeof rawSignup>[1]) =>
  exchange(site.port, rawSignup(JSON.stringify(GOOD), fields));

describe("the site is https://tools.test", () => {
  test.each([
    ["the site's own origin", { Origin: OWN }],
    ["no Origin, as of programs", {}],
  ])("%s is taken", async (_, fields) => {
    expectSignedUp(await withHeaders(fields));
    expect(site.rows()).toHaveLength(1);
  });

  test.each([
    ["another site", "https://evil.test"],
    ["null, as of a sandbox or a file", "null"],
    ["nothing", ""],
    ["http", "http://tools.test"],
    ["another port", "https://tools.test:8443"],
    ["the default port, which browsers leave out", "https://tools.test:443"],
    ["the site as the beginning of another", "https://tools.test.evil"],
    ["the site as the end of another", "https://eviltools.test"],
    ["a sub-domain", "https://www.tools.test"],
    ["the parent domain", "https://test"],
    ["upper case", "https://TOOLS.test"],
    ["the scheme in upper case", "HTTPS://tools.test"],
    ["a slash at the end", "https://tools.test/"],
    ["a dot at the end", "https://tools.test."],
    ["a path", "https://tools.test/page"],
    ["a user", "https://tools.test@evil.test"],
    ["two", "https://tools.test https://evil.test"],
    ["a list", "https://tools.test, https://tools.test"],
  ])("%s is rejected", async (_, origin) => {
    expectUnrecorded(site, await withHeaders({ Origin: origin }), "origin_rejected");
  });

  test("two headers are rejected, also when one is right", async () => {
    expectUnrecorded(site, await withHeaders({ Origin: [OWN, OWN] }), "origin_rejected");
  });

  test.each([
    ["Host", { Host: "evil.test" }],
    ["X-Forwarded-Host", { "X-Forwarded-Host": "evil.test", "X-Forwarded-Proto": "https" }],
    ["Forwarded", { Forwarded: "host=evil.test;proto=https" }],
  ])("%s does not make a foreign origin ours", async (_, fields) => {
    const response = await withHeaders({ ...fields, Origin: "https://evil.test" });
    expectUnrecorded(site, response, "origin_rejected");
  });

  test("the challenge of a foreign origin is not spent", async () => {
    const { challenge, asked } = countingChallenge();
    site.change({ challenge });
    expectUnrecorded(site, await withHeaders({ Origin: "https://evil.test" }), "origin_rejected");
    expect(asked()).toBe(0);
  });
});

const SECRET = "first-secret-of-32-characters-0001";
const NEXT = "second-secret-of-32-characters-0002";
const NO_TOKEN = { turnstileToken: undefined };

/** Posts without a token to a site that knows these secrets; counts what the challenge is asked. */
async function present(
  secrets: readonly string[],
  authorization: string,
  changes: object = NO_TOKEN,
) {
  const { challenge, asked } = countingChallenge();
  site.change({ isServerCaller: serverCallerTest(secrets), challenge });
  return { response: await site.signUp(changes, { Authorization: authorization }), asked };
}

describe("the right secret needs no token", () => {
  test.each([
    ["one secret", [SECRET], `Bearer ${SECRET}`],
    ["the old one in a rotation", [SECRET, NEXT], `Bearer ${SECRET}`],
    ["the new one in a rotation", [SECRET, NEXT], `Bearer ${NEXT}`],
    ["the scheme in any case", [SECRET], `bEARER ${SECRET}`],
  ])("%s", async (_, secrets, authorization) => {
    const { response } = await present(secrets, authorization);
    expectSignedUp(response);
    expect(site.rows()).toHaveLength(1);
  });

  test("and spends none that is sent", async () => {
    const { response, asked } = await present([SECRET], `Bearer ${SECRET}`, {});
    expectSignedUp(response);
    expect(asked()).toBe(0);
  });
});

describe("rejected without a token, and Turnstile is not called", () => {
  test.each([
    ["nothing", [SECRET], ""],
    ["another", [SECRET], `Bearer ${NEXT}`],
    ["another of the same length", [SECRET], `Bearer ${SECRET.slice(0, -1)}2`],
    ["one character short", [SECRET], `Bearer ${SECRET.slice(0, -1)}`],
    ["one character long", [SECRET], `Bearer ${SECRET}1`],
    ["in upper case", [SECRET], `Bearer ${SECRET.toUpperCase()}`],
    ["two blanks", [SECRET], `Bearer  ${SECRET}`],
    ["a tab", [SECRET], `Bearer\t${SECRET}`],
    ["a blank within", [SECRET], `Bearer ${SECRET.slice(0, 5)} ${SECRET.slice(5)}`],
    ["no scheme", [SECRET], SECRET],
    ["another scheme", [SECRET], `Token ${SECRET}`],
    ["Basic", [SECRET], `Basic ${btoa(`:${SECRET}`)}`],
    ["the scheme alone", [SECRET], "Bearer"],
    ["an empty secret", [SECRET], "Bearer "],
    ["both of a rotation", [SECRET, NEXT], `Bearer ${SECRET},${NEXT}`],
    ["two headers", [SECRET], `Bearer ${SECRET}, Bearer ${SECRET}`],
    ["one where none is set", [], `Bearer ${SECRET}`],
    ["an empty one where none is set", [], "Bearer "],
    ["undefined where none is set", [], "Bearer undefined"],
    ["nothing where none is set", [], ""],
  ])("%s", async (_, secrets, authorization) => {
    const { response, asked } = await present(secrets, authorization);
    expectUnrecorded(site, response, "verification_failed");
    expect(asked()).toBe(0);
  });

  test("but a good token lets its caller in", async () => {
    site.change({ isServerCaller: serverCallerTest([SECRET]) });
    expectSignedUp(await site.signUp({}, { Authorization: "Basic YTpi" }));
  });
});

test("the right secret does not allow a foreign origin", async () => {
  site.change({ isServerCaller: serverCallerTest([SECRET]) });
  const headers = { Authorization: `Bearer ${SECRET}`, Origin: "https://evil.test" };
  expectUnrecorded(site, await site.signUp(NO_TOKEN, headers), "origin_rejected");
  expectSignedUp(await site.signUp(NO_TOKEN, { ...headers, Origin: "https://tools.test" }));
});
