import { describe, expect, test } from "bun:test";
import { exchange, openConnection } from "./connection.ts";
import { expectFailure } from "./expect-failure.ts";
import { runningServer } from "./running-server.ts";
import { fullyEncoded, inputOfBytes, MCP, rawPost } from "./tool-calls.ts";

const server = runningServer();

const LIMIT = 16_384;
const TOO_LARGE = "the input may have 16384 bytes";

const FILLERS = [
  ["of one byte", "a"],
  ["of two bytes", "é"],
  ["of four bytes", "😀"],
] as const;

const chunked = (body: string, size: number): Buffer => {
  const bytes = Buffer.from(body);
  const parts = [Buffer.from(CHUNKED_HEAD)];
  for (let start = 0; start < bytes.length; start += size) {
    const chunk = bytes.subarray(start, start + size);
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n"));
  }
  return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]);
};

const CHUNKED_HEAD = `POST ${MCP} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

const get = (query: string) => `GET ${MCP}?input=${query} HTTP/1.1\r\nHost: a\r\n\r\n`;

const WAYS: readonly (readonly [string, (input: string) => string | Uint8Array])[] = [
  ["POST with a Content-Length", (input) => rawPost(MCP, input)],
  ["POST in one chunk", (input) => chunked(input, input.length * 4)],
  ["POST in chunks of 1,000 bytes", (input) => chunked(input, 1_000)],
  ["GET raw", get],
  ["GET with encoded text", (input) => get(encodeURIComponent(input))],
  ["GET with each byte encoded", (input) => get(fullyEncoded(input))],
];

describe.each(WAYS)("%s", (_, request) => {
  test.each(FILLERS)("takes 16,384 bytes in characters %s", async (_, filler) => {
    const input = inputOfBytes(LIMIT, filler);
    expect(Buffer.byteLength(input)).toBe(LIMIT);
    const { status, body } = await exchange(server.port, request(input));
    expect({ status, name: JSON.parse(body).name }).toEqual({ status: 200, name: "files" });
  });

  test.each(FILLERS)("refuses 16,385 bytes in characters %s", async (_, filler) => {
    const input = inputOfBytes(LIMIT + 1, filler);
    expectFailure(await exchange(server.port, request(input)), "payload_too_large", TOO_LARGE);
  });

  test("refuses four times as much", async () => {
    const input = "x".repeat(4 * LIMIT);
    expectFailure(await exchange(server.port, request(input)), "payload_too_large", TOO_LARGE);
  });
});

describe("answered before the body has come", () => {
  const head = (length: string) =>
    `POST ${MCP} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  test.each(["16385", "1048577", "99999999999", String(Number.MAX_SAFE_INTEGER)])(
    "an announced length of %s",
    async (length) => {
      expectFailure(await exchange(server.port, head(length)), "payload_too_large", TOO_LARGE);
    },
  );

  test("an endless chunked body", async () => {
    const connection = await openConnection(server.port);
    connection.send(CHUNKED_HEAD);
    for (let sent = 0; sent <= LIMIT; sent += 4_096) {
      connection.send(`1000\r\n${"x".repeat(4_096)}\r\n`);
    }
    expectFailure(await connection.response(), "payload_too_large", TOO_LARGE);
    connection.end();
  });

  test("a huge length with a wrong type", async () => {
    const request = head("99999999999").replace("application/json", "text/plain");
    expectFailure(await exchange(server.port, request), "unsupported_media_type");
  });

  test("a huge length for a path that there is not", async () => {
    const request = head("99999999999").replace(MCP, "/api/zz");
    expectFailure(await exchange(server.port, request), "not_found");
  });
});
