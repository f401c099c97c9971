import { connect, createServer } from "node:net";
import * as tls from "node:tls";
import { MAX_RESULT_BYTES } from "../schemas/index.ts";
import { mailFilter } from "../src/mail-filter/index.ts";
import { longestWait, mostExpensive } from "../test/live/abuse/fairness.ts";
import { startAttack } from "../test/live/abuse/support.ts";
import { HOST, nginx } from "../test/live/deploy/proxies.ts";
import { freePort } from "../test/support/free-port.ts";
import { someFilters } from "./library.ts";
import { handtools } from "./server.ts";
import { median, type Row } from "./table.ts";

/** What the worst request within the limits takes, and how long others wait beside it. */
export async function worstRows(): Promise<Row[]> {
  await using server = await handtools();
  const { title, bytes, milliseconds } = await mostExpensive(server.port);
  await using proxy = await nginx.start(server.port);
  await using hostile = await tunnel(proxy.https, "127.0.0.2");
  await using honest = await tunnel(proxy.https, "127.0.0.3");
  const wait = async (from: { port: number }, beside: { port: number }) => {
    const attack = startAttack({ port: beside.port, connections: 32, request: bytes, burst: 1 });
    await Bun.sleep(500);
    const longest = await longestWait(from.port, MEASURED_MS);
    await attack.stop();
    return longest;
  };
  const besides = "the longest wait beside 32 connections with the worst input";
  return [
    {
      what: `the slowest input (${title}), against parsing and writing a result of 1 MB`,
      figure: milliseconds / roundTrip(),
      goal: ["<=", 6],
    },
    { what: besides, figure: await wait(server, server), unit: "ms", goal: ["<=", 1_000] },
    {
      what: `${besides}, behind nginx of deploy/`,
      figure: await wait(honest, hostile),
      unit: "ms",
      goal: ["<=", 250],
    },
  ];
}

const MEASURED_MS = 5_000;

/** The time to parse and write a result of the largest size. */
function roundTrip(): number {
  const result = JSON.stringify(mailFilter(someFilters(20)));
  const results = new Array(Math.floor(MAX_RESULT_BYTES / result.length)).fill(result);
  const largest = `[${results.join(",")}]`;
  const times = Array.from({ length: 15 }, () => {
    const started = performance.now();
    JSON.stringify(JSON.parse(largest));
    return performance.now() - started;
  });
  return median(times);
}

/** A port that leads to the proxy over TLS, from an address of its own. */
async function tunnel(https: number, from: string) {
  const server = createServer((socket) => {
    const proxied = tls.connect({
      socket: connect({ port: https, host: "127.0.0.1", localAddress: from }),
      servername: HOST,
      rejectUnauthorized: false,
    });
    // The end of one side is the end of the other.
    for (const [one, other] of [[socket, proxied] as const, [proxied, socket] as const]) {
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
      one.pipe(other);
    }
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  return { port, [Symbol.asyncDispose]: async () => void server.close() };
}
