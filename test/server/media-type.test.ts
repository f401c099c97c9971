import { describe, expect, test } from "bun:test";
import { exchange } from "./connection.ts";
import { expectFailure } from "./expect-failure.ts";
import { runningServer } from "./running-server.ts";
import { MCP, MCP_INPUT } from "./tool-calls.ts";

const server = runningServer();

const post = (...types: readonly string[]) =>
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
    const { status } = await post(type);
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
      await post(...types),
      "unsupported_media_type",
      "Content-Type must be application/json",
    );
  });
});
