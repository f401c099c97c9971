import type { Check } from "./check.ts";

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
