import { InvalidInputError } from "../../../../src/issues.ts";

/** What comes of an input; undefined when the tool refuses it. */
export const unlessRefused = <Value>(outcome: Promise<Value>): Promise<Value | undefined> =>
  outcome.catch((error: unknown) => {
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  });
