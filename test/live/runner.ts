import { isDeepStrictEqual } from "node:util";

/** One thing that a real program must do with what the generator wrote. */
export interface Check {
  readonly title: string;
  /** Throws when it is not so. */
  readonly run: () => Promise<void>;
}

/** @throws {Error} that shows both values when they differ. */
export function expectSame(actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`expected ${JSON.stringify(expected)}\n  got ${JSON.stringify(actual)}`);
}

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Runs checks one after the other, a line each; the process fails when one of them did. */
export async function runChecks(checks: readonly Check[]): Promise<void> {
  const count = { passed: 0, failed: 0 };
  for (const { title, run } of checks) {
    try {
      await run();
      count.passed++;
      print(`ok    ${title}`);
    } catch (error) {
      count.failed++;
      print(`FAIL  ${title}\n  ${error instanceof Error ? error.message : error}`);
    }
  }
  print(`${count.passed} passed, ${count.failed} failed`);
  process.exitCode = count.failed === 0 ? 0 : 1;
}
