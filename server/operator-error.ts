/** Stops the server from starting, or ends a `signups` command. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
  /** 1: something external failed, such as a port; 2: the configuration is wrong. */
  readonly exitCode: 1 | 2;
  readonly problems: readonly string[];

  constructor(exitCode: 1 | 2, problems: readonly string[]) {
    super(problems.join("\n"));
    this.exitCode = exitCode;
    this.problems = problems;
  }
}
