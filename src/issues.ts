import * as v from "valibot";
import { formatCount, formatNumber } from "./text.ts";

/**
 * @param path the path of the value in the whole input, for messages.
 * @throws {InvalidInputError} with one issue for each invalid field.
 */
export function validate<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  path: Path = [],
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, value, { abortPipeEarly: true });
  if (parsed.success) return parsed.output;
  throw new InvalidInputError(parsed.issues.map((issue) => toProblem(issue, path)));
}

/** Returns the first problem of a value, such as "must be at most 100". */
export function findProblem(schema: v.GenericSchema, value: unknown): string | undefined {
  const parsed = v.safeParse(schema, value, { abortPipeEarly: true });
  return parsed.success ? undefined : describeIssue(parsed.issues[0]);
}

function toProblem(issue: v.BaseIssue<unknown>, path: Path): Problem {
  const keys = (issue.path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key)));
  return { path: [...path, ...keys], message: describeIssue(issue) };
}

/** Continues the path: "must be at most 50". Our own checks have their own messages. */
const describeIssue = (issue: v.BaseIssue<unknown>): string =>
  ISSUE_MESSAGES[issue.type]?.(Number(issue.requirement), issue) ?? issue.message;

const oneOf = (_: number, { expected }: v.BaseIssue<unknown>): string =>
  `must be ${expected?.replace(/^\(|\)$/g, "").replaceAll(" | ", " or ")}`;

const ISSUE_MESSAGES: Readonly<
  Record<string, (wanted: number, issue: v.BaseIssue<unknown>) => string>
> = {
  string: () => "must be a string",
  number: () => "must be a number",
  integer: () => "must be a whole number",
  boolean: () => "must be true or false",
  array: () => "must be an array",
  object: (_, { received }) => (received === "undefined" ? "is required" : "must be an object"),
  literal: oneOf,
  picklist: oneOf,
  min_code_points: (wanted) => `must have at least ${formatCount(wanted, "character")}`,
  max_code_points: (wanted) => `must have at most ${formatCount(wanted, "character")}`,
  min_length: (wanted) => `must have at least ${formatCount(wanted, "item")}`,
  max_length: (wanted, { message }) =>
    `must have at most ${formatCount(wanted, "item")}${message.startsWith("; ") ? message : ""}`,
  gt_value: (wanted) => `must be greater than ${formatNumber(wanted)}`,
  min_value: (wanted) => `must be at least ${formatNumber(wanted)}`,
  max_value: (wanted) => `must be at most ${formatNumber(wanted)}`,
  rfc_email: () => "must be an e-mail address, such as me@example.com",
  url: () =>
    "must be an absolute URL, such as https://example.com/mcp, with other characters percent-encoded",
  iso_timestamp: () => "must be a time in UTC, such as 2026-11-22T12:00:00Z",
};

/** The keys and indexes of a value, starting at the root of the input. */
export type Path = readonly (string | number)[];

/** Formats a path as in JavaScript: `filters[0].from[1]`, `env["a b"]`. The root is "". */
export const formatPath = (path: Path): string =>
  path.reduce<string>((parent, key) => joinPath(parent, key), "");

/** Appends a key or an index to a path: `filters[0].from`. */
export function joinPath(parent: string, key: string | number): string {
  if (typeof key === "number") return `${parent}[${key}]`;
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === "" ? key : `${parent}.${key}`;
}

/** Whether a path equals the parent or is below it. */
export const isWithinPath = (path: Path, parent: Path): boolean =>
  parent.every((key, index) => path[index] === key);

/** A problem of an input. */
export interface Problem {
  readonly path: Path;
  /** Continues the path: "must be at most 50". Names of fields are in backticks. */
  readonly message: string;
  /** The sentence on a page, if it differs. */
  readonly onPage?: string | undefined;
}

/** A problem of an input, as users see it. */
export interface Issue {
  /** Such as `filters[0].from[1]`; empty for the input as a whole. */
  readonly path: string;
  readonly message: string;
}

/** Formats `filters[0].larger_than_mb: must be at most 50`. */
export const formatProblem = ({ path, message }: Problem): string =>
  path.length === 0 ? message : `${formatPath(path)}: ${message}`;

/**
 * Replaces the field names in a message, which are in backticks (`larger_than_mb`, `filters[0]`).
 *
 * @param nameOf returns the name that the user knows; undefined keeps the field name.
 */
export const replaceFieldNames = (
  message: string,
  nameOf: (field: string, index?: number) => string | undefined = () => undefined,
): string =>
  message.replace(/`([a-z_]+)(?:\[(\d+)\])?`/g, (quoted, field: string, digits?: string) => {
    const index = digits === undefined ? undefined : Number(digits);
    return nameOf(field, index) ?? quoted.slice(1, -1);
  });

/** Thrown if an input breaks its schema or has no correct output. */
export class InvalidInputError extends Error {
  override readonly name = "InvalidInputError";
  readonly code = "invalid_request";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(formatProblem).join("\n"));
    this.problems = problems;
  }

  get issues(): readonly Issue[] {
    return this.problems.map(({ path, message }) => ({ path: formatPath(path), message }));
  }
}

/** Creates an error with one issue. Without a path, it is about the whole input. */
export const toToolError = (message: string, ...path: Path): InvalidInputError =>
  new InvalidInputError([{ path, message }]);

/** Why a tool returned no result. */
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
