import { expect } from "bun:test";
import fc from "fast-check";
import {
  asQuery,
  exchange,
  libraryResult,
  MCP,
  openConnection,
  type RawResponse,
} from "../../server/support/http.ts";
import type { Scenario } from "./run.ts";
import { cuts, inParallel, inPieces, sendPieces, toolRequest, upTo } from "./support.ts";

const KIB = 1_024;
const AT_A_TIME = 8;

/** Room for the rest of a request within a limit. */
const REST = 100;

/** A target, and header lines. */
const get = (target: string, lines = "") => `GET ${target} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`;
const fill = (size: number) => "a".repeat(size - REST);

/** Requests that are large in a way, and what is answered up to 256 KiB (server/process/lifecycle.ts). */
const WAYS: readonly (readonly [status: number, request: (size: number) => string])[] = [
  [200, (size) => get("/api/health", `X-A: ${fill(size)}\r\n`)],
  [200, (size) => get("/api/health", `Cookie: ${"a=b;".repeat(size / 4 - REST)}\r\n`)],
  [200, (size) => get("/api/health", `X-A: ${fill(size / 2)}\r\n`.repeat(2))],
  [200, (size) => get(`/api/health?${fill(size)}`)],
  [404, (size) => get(`/api/${fill(size)}`)],
];
const SIZES = [16, 64, 128, 256, 257, 512, 1_024].map((kibibytes) => kibibytes * KIB);
const LIMIT = 256 * KIB;

/** Bun takes nearly 200 header lines, whatever their size. */
const COUNTS = [
  [100, 200],
  [190, 200],
  [201, 431],
  [5_000, 431],
] as const;

/** Headers larger or more than anyone needs. */
export const oversizedHeaders: Scenario = {
  title: "headers up to 256 KiB are read, and larger or too many are rejected",

  async run({ port, times }) {
    const cases = [
      ...SIZES.flatMap((size) =>
        WAYS.map(([status, request]) => [size > LIMIT ? 431 : status, request(size)] as const),
      ),
      ...COUNTS.map(([count, status]) => {
        return [status, get("/api/health", "X-A: b\r\n".repeat(count))] as const;
      }),
    ];
    const rounds = upTo(times(5, 100)).flatMap(() => cases);
    await inParallel(rounds, AT_A_TIME, async ([wanted, request]) => {
      const { status } = await exchange(port, request);
      const bytes = request.length;
      expect({ status, bytes }).toEqual({ status: wanted, bytes });
    });
    return `${rounds.length} requests of up to 1 MiB of headers`;
  },
};

const CONNECTIONS = 16;

interface Exchange {
  readonly method: string;
  readonly bytes: Uint8Array;
  readonly answer: { readonly status: number; readonly body: string | RegExp };
}

const plain = (
  method: string,
  target: string,
  status: number,
  body: string | RegExp,
): Exchange => ({
  method,
  bytes: Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: a\r\n\r\n`),
  answer: { status, body },
});

const chunked = (bytes: Uint8Array, start: number): Buffer => {
  const head = Buffer.from(bytes.subarray(0, start)).toString();
  const body = Buffer.from(bytes.subarray(start)).toString();
  const chunks = [body.slice(0, 7), body.slice(7), ""];
  return Buffer.from(
    head.replace(/Content-Length: \d+/, "Transfer-Encoding: chunked") +
      chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join(""),
  );
};

/** A request; where it can, a mark makes it and its answer unlike all others. */
type Kind = (mark: string) => Exchange;

/** Whoever sends a POST with its length waits for the answer. */
const postWithLength: Kind = (mark) => ({ ...toolRequest(mark), method: "POST" });

const KINDS: readonly Kind[] = [
  (mark) => {
    const { bytes, bodyStart, answer } = toolRequest(mark);
    return { method: "POST", bytes: chunked(bytes, bodyStart), answer };
  },
  (mark) => {
    const input = { name: mark, url: `https://${mark}.test/` };
    const result = libraryResult({ name: "mcp_config_generator" }, input);
    return plain("GET", MCP + asQuery(JSON.stringify(input)), 200, result);
  },
  (mark) => {
    const input = { name: "a", command: "b", [mark]: 1 };
    return plain(
      "GET",
      MCP + asQuery(JSON.stringify(input)),
      400,
      new RegExp(`rejected: .*${mark}`),
    );
  },
  () => plain("GET", "/api/health", 200, '{"status":"pass"}'),
  () => plain("HEAD", "/api/tools", 200, ""),
  (mark) => plain("PUT", `/api/${mark}`, 404, /"not_found"/),
];

const rounds = fc.record({
  kinds: fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 30, size: "max" }),
  last: fc.constantFrom(postWithLength, ...KINDS),
  shares: cuts,
});

/**
 * Requests sent before the answers to the earlier ones have come, in packets cut anywhere. A busy
 * server ends such a connection, and the client goes on where the answers end.
 */
export const pipelining: Scenario = {
  title: "pipelined requests get their own answers, in their order",

  async run({ port, seed, times }) {
    const sample = fc.sample(rounds, { numRuns: times(500, 15_000), seed });
    let requests = 0;
    let ended = 0;
    await inParallel(sample, CONNECTIONS, async ({ kinds, last, shares }, round) => {
      const exchanges = [...kinds, last].map((make, index) => make(`round-${round}-${index}`));
      requests += exchanges.length;
      for (let left = exchanges; left.length > 0; ) {
        const answered = await pipeline(port, left, shares);
        if (answered === left.length) return;
        ended += 1;
        // The first of the rest may be why it was ended, so it goes alone.
        const [next, ...others] = left.slice(answered);
        if (next) expectOwn(next, await exchange(port, next.bytes, next.method));
        left = others;
      }
    });
    return `${requests} requests in ${sample.length} pipelines, ended ${ended} times`;
  },
};

/** Sends all at once. @returns how many were answered before the server ended the connection. */
async function pipeline(
  port: number,
  exchanges: readonly Exchange[],
  shares: readonly number[],
): Promise<number> {
  const connection = await openConnection(port);
  const bytes = Buffer.concat(exchanges.map((exchange) => exchange.bytes));
  await sendPieces(connection, inPieces(bytes, shares));
  try {
    for (const [index, exchange] of exchanges.entries()) {
      const response = await connection.response(exchange.method).catch((error: unknown) => {
        if (connection.isClosed) return undefined;
        throw error;
      });
      if (!response) return index;
      expectOwn(exchange, response);
    }
    return exchanges.length;
  } finally {
    connection.end();
  }
}

function expectOwn({ answer }: Exchange, { status, body }: RawResponse): void {
  expect(status).toBe(answer.status);
  if (typeof answer.body === "string") expect(body).toBe(answer.body);
  else expect(body).toMatch(answer.body);
}
