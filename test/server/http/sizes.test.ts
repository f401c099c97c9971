import { describe, expect, test } from "bun:test";
import { expectFailure } from "../support/expect.ts";
import {
  asQuery,
  chunk,
  chunkedHead,
  chunkedPost,
  exchange,
  inputOfBytes,
  MCP,
  openConnection,
  PATHS,
  rawPost,
} from "../support/http.ts";
import { runningServer } from "../support/servers.ts";

const server = runningServer();

const LIMIT = 16_384;
const TOO_LARGE = "the input may have at most 16384 bytes";

const FILLERS = [
  ["of one byte", "a"],
  ["of two bytes", "é"],
  ["of four bytes", "😀"],
] as const;

const get = (query: string) => `GET ${MCP}?input=${query} HTTP/1.1\r\nHost: a\r\n\r\n`;

const WAYS: readonly (readonly [string, (input: string) => string | Uint8Array])[] = [
  ["POST in one chunk", (input) => chunkedPost(MCP, input, input.length * 4)],
  ["POST in chunks of 1,000 bytes", (input) => chunkedPost(MCP, input, 1_000)],
  ["GET raw", get],
];

/** One filter that becomes some hundred entries, because both lists are split. */
const MANY_ENTRIES = JSON.stringify({
  filters: [
    {
      from: Array.from({ length: 20 }, (_, index) => domains(index * 8, 8)),
      to: Array.from({ length: 20 }, (_, index) => domains(index * 8, 8)),
      has_words: ["a", "b", "c", "d", "e", "f"].map((letter) => letter.repeat(190)),
      label: "Many",
    },
  ],
});

function domains(from: number, count: number): string {
  return Array.from({ length: count }, (_, index) => `@${(from + index).toString(36)}.test`).join(
    " ",
  );
}

test("a result of more than 1,000,000 bytes is rejected by its filter", async () => {
  const path = PATHS.mail_filter_generator;
  for (const request of [
    rawPost(path, MANY_ENTRIES),
    `GET ${path}${asQuery(MANY_ENTRIES)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  ]) {
    expectFailure(
      await exchange(server.port, request),
      "invalid_request",
      "filters[0]: makes a result of more than 1,000,000 bytes; shorten it, or send the filters in several requests",
    );
  }
});

describe.each(WAYS)("%s", (_, request) => {
  test.each(FILLERS)("takes 16,384 bytes in characters %s", async (_, filler) => {
    const input = inputOfBytes(LIMIT, filler);
    expect(Buffer.byteLength(input)).toBe(LIMIT);
    const { status, body } = await exchange(server.port, request(input));
    expect({ status, name: JSON.parse(body).name }).toEqual({ status: 200, name: "files" });
  });

  test.each(FILLERS)("rejects 16,385 bytes in characters %s", async (_, filler) => {
    const input = inputOfBytes(LIMIT + 1, filler);
    expectFailure(await exchange(server.port, request(input)), "payload_too_large", TOO_LARGE);
  });

  test("rejects four times as much", async () => {
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
    connection.send(chunkedHead(MCP));
    for (let sent = 0; sent <= LIMIT; sent += 4_096) {
      connection.send(chunk("x".repeat(4_096)));
    }
    expectFailure(await connection.response(), "payload_too_large", TOO_LARGE);
    connection.end();
  });

  test("a huge length with a wrong type", async () => {
    const request = head("99999999999").replace("application/json", "text/plain");
    expectFailure(await exchange(server.port, request), "unsupported_media_type");
  });

  test("a huge length for an unknown path", async () => {
    const request = head("99999999999").replace(MCP, "/api/zz");
    expectFailure(await exchange(server.port, request), "not_found");
  });
});
