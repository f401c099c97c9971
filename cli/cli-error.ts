import { describeSystemError } from "../src/text.ts";

/** An error with lines for the user, which ends a command. */
export class CliError extends Error {
  override readonly name: string = "CliError";
  readonly problems: readonly LocatedProblem[];
  readonly exitCode: number;
  /** `info` for a command that worked and found what it looks for, such as a difference. */
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

/** Caused by the input or the command line: with `--json` the result is this error. */
export class UsageError extends CliError {
  override readonly name = "UsageError";

  constructor(problems: readonly (string | LocatedProblem)[]) {
    super(problems, { exitCode: 2 });
  }
}

/** Waits for work of the operating system and turns its errors into a CliError. */
export async function withSystemErrors<Value>(name: string, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw toCliError(name, error);
  }
}

/** A CliError for an error of the operating system; others stay. */
function toCliError(name: string, error: unknown): unknown {
  const code = getErrorCode(error);
  // An error without a code does not come from the system: it is a bug.
  if (code === undefined) return error;
  return new CliError([`${name}: ${describeSystemError(error) ?? `failed with ${code}`}`]);
}

/** Waits for work on a file; undefined when the file does not exist. */
export async function ignoreMissingFile<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (getErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

export const getErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;

/** A problem, and the place where the user wrote it. */
export interface LocatedProblem {
  readonly text: string;
  /** The path in the file's value, or the user's name for a part of the input. */
  readonly path?: string;
  readonly place?: {
    readonly file: string;
    readonly line?: number;
    readonly column?: number;
  };
}

/** `rules.json:14:23: filters[1].larger_than_mb: must be at most 50` */
export function formatProblem({ place, path = "", text }: LocatedProblem): string {
  const { file, line, column } = place ?? {};
  const where = [file, line, column].filter((part) => part !== undefined).join(":");
  return joinMessage(where, path, text);
}

/** Joins the parts that are not empty: `rules.json: filters[0].label: must …`. */
export const joinMessage = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join(": ");
