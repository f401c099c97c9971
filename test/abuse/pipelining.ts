import { expect } from "bun:test";
import fc from "fast-check";
import { openConnection } from "../server/connection.ts";
import { asQuery, libraryResult, MCP } from "../server/tool-calls.ts";
import { inParallel } from "./in-parallel.ts";
import { cuts, inPieces, sendPieces } from "./in-pieces.ts";
import type { Scenario } from "./scenario.ts";
import { toolRequest } from "./tool-request.ts";

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

/** Requests of every kind; where it can, a mark makes them and their answers unlike all others. */
const KINDS: readonly ((mark: string) => Exchange)[] = [
  (mark) => ({ ...toolRequest(mark), method: "POST" }),
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
  shares: cuts,
});

/** Requests sent before the answers to the earlier ones have come, in packets cut anywhere. */
export const pipelining: Scenario = {
  title: "pipelined requests get their own answers, in their order",

  async run({ port, seed, times }) {
    const sample = fc.sample(rounds, { numRuns: times(500, 15_000), seed });
    let requests = 0;
    await inParallel(sample, CONNECTIONS, async ({ kinds, shares }, round) => {
      const exchanges = kinds.map((make, index) => make(`round-${round}-${index}`));
      const bytes = Buffer.concat(exchanges.map((exchange) => exchange.bytes));
      const connection = await openConnection(port);
      await sendPieces(connection, inPieces(bytes, shares));
      for (const { method, answer } of exchanges) {
        const { status, body } = await connection.response(method);
        expect(status).toBe(answer.status);
        if (typeof answer.body === "string") expect(body).toBe(answer.body);
        else expect(body).toMatch(answer.body);
        requests += 1;
      }
      connection.end();
    });
    return `${requests} requests on ${sample.length} connections`;
  },
};
