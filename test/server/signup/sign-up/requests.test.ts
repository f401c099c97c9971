import { describe, expect, test } from "bun:test";
import { altcha } from "../../support/altcha.ts";
import { chunkedPost, exchange, openConnection } from "../../support/http.ts";
import { runningServer } from "../../support/servers.ts";
import {
  expectRejected,
  expectSignedUp,
  expectUnrecorded,
  GOOD,
  rawSignup,
  SIGNUP,
  signupPorts,
  signupSite,
} from "../../support/signup.ts";

const site = signupSite();

const LIMIT = 8_192;
const GOOD_BODY = JSON.stringify(GOOD);

/** A good signup of exactly so many bytes. */
function ofBytes(size: number, filler = "a"): string {
  const text = (ctaSource: string) => JSON.stringify({ ...GOOD, ctaSource });
  const room = size - text("").length;
  const width = Buffer.byteLength(filler);
  return text(filler.repeat(Math.floor(room / width)) + "b".repeat(room % width));
}

test.each([[["text/plain"]], [[]]])("the types %j are not taken", async (types) => {
  const request = rawSignup(GOOD_BODY, { "Content-Type": types });
  expectUnrecorded(site, await exchange(site.port, request), "unsupported_media_type");
});

describe("the size", () => {
  const WAYS: readonly (readonly [string, (body: string) => string | Uint8Array])[] = [
    ["with a Content-Length", (body) => rawSignup(body)],
    ["in chunks of 1,000 bytes", (body) => chunkedPost(SIGNUP, body, 1_000)],
  ];
  test.each(WAYS)("%s may be 8,192 bytes, and no more", async (_, request) => {
    const most = ofBytes(LIMIT, "é");
    expect(Buffer.byteLength(most)).toBe(LIMIT);
    expectSignedUp(await exchange(site.port, request(most)));
    expect(site.rows()).toHaveLength(1);
    const more = await exchange(site.port, request(ofBytes(LIMIT + 1, "é")));
    expectRejected(more, "payload_too_large");
  });

  test("a body that is shorter than announced is not taken", async () => {
    const connection = await openConnection(site.port);
    connection.send(rawSignup(GOOD_BODY, { "Content-Length": String(GOOD_BODY.length + 1) }));
    await Bun.sleep(50);
    connection.end();
    await Bun.sleep(50);
    expect(site.rows()).toEqual([]);
  });
});

describe("bodies that are no signup", () => {
  const text = (change: string) => GOOD_BODY.replace("{", `{${change},`);
  test.each([
    ["no JSON", "{"],
    ["an array", `[${GOOD_BODY}]`],
    ["an extra property", text('"age":36')],
    ["__proto__", text('"__proto__":{"name":"x"}')],
    ["__proto__ of meta", text('"meta":{"__proto__":"x"}')],
  ])("%s", async (_, body) => {
    expectUnrecorded(site, await site.post(body), "invalid_request");
  });
});

describe("any method but POST", () => {
  const METHODS = ["GET", "PUT", "OPTIONS", "PROPFIND"];
  test.each(METHODS)("%s", async (method) => {
    const origin = { Origin: "https://evil.test", "Access-Control-Request-Method": "POST" };
    const request = rawSignup("", { "Content-Type": [], ...origin }, { method });
    const response = await exchange(site.port, request);
    expectUnrecorded(site, response, "method_not_allowed");
    expect(response.headers.allow).toBe("POST");
  });

  test("HEAD, without a body", async () => {
    const request = rawSignup("", { "Content-Type": [], "Content-Length": [] }, { method: "HEAD" });
    const { status, headers, body } = await exchange(site.port, request, "HEAD");
    expect({ status, allow: headers.allow, body }).toEqual({
      status: 405,
      allow: "POST",
      body: "",
    });
  });
});

describe("GET /api/beta-signup/challenge", () => {
  const CHALLENGE = `${SIGNUP}/challenge`;
  const embedded = runningServer({ signup: signupPorts({ challenge: altcha() }) });

  test("gives a new challenge each time, to our own pages only", async () => {
    const [first, second] = [await embedded.fetch(CHALLENGE), await embedded.fetch(CHALLENGE)];
    expect(first.status).toBe(200);
    expect(first.headers.get("cache-control")).toBe("no-store");
    expect(first.headers.has("access-control-allow-origin")).toBe(false);
    expect(await first.text()).not.toBe(await second.text());
  });

  test("takes no POST", async () => {
    const response = await embedded.fetch(CHALLENGE, { method: "POST" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("is not there where the challenges are made elsewhere", async () => {
    expect((await site.fetch(CHALLENGE)).status).toBe(404);
  });
});
