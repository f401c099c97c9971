import { expect } from "bun:test";
import { exchange } from "../server/connection.ts";
import { inParallel, upTo } from "./in-parallel.ts";
import type { Scenario } from "./scenario.ts";

const KIB = 1_024;
const AT_A_TIME = 8;

/** Room for the rest of a request within a limit. */
const REST = 100;

/** A target, and header lines. */
const get = (target: string, lines = "") => `GET ${target} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`;
const fill = (size: number) => "a".repeat(size - REST);

/** Requests that are large in a way, and what is answered up to 256 KiB (server/listen.ts). */
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

/** Headers larger or more than anyone has use for. */
export const oversizedHeaders: Scenario = {
  title: "headers up to 256 KiB are read, and larger or too many are refused",

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
