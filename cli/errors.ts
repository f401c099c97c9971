import { systemReason } from "../src/text.ts";

/** The exit code after Ctrl-C, as shells have it. */
export const INTERRUPTED = 130;

/** An error with lines for the user. */
export abstract class CliError extends Error {
  abstract readonly exitCode: 1 | 2 | typeof INTERRUPTED;
  readonly severity: "error" | "info" = "error";
  readonly problems: readonly Problem[];

  constructor(problems: readonly (string | Problem)[]) {
    const all = problems.map((problem) =>
      typeof problem === "string" ? { text: problem } : problem,
    );
    super(all.map(problemLine).join("\n"));
    this.problems = all;
  }
}

/** Caused by the input or the command line. */
export class UsageError extends CliError {
  override readonly name = "UsageError";
  readonly exitCode = 2;
}

/** The input is fine, but the command cannot be done. */
export class SystemError extends CliError {
  override readonly name = "SystemError";
  readonly exitCode = 1;
}

/** What `--check` or `--strict` asks for does not hold. */
export class CheckFailed extends CliError {
  override readonly name = "CheckFailed";
  readonly exitCode = 1;
}

/** The command worked and found what it looks for: a difference, or a failed test. */
export class DifferenceFound extends CliError {
  override readonly name = "DifferenceFound";
  override readonly severity = "info";
  readonly exitCode = 1;
}

/** Ended by Ctrl-C, after printing what was done so far. */
export class InterruptedError extends CliError {
  override readonly name = "InterruptedError";
  override readonly severity = "info";
  readonly exitCode = INTERRUPTED;
}

/** Waits for work of the operating system and turns its errors into a SystemError. */
export async function withSystemErrors<Value>(name: string, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw systemError(name, error);
  }
}

/** A SystemError for an error of the operating system; others stay. */
export function systemError(name: string, error: unknown): unknown {
  const code = codeOf(error);
  // An error without a code does not come from the system: it is a bug.
  if (code === undefined) return error;
  return new SystemError([`${name}: ${systemReason(error) ?? `failed with ${code}`}`]);
}

/** Waits for work on a file; undefined when the file does not exist. */
export async function ifExists<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;

/** A problem, and the place where the user wrote it. */
export interface Problem {
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
export function problemLine({ place, path = "", text }: Problem): string {
  const { file, line, column } = place ?? {};
  const where = [file, line, column].filter((part) => part !== undefined).join(":");
  return messageLine(where, path, text);
}

/** Joins the parts that are not empty: `rules.json: filters[0].label: must …`. */
export const messageLine = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join(": ");
