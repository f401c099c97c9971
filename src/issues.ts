import type { Warning } from "../schemas/index.ts";
import { cutToBytes, hasMoreBytes, plural, visibleLine } from "./text.ts";

/** The keys and indexes that lead to a value, from the root of the input. */
export type Path = readonly (string | number)[];

/** Writes a path as JavaScript would: `filters[0].from[1]`, `env["a b"]`; the root is "". */
export function formatPath(path: Path): string {
  let formatted = "";
  for (const key of path) formatted = pathTo(formatted, key);
  return formatted;
}

/** The path of a property or an item, `filters[0].from` for `from` within `filters[0]`. */
export function pathTo(parent: string, key: string | number): string {
  if (typeof key === "number") return `${parent}[${key}]`;
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === "" ? key : `${parent}.${key}`;
}

/** The rest of a path below another: `[1]` of `from[1]` below `from`; undefined for a path elsewhere. */
export function restOfPath(path: string, parent: string): string | undefined {
  if (!path.startsWith(parent)) return undefined;
  const rest = path.slice(parent.length);
  return /^(?:$|[.[])/.test(rest) ? rest : undefined;
}

/** Why an input is rejected: where, and what is wanted there. */
export interface Issue {
  /** Such as `filters[0].from[1]`; empty for the input as a whole. */
  readonly path: string;
  /** Continues the path: "must be at most 50". Names of fields are in backticks. */
  readonly message: string;
}

export const issueAt = (path: Path, message: string): Issue => ({
  path: formatPath(path),
  message,
});

/** `filters[0].larger_than_mb: must be at most 50` */
const formatIssue = ({ path, message }: Issue): string =>
  path === "" ? message : `${path}: ${message}`;

/**
 * Replaces the names of fields in a message, which are in backticks (`larger_than_mb`, `filters[0]`), by
 * those that its reader knows.
 *
 * @param nameOf undefined for a name that the reader knows as it is.
 */
export const replaceFieldNames = (
  message: string,
  nameOf: (field: string) => string | undefined = () => undefined,
): string => message.replace(/`([a-z_]+(?:\[\d+\])?)`/g, (_, field) => nameOf(field) ?? field);

/**
 * As many issues as fit, and the number of the others, so that an agent can correct its call.
 *
 * @param max bytes of the issues.
 */
export function formatIssues(issues: readonly Issue[], separator: string, max: number): string {
  const room = max - MORE_BYTES;
  let text = "";
  let shown = 0;
  for (const issue of issues) {
    const next = visibleLine(formatIssue(issue));
    const longer = shown === 0 ? cutToBytes(next, room) : `${text}${separator}${next}`;
    if (hasMoreBytes(longer, room)) break;
    text = longer;
    shown += 1;
  }
  const more = issues.length - shown;
  return more === 0 ? text : `${text} (${plural(more, "more problem")})`;
}

/** Room for " (3,000 more problems)". */
const MORE_BYTES = 40;

/** Thrown for an input that breaks the schema, or that has no correct output. */
export class InvalidInputError extends Error {
  override readonly name = "InvalidInputError";
  readonly code = "invalid_request";
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    super(issues.map(formatIssue).join("\n"));
    this.issues = issues;
  }
}

/** The error for one issue, by default about the input as a whole. */
export const rejection = (message: string, ...path: Path): InvalidInputError =>
  new InvalidInputError([issueAt(path, message)]);

/** Why a tool gave no result. */
export interface ToolError {
  /** `internal_error` means a bug in the tool; its `cause` is the exception. */
  readonly code: "invalid_request" | "not_found" | "internal_error";
  readonly message: string;
  readonly issues: readonly Issue[];
  readonly cause?: unknown;
}

/** The outcome of `callTool()`. */
export type ToolResult<Value = object> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: ToolError };

/**
 * Collects the issues and warnings about an input or a file. Each instance reports at one path; all
 * instances of a run share one collection.
 *
 * @example
 * const label = diagnostics.at("filters", 0).at("label");
 * label.warn("reserved-label", "Gmail keeps this name for itself");
 */
export class Diagnostics<Code extends string = string> {
  private readonly collected: Collected<Code>;
  private readonly parent: Diagnostics<Code> | undefined;
  private readonly keys: Path;

  private constructor(
    collected: Collected<Code>,
    parent: Diagnostics<Code> | undefined,
    keys: Path,
  ) {
    this.collected = collected;
    this.parent = parent;
    this.keys = keys;
  }

  static start<Code extends string>(): Diagnostics<Code> {
    return new Diagnostics<Code>({ issues: [], warnings: [] }, undefined, []);
  }

  /** The same collection, at a path below this one. */
  at(...keys: Path): Diagnostics<Code> {
    return new Diagnostics(this.collected, this, keys);
  }

  /** Rejects the input for what it has at this path. */
  reject(message: string): void {
    this.collected.issues.push(issueAt(this.path(), message));
  }

  /** Warns that the result may surprise or do harm; the input is accepted. */
  warn(code: Code, message: string): void {
    this.report(code, "warning", message);
  }

  /** Tells what the user may want to know; the input is accepted. */
  info(code: Code, message: string): void {
    this.report(code, "info", message);
  }

  get warnings(): readonly Warning<Code>[] {
    return this.collected.warnings;
  }

  get issues(): readonly Issue[] {
    return this.collected.issues;
  }

  /** @throws {InvalidInputError} with all issues, if there are any. */
  throwIfRejected(): void {
    if (this.collected.issues.length > 0) throw new InvalidInputError(this.collected.issues);
  }

  private report(code: Code, severity: Warning["severity"], message: string): void {
    this.collected.warnings.push({ code, severity, path: formatPath(this.path()), message });
  }

  /** Computed only for a report, since most instances report nothing. */
  private path(): Path {
    return this.parent ? [...this.parent.path(), ...this.keys] : this.keys;
  }
}

interface Collected<Code extends string> {
  readonly issues: Issue[];
  readonly warnings: Warning<Code>[];
}
