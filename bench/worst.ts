import { MAX_RESULT_BYTES } from "../schemas/index.ts";
import { createMailFilters } from "../src/mail-filter/index.ts";
import { longestWait, mostExpensive, startAttack } from "../test/integration/abuse/fairness.ts";
import { HOST, nginx } from "../test/integration/deploy/proxies.ts";
import { openConnection, type Visitor } from "../test/server/support/http.ts";
import { someFilters } from "./library.ts";
import { handtools } from "./server.ts";
import { medianRatio, printRow, timed } from "./table.ts";

/** The slowest request within the limits, and how long others wait beside it. */
export async function measureWorst(): Promise<void> {
  await using server = await handtools();
  const { title, bytes } = await mostExpensive(server.port);
  const connection = await openConnection(server.port);
  const answered = timed(async () => {
    connection.send(bytes);
    await connection.response("POST", 60_000);
  });
  const result = JSON.stringify(createMailFilters(someFilters(20)));
  const results = new Array(Math.floor(MAX_RESULT_BYTES / result.length)).fill(result);
  const largest = `[${results.join(",")}]`;
  const roundTrip = timed(() => JSON.stringify(JSON.parse(largest)));
  printRow(
    `the slowest input (${title}), against parsing and writing a result of 1 MB`,
    await medianRatio({ warmUps: 5, turns: 15 }, answered, roundTrip),
    "<= 18",
  );
  connection.end();

  const wait = async (port: number, hostile?: Visitor, honest?: Visitor) => {
    const attack = startAttack({ port, connections: 32, request: bytes, burst: 1, by: hostile });
    await Bun.sleep(500);
    const longest = await longestWait(port, 5_000, honest);
    await attack.stop();
    return longest;
  };
  const what = "the longest wait beside 32 connections with the worst input";
  printRow(what, await wait(server.port), "<= 1000 ms");
  await using proxy = await nginx.start(server.port);
  const [hostile, honest] = ["127.0.0.2", "127.0.0.3"].map((from) => ({ from, host: HOST }));
  const figure = await wait(proxy.https, hostile, honest);
  printRow(`${what}, behind nginx of deploy/`, figure, "<= 500 ms");
}
