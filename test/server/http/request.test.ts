import { describe, expect, test } from "bun:test";
import { expectFailure } from "../support/expect.ts";
import { asQuery, exchange, fullyEncoded, MCP, MCP_INPUT, rawPost } from "../support/http.ts";
import { runningServer } from "../support/servers.ts";
import { SIGNUP } from "../support/signup.ts";

const server = runningServer();

const get = (query: string) =>
  exchange(server.port, `GET ${MCP}${query} HTTP/1.1\r\nHost: a\r\n\r\n`);
const post = (body: string | Uint8Array) => exchange(server.port, rawPost(MCP, body));

const NOT_JSON = "the input must be JSON";
const TWICE = "input must be given once";
const ENCODED = "input must be percent-encoded UTF-8";
const HALF = "the input must not have half of a surrogate pair";
const LATIN1 = Buffer.from('{"name":"a","command":"é"}', "latin1");
/** Half of a surrogate pair as if it were a character; UTF-8 has no such bytes. */
const CESU8 = Buffer.from('{"name":"a","command":"\xed\xa0\x80"}', "latin1");
const escaped = (text: string) =>
  text.replace(/[a-z]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
const deep = (open: string, middle: string, close: string, depth: number) =>
  open.repeat(depth) + middle + close.repeat(depth);

describe("a body is rejected that", () => {
  test.each<[string, string | Uint8Array, string]>([
    ["is empty", "", NOT_JSON],
    ["is white space", " \n", NOT_JSON],
    ["is cut off", MCP_INPUT.slice(0, -1), NOT_JSON],
    ["has something behind its end", `${MCP_INPUT}]`, NOT_JSON],
    ["has a comment", `${MCP_INPUT}//`, NOT_JSON],
    ["has a trailing comma", '{"name":"a",}', NOT_JSON],
    ["is NaN", "NaN", NOT_JSON],
    ["is a NUL", "\0", NOT_JSON],
    ["begins with a byte order mark", `\ufeff${MCP_INPUT}`, NOT_JSON],
    ["is UTF-16", Buffer.from(MCP_INPUT, "utf16le"), NOT_JSON],
    ["is Latin-1", LATIN1, "the body must be UTF-8"],
    ["has surrogates in its bytes", CESU8, "the body must be UTF-8"],
    ["is null", "null", "must be an object"],
    ["is an array", `[${MCP_INPUT}]`, "must be an object"],
    ["is a text", JSON.stringify(MCP_INPUT), "must be an object"],
    ["has half a pair in a value", String.raw`{"name":"a","command":"\ud800"}`, HALF],
    ["has the other half", String.raw`{"name":"a","command":"\uDFFFx"}`, HALF],
    ["has two wrong halves", String.raw`{"name":"a","command":"\udc00\ud800"}`, HALF],
    ["has half a pair in a key", String.raw`{"name":"a","env":{"\udabc":""}}`, HALF],
    ["has half a pair deep down", deep("[", String.raw`"\ud800"`, "]", 8_000), HALF],
    ["has 8,000 arrays", deep("[", "", "]", 8_000), "must be an object"],
    ["has 16,384 brackets", "[".repeat(16_384), NOT_JSON],
    [
      "has __proto__",
      '{"__proto__":{"name":"a","command":"x"}}',
      "name: is required; __proto__: is not a known field; known are name, command, args, env, url, headers",
    ],
    [
      "has __proto__ in a map",
      '{"name":"a","command":"x","env":{"__proto__":"1"}}',
      "env.__proto__: must not be named __proto__, which clients lose when they read the file",
    ],
    ["has a key twice", '{"name":"a","command":"x","name":"b"}', "name: is given twice"],
    [
      "has a key twice, once as an escape",
      String.raw`{"name":"a","command":"x","env":{"A":"1","\u0041":"2"}}`,
      "env.A: is given twice",
    ],
    [
      "has one problem",
      '{"name":"","command":"x"}',
      "name: must be 1 to 64 letters, digits, - or _",
    ],
    [
      "has one of the schema and another",
      '{"name":"","command":" "}',
      "name: must be 1 to 64 letters, digits, - or _; command: must not be blank",
    ],
  ])("%s", async (_, body, message) => {
    expectFailure(await post(body), "invalid_request", message);
  });

  test("has 2,000 objects in an unknown field", async () => {
    const body = `{"name":"a","command":"x","y":${deep('{"a":', "1", "}", 2_000)}}`;
    expectFailure(await post(body), "invalid_request");
  });
});

describe("a query is rejected with", () => {
  test.each<[string, string, string]>([
    ["an empty input", "?input=", NOT_JSON],
    ["an input without =", "?input", NOT_JSON],
    ["an input behind others", "?a=b&input=", NOT_JSON],
    ["two inputs", `${asQuery(MCP_INPUT)}&input=${encodeURIComponent(MCP_INPUT)}`, TWICE],
    ["two inputs, one by an encoded name", `${asQuery(MCP_INPUT)}&%69nput={}`, TWICE],
    ["two inputs without =", "?input&input", TWICE],
    ["a broken escape", "?input=%7", ENCODED],
    ["an escape that is none", "?input=%zz", ENCODED],
    ["a lone %", "?input=%", ENCODED],
    ["escapes of Latin-1", "?input=%22%E9%22", ENCODED],
    ["escapes of surrogates", "?input=%22%ED%A0%80%22", ENCODED],
    ["a key twice", asQuery('{"name":"a","command":"x","command":"y"}'), "command: is given twice"],
    ["half a pair", asQuery(String.raw`{"name":"a","command":"\ud83d"}`), HALF],
    ["a byte order mark", `?input=%EF%BB%BF${encodeURIComponent(MCP_INPUT)}`, NOT_JSON],
    ["an input encoded twice", `?input=${encodeURIComponent(encodeURIComponent("{}"))}`, NOT_JSON],
  ])("%s", async (_, query, message) => {
    expectFailure(await get(query), "invalid_request", message);
  });
});

describe("accepted", () => {
  const COMMAND = "a b+c&d=e#f%41 é 😀";
  const input = JSON.stringify({ name: "a", command: COMMAND });

  test.each([
    ["encoded", asQuery(input)],
    ["with each byte encoded", `?input=${fullyEncoded(input)}`],
    ["with + for spaces", asQuery(input).replaceAll("%20", "+")],
    ["by an encoded name", asQuery(input).replace("input", "%69n%70ut")],
    ["behind other parameters", asQuery(input).replace("?", "?INPUT=1&inputs=2&&=3&x=%zz&%zz=1&")],
  ])("a GET %s", async (_, query) => {
    const { status, body } = await get(query);
    expect(status).toBe(200);
    expect(body).toBe((await post(input)).body);
    expect(JSON.parse(JSON.parse(body).clients[0].snippet)).toMatchObject({
      mcpServers: { a: { command: COMMAND } },
    });
  });

  test.each([
    ["spaces around it", ` \r\n\t${MCP_INPUT}\n `],
    ["each character as an escape", escaped(MCP_INPUT)],
    ["a whole pair in escapes", String.raw`{"name":"a","command":"\ud83d\ude00"}`],
    ["a literal backslash before ud800", String.raw`{"name":"a","command":"\\ud800"}`],
  ])("a body with %s", async (_, body) => {
    expect((await post(body)).status).toBe(200);
  });

  test.each(["constructor", "toString", "hasOwnProperty", "prototype"])(
    "the key %s, which comes out in the result",
    async (key) => {
      const { status, body } = await post(`{"name":"a","command":"x","env":{"${key}":"kept"}}`);
      expect(status).toBe(200);
      const [{ snippet }] = JSON.parse(body).clients;
      expect(Object.entries(JSON.parse(snippet).mcpServers.a.env)).toEqual([[key, "kept"]]);
    },
  );

  test.each(["identity", "IDENTITY", ""])("a body in the coding %j", async (coding) => {
    const request = rawPost(MCP, MCP_INPUT, `Content-Encoding: ${coding}\r\n`);
    expect((await exchange(server.port, request)).status).toBe(200);
  });
});

/** A reader who decodes, such as a proxy that inspects, would see another body. */
describe("a body is rejected in", () => {
  test.each<[string, string, string]>([
    ["a coding", MCP, "gzip"],
    ["a coding that nobody knows", MCP, "x"],
    ["two codings", MCP, "gzip, br"],
    ["none, and a coding", MCP, "identity\r\nContent-Encoding: gzip"],
    ["a coding, for a signup", SIGNUP, "gzip"],
    ["a coding, for MCP", "/mcp", "gzip"],
  ])("%s", async (_, path, coding) => {
    const request = rawPost(path, MCP_INPUT, `Content-Encoding: ${coding}\r\n`);
    const response = await exchange(server.port, request);
    const message = path === SIGNUP ? undefined : "Content-Encoding must be identity";
    expectFailure(response, "unsupported_media_type", message);
    expect(response.headers["accept-encoding"]).toBe("identity");
  });

  test("a coding, for a page", async () => {
    const type = { "Content-Type": "application/x-www-form-urlencoded" };
    const response = await server.fetch("/tools/mcp-config-generator", {
      method: "POST",
      headers: { ...type, "Content-Encoding": "gzip" },
      body: "a=b",
    });
    expect(response.status).toBe(415);
  });
});

test("long keys of the input are cut in the answer, between surrogate pairs", async () => {
  const input = JSON.stringify({ name: "a", command: "x", ["x😀x".repeat(400)]: 1 });
  const response = await post(input);
  expectFailure(response, "invalid_request");
  const { message } = JSON.parse(response.body).error;
  expect(message).toMatch(/^Request rejected: \["x😀xx😀x.*…$/);
  expect(message.length).toBeLessThan(600);
  expect(message.isWellFormed()).toBe(true);
});

test("an error shows controls and marks of direction of the input as escapes", async () => {
  const response = await post('{"name":"a","command":"x","\u009b31m\u202e\u2066":1,"b\\u0007":1}');
  expectFailure(
    response,
    "invalid_request",
    '["\\u009b31m\\u202e\\u2066"]: is not a known field; known are name, command, args, env, url, headers; ["b\\u0007"]: is not a known field',
  );
});

const postAs = (...types: readonly string[]) =>
  exchange(
    server.port,
    [
      `POST ${MCP} HTTP/1.1`,
      "Host: a",
      ...types.map((type) => `Content-Type: ${type}`),
      `Content-Length: ${MCP_INPUT.length}`,
      "",
      MCP_INPUT,
    ].join("\r\n"),
  );

describe("JSON by its type", () => {
  test.each([
    "application/json",
    "APPLICATION/JSON; charset=utf-8",
    "Application/Json;charset=UTF-8",
    'application/json ; charset=utf-8; profile="a;b"',
    "   application/json   ",
    "application/json;",
  ])("%j", async (type) => {
    const { status } = await postAs(type);
    expect(status).toBe(200);
  });
});

describe("not JSON by its type", () => {
  test.each<[readonly string[]]>([
    [[]],
    [[""]],
    [["text/plain"]],
    [["text/plain; application/json"]],
    [["text/json"]],
    [["application/jsonx"]],
    [["application/json5"]],
    [["application/x-json"]],
    [["application/problem+json"]],
    [["application/vnd.api+json"]],
    [["application/x-www-form-urlencoded"]],
    [["multipart/form-data; boundary=application/json"]],
    [["application / json"]],
    [["application/json, text/plain"]],
    [["json"]],
    [["*/*"]],
    [["application/json", "application/json"]],
    [["application/json; charset=utf-8", "text/plain"]],
    [["application/json; charset=utf-8", "application/json; charset=utf-8"]],
    [["application/json", "text/plain"]],
    [["text/plain", "application/json"]],
  ])("%j", async (types) => {
    expectFailure(
      await postAs(...types),
      "unsupported_media_type",
      "Content-Type must be application/json",
    );
  });
});
