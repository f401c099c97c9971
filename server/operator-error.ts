/** Why the server does not start, or a command on its signups fails: one line per problem. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
  /** 1: something outside the program failed, such as a port; 2: the configuration is wrong. */
  readonly exitCode: 1 | 2;
  readonly problems: readonly string[];

  constructor(exitCode: 1 | 2, problems: readonly string[]) {
    super(problems.join("\n"));
    this.exitCode = exitCode;
    this.problems = problems;
  }
}
