import { describe, expect, test } from "bun:test";
import { exchange } from "../connection.ts";
import { expectRejected, expectSignedUp } from "./expect-signup.ts";
import { GOOD, SIGNUP, signupSite } from "./signup-site.ts";

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

describe("row 21: the site is https://tools.test", () => {
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
