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
