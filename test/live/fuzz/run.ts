import { expect } from "bun:test";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { callTool, jsonSchema } from "../../../src/index.ts";
import { inputsOf } from "../../schemas/from-schema.ts";
import { ordinaryJson, randomJson, randomToml } from "../../src/mcp-config/edit/random-files.ts";
import { type Check, runChecks } from "../runner.ts";
import { checkProperty } from "./check-property.ts";
import { contractOf, freeze, SUBJECTS, type Subject, strangeInputs } from "./subjects.ts";

/*
 * Fuzzes the library: `npm run test:fuzz` tries 20,000 inputs on each tool in about a minute,
 * `npm run test:fuzz -- --long` a million in the better part of an hour; and a server goes into a
 * tenth as many config files and out again. `--runs N` takes as many, `--seed S` tries what another
 * run did.
 */

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
await runChecks([
  ...SUBJECTS.flatMap((subject) => {
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
  filesCheck("files of JSON with comments", randomJson, runs / 10),
  filesCheck("ordinary files of JSON", ordinaryJson, runs / 10),
  filesCheck("files of TOML", randomToml, runs / 50),
]);

interface Extent {
  /** Inputs. */
  readonly runs: number;
  readonly seed: number;
  /** After this time no further input is tried. */
  readonly milliseconds: number;
}

/** Runs a tool on many inputs of a kind; a counterexample is made small and shown. */
function callsCheck(
  subject: Subject,
  kind: string,
  inputs: fc.Arbitrary<unknown>,
  { runs, seed, milliseconds }: Extent,
): Check {
  const { name } = subject.contract;
  const expectContract = contractOf(subject);
  const run = async () => {
    const count = { accepted: 0, refused: 0 };
    const property = fc.property(inputs, (input) => {
      freeze(input);
      const outcome = callTool(name, input);
      expectContract(outcome, input);
      expect(JSON.stringify(callTool(name, input))).toBe(JSON.stringify(outcome));
      count[outcome.ok ? "accepted" : "refused"]++;
    });
    const started = performance.now();
    const plugins = [fc.interruptAfterTimeLimit(milliseconds)];
    const details = await checkProperty(property, { numRuns: runs, seed, plugins });
    const seconds = Math.round((performance.now() - started) / 1_000);
    process.stdout.write(
      `      ${count.accepted} accepted, ${count.refused} refused, ${seconds} s\n`,
    );
    // Each side must be well tried for this to show anything.
    expect(Math.min(count.accepted, count.refused)).toBeGreaterThan(details.numRuns / 50);
  };
  return { title: `${name}: ${runs} ${kind}`, run };
}

/** Installs a server in many config files, and uninstalls it. */
function filesCheck<Input>(kind: string, property: fc.IRawProperty<Input>, share: number): Check {
  const numRuns = Math.ceil(share);
  const run = async () => {
    await checkProperty(property, { numRuns, seed });
  };
  return { title: `a server into ${numRuns} ${kind}, and out again`, run };
}
