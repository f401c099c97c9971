import { type ExplainedFailure, OutsideFailure, UsageFailure } from "./failures.ts";

/** A failure of the server's side in the terms of the command line. */
export const explainServer = ({
  exitCode,
  problems,
}: {
  readonly exitCode: 1 | 2;
  readonly problems: readonly string[];
}): ExplainedFailure =>
  exitCode === 2 ? new UsageFailure(problems) : new OutsideFailure(problems);
