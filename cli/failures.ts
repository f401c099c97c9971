/** Failures that their own words explain to the user, one line per problem. */
abstract class Failure extends Error {
  /** The status of the process: see the table in the help of `handtools`. */
  abstract readonly exitCode: 1 | 2;
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** The user can mend it: the input or the command line. */
export class UsageFailure extends Failure {
  override readonly name = "UsageFailure";
  readonly exitCode = 2;
}

/** Something outside failed: a file, a disk, a stream. */
export class OutsideFailure extends Failure {
  override readonly name = "OutsideFailure";
  readonly exitCode = 1;
}

export type ExplainedFailure = UsageFailure | OutsideFailure;

export const isExplained = (error: unknown): error is ExplainedFailure => error instanceof Failure;
