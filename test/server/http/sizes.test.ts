import { expect, test } from "bun:test";
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

/* What test/requests/limits.http cannot write: bodies in chunks, and those that never come. */

const server = runningServer();

const LIMIT = 16_384;
const TOO_LARGE = "the input may have at most 16384 bytes";

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
      "filters[0]: must be shorter: the result would exceed 1,000,000 bytes; or send the filters in several requests",
    );
  }
});

test.each([
  ["one chunk of characters of one byte", "a", 100_000],
  ["chunks that cut characters of four bytes", "😀", 1_001],
])("a body in %s has 16,384 bytes, and no more", async (_, filler, size) => {
  const taken = await exchange(server.port, chunkedPost(MCP, inputOfBytes(LIMIT, filler), size));
  expect({ status: taken.status, name: JSON.parse(taken.body).name }).toEqual({
    status: 200,
    name: "files",
  });
  const more = chunkedPost(MCP, inputOfBytes(LIMIT + 1, filler), size);
  expectFailure(await exchange(server.port, more), "payload_too_large", TOO_LARGE);
});

test.each(["16385", "99999999999", String(Number.MAX_SAFE_INTEGER)])(
  "an announced length of %s is answered before the body has come",
  async (length) => {
    const head = `POST ${MCP} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    expectFailure(await exchange(server.port, head), "payload_too_large", TOO_LARGE);
  },
);

test("an endless body in chunks is answered before its end", async () => {
  const connection = await openConnection(server.port);
  connection.send(chunkedHead(MCP));
  for (let sent = 0; sent <= LIMIT; sent += 4_096) connection.send(chunk("x".repeat(4_096)));
  expectFailure(await connection.response(), "payload_too_large", TOO_LARGE);
  connection.end();
});
