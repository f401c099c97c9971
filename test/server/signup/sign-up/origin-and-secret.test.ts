import { describe, expect, test } from "bun:test";
import { ingestSecret } from "../../../../server/signup/callers.ts";
import { exchange } from "../../support/http.ts";
import { expectRejected, expectSignedUp, GOOD, SIGNUP, signupSite } from "../../support/signup.ts";

const site = signupSite();

const OWN = "https://tools.test";
const BODY = JSON.stringify(GOOD);

const withHeaders = (...fields: readonly string[]) =>
  exchange(
    site.port,
    [
      `POST ${SIGNUP} HTTP/1.1`,
      ...fields,
      "Content-Type: application/json",
      `Content-Length: ${BODY.length}`,
      "",
      BODY,
    ].join("\r\n"),
  );

describe("the site is https://tools.test", () => {
  test.each([
    ["the site's own origin", [`Origin: ${OWN}`]],
    ["no Origin, as of programs", []],
  ])("%s is taken", async (_, fields) => {
    expectSignedUp(await withHeaders("Host: a", ...fields));
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
  ])("%s is refused", async (_, origin) => {
    expectRejected(await withHeaders("Host: a", `Origin: ${origin}`), "origin_rejected");
    expect(site.rows()).toEqual([]);
  });

  test("two headers are refused, also when one is right", async () => {
    const response = await withHeaders("Host: a", `Origin: ${OWN}`, `Origin: ${OWN}`);
    expectRejected(response, "origin_rejected");
  });

  test.each([
    ["Host", ["Host: evil.test"]],
    ["X-Forwarded-Host", ["Host: a", "X-Forwarded-Host: evil.test", "X-Forwarded-Proto: https"]],
    ["Forwarded", ["Host: a", "Forwarded: host=evil.test;proto=https"]],
  ])("%s does not make a foreign origin ours", async (_, fields) => {
    expectRejected(await withHeaders(...fields, "Origin: https://evil.test"), "origin_rejected");
  });

  test("the challenge of a foreign origin is not spent", async () => {
    let asked = 0;
    const verify = async () => {
      asked += 1;
      return undefined;
    };
    site.change({ challenge: { verify } });
    expectRejected(await withHeaders("Host: a", "Origin: https://evil.test"), "origin_rejected");
    expect(asked).toBe(0);
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
  let asked = 0;
  const verify = async () => {
    asked += 1;
    return undefined;
  };
  site.change({ isServerCaller: ingestSecret(secrets), challenge: { verify } });
  return {
    response: await site.signUp(changes, { Authorization: authorization }),
    asked: () => asked,
  };
}

test("a request without token and secret is rejected, and Turnstile is not called", async () => {
  const { response, asked } = await present([SECRET], "");
  expectRejected(response, "verification_failed");
  expect(asked()).toBe(0);
  expect(site.rows()).toEqual([]);
});

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

describe("rejected like a missing secret", () => {
  test.each([
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
    const { response } = await present(secrets, authorization);
    expectRejected(response, "verification_failed");
    expect(site.rows()).toEqual([]);
  });

  test("but a good token lets its caller in", async () => {
    site.change({ isServerCaller: ingestSecret([SECRET]) });
    expectSignedUp(await site.signUp({}, { Authorization: "Basic YTpi" }));
  });
});

test("the right secret does not allow a foreign origin", async () => {
  site.change({ isServerCaller: ingestSecret([SECRET]) });
  const headers = { Authorization: `Bearer ${SECRET}`, Origin: "https://evil.test" };
  expectRejected(await site.signUp(NO_TOKEN, headers), "origin_rejected");
  expectSignedUp(await site.signUp(NO_TOKEN, { ...headers, Origin: "https://tools.test" }));
});
