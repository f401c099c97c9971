/*
 * Treats a server badly: `npm run test:abuse` for a minute, `npm run test:abuse -- --long` for ten.
 * `--seed S` sends what another run did; `--only WORDS` plays the scenarios with these words in
 * their titles.
 */
import { parseArgs } from "node:util";
import { runChecks } from "../clients/run-checks.ts";
import { checkOf } from "./check-of.ts";
import { droppedConnections } from "./dropped-connections.ts";
import { framing } from "./framing.ts";
import { generatedRequests } from "./generated-requests.ts";
import { idleConnections } from "./idle-connections.ts";
import { memory } from "./memory.ts";
import { oversizedHeaders } from "./oversized-headers.ts";
import { pipelining } from "./pipelining.ts";
import { signups } from "./signups.ts";
import { slowSenders } from "./slow-senders.ts";

const SCENARIOS = [
  generatedRequests,
  slowSenders,
  droppedConnections,
  idleConnections,
  oversizedHeaders,
  pipelining,
  framing,
  signups,
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
