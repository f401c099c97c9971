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

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EBADF: "is closed",
  EFBIG: "the file would grow too large",
  EISDIR: "is a directory",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "no such file or directory",
  ENOSPC: "no space is left on the device",
  ENOTDIR: "a part of the path is not a directory",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
};

/** Waits for work outside; what the system says against it becomes an OutsideFailure. */
export async function explained<Value>(place: string, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    const code = codeOf(error);
    // Without a code it is no answer of the system, but a fault of ours.
    if (code === undefined) throw error;
    throw new OutsideFailure([`${place}: ${REASONS[code] ?? `failed with ${code}`}`]);
  }
}

/** The system's name for an error, such as `ENOENT`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
