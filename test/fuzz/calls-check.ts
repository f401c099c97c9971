import { expect } from "bun:test";
import fc from "fast-check";
import { callTool } from "../../src/index.ts";
import type { Check } from "../clients/check.ts";
import { checkProperty } from "./check-property.ts";
import { contractOf } from "./expect-contract.ts";
import { freeze } from "./freeze.ts";
import type { Subject } from "./subjects.ts";

export interface Extent {
  /** Inputs. */
  readonly runs: number;
  readonly seed: number;
  /** After this time no further input is tried. */
  readonly milliseconds: number;
}

/** Runs a tool on many inputs of a kind; a counterexample is made small and shown. */
export function callsCheck(
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
