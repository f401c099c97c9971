import { formatPath, type Path } from "./path.ts";

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
