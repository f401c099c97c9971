/** Why the server does not start: one line per problem, for the operator. */
export class StartFailure extends Error {
  override readonly name = "StartFailure";
  /** 1: something outside failed, such as a port; 2: a wrong configuration. */
  readonly exitCode: 1 | 2;
  readonly problems: readonly string[];

  constructor(exitCode: 1 | 2, problems: readonly string[]) {
    super(problems.join("\n"));
    this.exitCode = exitCode;
    this.problems = problems;
  }
}
