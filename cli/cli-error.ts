import { describeSystemError } from "../src/text.ts";

/** Ends a command, with problems for the user. */
export class CliError extends Error {
  override readonly name: string = "CliError";
  readonly problems: readonly LocatedProblem[];
  readonly exitCode: number;
  /** `info` for a command that worked and found something, such as a difference. */
  readonly severity: "error" | "info";

  constructor(
    problems: readonly (string | LocatedProblem)[],
    { exitCode = 1, severity = "error" }: Partial<Pick<CliError, "exitCode" | "severity">> = {},
  ) {
    const all = problems.map((problem) =>
      typeof problem === "string" ? { text: problem } : problem,
    );
    super(all.map(formatProblem).join("\n"));
    this.problems = all;
    this.exitCode = exitCode;
    this.severity = severity;
  }
}

/** Caused by the input or the command line. With `--json` it is the result. */
export class UsageError extends CliError {
  override readonly name = "UsageError";

  constructor(problems: readonly (string | LocatedProblem)[]) {
    super(problems, { exitCode: 2 });
  }
}

/** Turns errors of the operating system into a CliError. */
export const withSystemErrors = <Value>(name: string, work: Promise<Value>): Promise<Value> =>
  work.catch((error: unknown) => {
    const code = getErrorCode(error);
    // An error without a code does not come from the system: it is a bug.
    if (code === undefined) throw error;
    throw new CliError([`${name}: ${describeSystemError(error) ?? `failed with ${code}`}`]);
  });

export const ignoreMissingFile = <Value>(work: Promise<Value>): Promise<Value | undefined> =>
  work.catch((error: unknown) => {
    if (getErrorCode(error) === "ENOENT") return undefined;
    throw error;
  });

export const getErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;

/** A problem, and where the user wrote its cause. */
export interface LocatedProblem {
  readonly text: string;
  /** The path in the file's value, or a flag. */
  readonly path?: string;
  readonly location?: {
    readonly file: string;
    readonly line?: number;
    readonly column?: number;
  };
}

/** `rules.json:14:23: filters[1].larger_than_mb: must be at most 50` */
export function formatProblem({ location, path = "", text }: LocatedProblem): string {
  const { file, line, column } = location ?? {};
  const where = [file, line, column].filter((part) => part !== undefined).join(":");
  return joinMessage(where, path, text);
}

/** Joins the non-empty parts: `rules.json: filters[0].label: must …`. */
export const joinMessage = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join(": ");
