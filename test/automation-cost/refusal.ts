import { InvalidInputError } from "../../src/issues.ts";

/** The problems for which a call is refused, one per line. */
export function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof InvalidInputError) return error.message;
    throw error;
  }
  return "was not refused";
}
