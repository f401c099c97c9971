import { describe, expect, test } from "bun:test";
import { altcha } from "../../support/altcha.ts";
import { chunk, exchange, inChunks, openConnection } from "../../support/http.ts";
import { runningServer } from "../../support/servers.ts";
import {
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

const CHUNKED_HEAD = rawSignup("", { "Content-Length": [], "Transfer-Encoding": "chunked" });
const chunked = (body: string, size: number) =>
  Buffer.concat([Buffer.from(CHUNKED_HEAD), inChunks(body, size)]);

describe("the type", () => {
  test.each([
    ["application/json"],
    ["application/json;charset=utf-8"],
    ["APPLICATION/JSON; charset=UTF-8"],
  ])("%s is taken", async (type) => {
    expectSignedUp(await site.post(GOOD_BODY, { "Content-Type": type }));
  });

  test.each([
    [["text/plain"]],
    [["text/plain;charset=UTF-8"]],
    [["text/json"]],
    [["application/x-www-form-urlencoded"]],
    [["multipart/form-data; boundary=application/json"]],
    [["application/problem+json"]],
    [["application/json", "application/json"]],
    [[""]],
    [[]],
  ])("%j is not", async (types) => {
    const request = rawSignup(GOOD_BODY, { "Content-Type": types });
    expectUnrecorded(site, await exchange(site.port, request), "unsupported_media_type");
  });
});

describe("the size", () => {
  const WAYS: readonly (readonly [string, (body: string) => string | Uint8Array])[] = [
    ["with a Content-Length", (body) => rawSignup(body)],
    ["in one chunk", (body) => chunked(body, LIMIT * 2)],
    ["in chunks of 1,000 bytes", (body) => chunked(body, 1_000)],
  ];
  describe.each(WAYS)("%s", (_, request) => {
    test.each(["a", "é", "😀"])("8,192 bytes of %s are taken", async (filler) => {
      const body = ofBytes(LIMIT, filler);
      expect(Buffer.byteLength(body)).toBe(LIMIT);
      expectSignedUp(await exchange(site.port, request(body)));
    });

    test.each(["a", "é", "😀"])("8,193 bytes of %s are not", async (filler) => {
      const body = ofBytes(LIMIT + 1, filler);
      expect(Buffer.byteLength(body)).toBe(LIMIT + 1);
      expectUnrecorded(site, await exchange(site.port, request(body)), "payload_too_large");
    });
  });

  test.each(["8193", "99999999999"])("an announced %s is answered at once", async (length) => {
    const request = rawSignup("", { "Content-Length": length });
    expectUnrecorded(site, await exchange(site.port, request), "payload_too_large");
  });

  test("a body without end is answered when it is too large", async () => {
    const connection = await openConnection(site.port);
    connection.send(CHUNKED_HEAD);
    for (let sent = 0; sent <= LIMIT; sent += 4_096) connection.send(chunk(Buffer.alloc(4_096)));
    expectUnrecorded(site, await connection.response(), "payload_too_large");
    connection.end();
  });

  test("a body that is shorter than announced is not taken", async () => {
    const connection = await openConnection(site.port);
    connection.send(rawSignup(GOOD_BODY, { "Content-Length": String(GOOD_BODY.length + 1) }));
    await Bun.sleep(50);
    connection.end();
    await Bun.sleep(50);
    expect(site.rows()).toEqual([]);
  });

  test("the bytes after the announced length are not part of the body", async () => {
    const request = rawSignup(GOOD_BODY, { "Content-Length": String(GOOD_BODY.length - 1) });
    expectUnrecorded(site, await exchange(site.port, request), "invalid_request");
  });
});

describe("bodies that are no signup", () => {
  const text = (change: string) => GOOD_BODY.replace("{", `{${change},`);
  test.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ["nothing", ""],
    ["no JSON", "{"],
    ["JSON with more behind it", `${GOOD_BODY}x`],
    ["an array", `[${GOOD_BODY}]`],
    ["a string", JSON.stringify(GOOD_BODY)],
    ["null", "null"],
    ["a byte order mark", `\uFEFF${GOOD_BODY}`],
    ["bytes that are not UTF-8", Buffer.from(GOOD_BODY.replace("Ada", "Ad\xE4"), "latin1")],
    ["half a surrogate pair", GOOD_BODY.replace("Ada", "Ada\\ud83d")],
    ["an extra property", text('"age":36')],
    ["an extra property of null", text('"age":null')],
    ["__proto__", text('"__proto__":{"name":"x"}')],
    ["constructor", text('"constructor":1')],
    ["an extra property of meta", text('"meta":{"utmTerm":"x"}')],
    ["__proto__ of meta", text('"meta":{"__proto__":"x"}')],
    ["meta that is an array", text('"meta":[]')],
    ["a number in meta", text('"meta":{"utmSource":1}')],
  ])("%s", async (_, body) => {
    expectUnrecorded(site, await site.post(body), "invalid_request");
  });
});

describe("any method but POST", () => {
  const METHODS = ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QUERY"];
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
