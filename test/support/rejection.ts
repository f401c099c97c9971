import { InvalidInputError } from "../../src/index.ts";

/** The problems for which an input is rejected, one per line; empty when it is accepted. */
export function rejection(run: () => unknown): string {
  try {
    run();
    return "";
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return error.message;
  }
}

export const problems = (run: () => unknown): readonly string[] =>
  rejection(run).split("\n").filter(Boolean);
