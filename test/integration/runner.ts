import { isDeepStrictEqual } from "node:util";

/** One thing that a real program must do with what the generator wrote. */
export interface Check {
  readonly title: string;
  /** The fact that a success shows, for a table of the documents. */
  readonly shows?: string | undefined;
  /** Throws when it is not so. */
  readonly run: () => Promise<void>;
}

/** @throws {Error} that shows both values when they differ. */
export function expectSame(actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`expected ${JSON.stringify(expected)}\n  got ${JSON.stringify(actual)}`);
}

const print = (line: string) => process.stdout.write(`${line}\n`);

/**
 * Runs checks one after the other, a line each; the process fails when one of them did.
 *
 * @returns what the checks show, each time they were run.
 */
export async function runChecks(checks: readonly Check[]): Promise<ReadonlySet<string>> {
  const failed = new Set<string>();
  const count = { passed: 0, failed: 0 };
  for (const { title, shows = "", run } of checks) {
    try {
      await run();
      count.passed++;
      print(`ok    ${title}`);
    } catch (error) {
      count.failed++;
      failed.add(shows);
      print(`FAIL  ${title}\n  ${error instanceof Error ? error.message : error}`);
    }
  }
  print(`${count.passed} passed, ${count.failed} failed`);
  process.exitCode = count.failed === 0 ? 0 : 1;
  return new Set(checks.flatMap(({ shows }) => (shows && !failed.has(shows) ? [shows] : [])));
}
