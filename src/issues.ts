import type { Warning } from "../schemas/index.ts";

/** The keys and indexes that lead to a value, from the root of the input. */
export type Path = readonly (string | number)[];

/** Writes a path as JavaScript would: `filters[0].from[1]`, `env["a b"]`; the root is "". */
export function formatPath(path: Path): string {
  return path
    .map((key, depth) => {
      if (typeof key === "number") return `[${key}]`;
      if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `[${JSON.stringify(key)}]`;
      return depth === 0 ? key : `.${key}`;
    })
    .join("");
}

/** Why an input is refused: where, and what would be right there. */
export interface Issue {
  /** Such as `filters[0].from[1]`; empty for the input as a whole. */
  readonly path: string;
  /** To be read after the path: "must be at most 50". */
  readonly message: string;
}

export const issueAt = (path: Path, message: string): Issue => ({
  path: formatPath(path),
  message,
});

/** One line for people: `filters[0].larger_than_mb: must be at most 50`. */
export const formatIssue = ({ path, message }: Issue): string =>
  path === "" ? message : `${path}: ${message}`;

/** Thrown by the tools' functions for an input that breaks the schema or has no honest output. */
export class InvalidInputError extends Error {
  override readonly name = "InvalidInputError";
  readonly code = "invalid_request";
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    super(issues.map(formatIssue).join("\n"));
    this.issues = issues;
  }
}

export interface ToolFailure {
  /** `internal_error` is a fault of ours; its `cause` is the exception. */
  readonly code: "invalid_request" | "not_found" | "internal_error";
  readonly message: string;
  readonly issues: readonly Issue[];
  readonly cause?: unknown;
}

/** What `callTool` gives back. */
export type ToolResult<Value = unknown> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: ToolFailure };

/** Collects what a tool finds in a valid input: reasons to refuse it, and remarks. */
export class Findings {
  readonly warnings: Warning[] = [];
  readonly #issues: Issue[] = [];

  /** There is no honest output for this. */
  refuse(path: Path, message: string): void {
    this.#issues.push(issueAt(path, message));
  }

  /** Accepted, but it may surprise or do harm. */
  warn(code: string, path: Path, message: string): void {
    this.warnings.push({ code, severity: "warning", path: formatPath(path), message });
  }

  /** Accepted; worth knowing. */
  info(code: string, path: Path, message: string): void {
    this.warnings.push({ code, severity: "info", path: formatPath(path), message });
  }

  /** @throws {InvalidInputError} with all the reasons, if there was one. */
  throwIfRefused(): void {
    if (this.#issues.length > 0) throw new InvalidInputError(this.#issues);
  }
}
