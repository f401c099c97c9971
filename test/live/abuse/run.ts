import { expect } from "bun:test";
import { parseArgs } from "node:util";
import { sqlite, type TestDatabase } from "../../server/support/databases.ts";
import { startServer } from "../../server/support/servers.ts";
import { type Check, runChecks } from "../runner.ts";
import {
  droppedConnections,
  idleConnections,
  slowSenders,
  stuckConnections,
} from "./connections.ts";
import { fairness, pipelinedFairness } from "./fairness.ts";
import { oversizedHeaders, pipelining } from "./headers.ts";
import { memory } from "./memory.ts";
import { startHealthProbe } from "./support.ts";
import { unreadAnswers, unreadMcpAnswers } from "./unread.ts";

/*
 * Treats a server badly: `npm run test:abuse` for a minute, `npm run test:abuse -- --long` for ten.
 * `--seed S` sends what another run did; `--only WORDS` plays the scenarios with these words in
 * their titles.
 */

/** A server of our own that may be treated badly. */
export interface Target {
  readonly pid: number;
  readonly port: number;
  readonly base: string;
  readonly database: TestDatabase;
  /** The same one makes the same inputs. */
  readonly seed: number;
  /** So many in the quick form, so many in the long one. */
  times(quick: number, long: number): number;
}

export interface Scenario {
  readonly title: string;
  /** The server's environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Does its worst.
   *
   * @returns in figures what was done.
   * @throws {Error} where the server was wrong.
   */
  run(target: Target): Promise<string>;
}

const SCENARIOS = [
  slowSenders,
  stuckConnections,
  droppedConnections,
  idleConnections,
  oversizedHeaders,
  pipelining,
  fairness,
  pipelinedFairness,
  unreadAnswers,
  unreadMcpAnswers,
  memory,
];

const { values } = parseArgs({
  options: {
    long: { type: "boolean", default: false },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    only: { type: "string", default: "" },
  },
});
const seed = Number(values.seed);
const times = (quick: number, long: number) => (values.long ? long : quick);

process.stdout.write(`--seed ${seed}\n`);
await runChecks(
  SCENARIOS.filter(({ title }) => title.includes(values.only)).map((scenario) =>
    checkOf(scenario, { seed, times }),
  ),
);

type Extent = Pick<Target, "seed" | "times">;

/**
 * A scenario against a server of its own, which must be healthy throughout, log no error, and stop
 * at a signal.
 */
function checkOf(scenario: Scenario, extent: Extent): Check {
  return {
    title: scenario.title,
    run: async () => {
      const database = await sqlite.create();
      const server = await startServer(["--port", "0"], {
        LOG: "off",
        ...scenario.environment,
        DATABASE_URL: database.url,
      });
      const probe = startHealthProbe(server.port);
      const started = performance.now();
      try {
        const figures = await scenario.run({ ...server, ...extent, database });
        const { rounds, worst, problem } = await probe.report();
        const seconds = Math.round((performance.now() - started) / 1_000);
        process.stdout.write(
          `      ${figures}; ${seconds} s\n      ${rounds} health probes, the slowest ${Math.round(worst)} ms\n`,
        );
        expect(problem).toBe("");
        server.signal("SIGTERM");
        expect(await server.exited(20_000)).toBe(0);
        expect(await server.output()).not.toContain('"level":"error"');
      } finally {
        await probe.end();
        server.signal("SIGKILL");
        await server.exited();
        await database.drop();
      }
    },
  };
}
