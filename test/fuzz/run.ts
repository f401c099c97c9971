/*
 * Fuzzes the library: `npm run test:fuzz` tries 20,000 inputs on each tool in about a minute,
 * `npm run test:fuzz -- --long` a million in the better part of an hour. `--runs N` takes as many,
 * `--seed S` tries what another run did.
 */
import { parseArgs } from "node:util";
import fc from "fast-check";
import { jsonSchema } from "../../src/index.ts";
import { runChecks } from "../clients/run-checks.ts";
import { inputsOf } from "../schemas/from-schema.ts";
import { callsCheck } from "./calls-check.ts";
import { strangeInputs } from "./strange-inputs.ts";
import { SUBJECTS } from "./subjects.ts";

const { values } = parseArgs({
  options: {
    long: { type: "boolean", default: false },
    runs: { type: "string" },
    seed: { type: "string" },
  },
});
const runs = Number(values.runs ?? (values.long ? 1_000_000 : 20_000));
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
/** No machine that we know takes as long for one input. */
const MILLISECONDS_PER_INPUT = 10;

process.stdout.write(`--runs ${runs} --seed ${seed}\n`);
await runChecks(
  SUBJECTS.flatMap((subject) => {
    const shaped = inputsOf(jsonSchema(subject.contract.input));
    const extent = (share: number) => ({
      runs: Math.ceil(runs * share),
      seed,
      milliseconds: runs * share * MILLISECONDS_PER_INPUT,
    });
    return [
      callsCheck(subject, "inputs of JSON", fc.oneof(shaped, subject.hostile), extent(0.9)),
      callsCheck(subject, "inputs that are no JSON", strangeInputs(subject.contract), extent(0.1)),
    ];
  }),
);
