/**
 * True when the machine has what some tests need besides Node and npm. Without it they are skipped;
 * CI sets REQUIRE_PROGRAMS, and they fail.
 */
export const isAvailable = (isThere: boolean): boolean =>
  isThere || process.env.REQUIRE_PROGRAMS === "1";

/** The same for a program in PATH. */
export const hasProgram = (name: string): boolean => isAvailable(Bun.which(name) !== null);
