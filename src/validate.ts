import * as v from "valibot";
import { InvalidInputError, type Issue, issueAt, type Path } from "./issues.ts";
import { plural, thousands } from "./text.ts";

/**
 * Validates a value of unknown type.
 *
 * @param path of the value in the whole input, for the messages.
 * @throws {InvalidInputError} with one issue for each field that is wrong.
 */
export function validate<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  path: Path = [],
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, value, { abortPipeEarly: true });
  if (parsed.success) return parsed.output;
  throw new InvalidInputError(parsed.issues.map((issue) => toIssue(issue, path)));
}

/** The problem of a value, such as "must be at most 100"; undefined for a valid one. */
export function findProblem(schema: v.GenericSchema, value: unknown): string | undefined {
  const parsed = v.safeParse(schema, value, { abortPipeEarly: true });
  return parsed.success ? undefined : describeIssue(parsed.issues[0]);
}

function toIssue(issue: v.BaseIssue<unknown>, path: Path): Issue {
  const keys = (issue.path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key)));
  return issueAt([...path, ...keys], describeIssue(issue));
}

/** The problem in words, to be read after its path. A rule of our own has its own message. */
function describeIssue(issue: v.BaseIssue<unknown>): string {
  const wanted = Number(issue.requirement);
  switch (issue.type) {
    case "string":
      return "must be a string";
    case "number":
      return "must be a number";
    case "integer":
      return "must be a whole number";
    case "boolean":
      return "must be true or false";
    case "array":
      return "must be an array";
    case "literal":
    case "picklist":
      return `must be ${issue.expected?.replace(/^\(|\)$/g, "").replaceAll(" | ", " or ")}`;
    case "min_code_points":
      return `must have at least ${plural(wanted, "character")}`;
    case "max_code_points":
      return `must have at most ${plural(wanted, "character")}`;
    case "min_length":
      return `must have at least ${plural(wanted, "item")}`;
    case "max_length":
      return `must have at most ${plural(wanted, "item")}${advice(issue)}`;
    case "gt_value":
      return `must be greater than ${thousands(wanted)}`;
    case "min_value":
      return `must be at least ${thousands(wanted)}`;
    case "max_value":
      return `must be at most ${thousands(wanted)}`;
    case "rfc_email":
      return "must be an e-mail address, such as me@example.com";
    case "url":
      return "must be an absolute URL, such as https://example.com/mcp, with other characters percent-encoded";
    case "iso_timestamp":
      return "must be a time in UTC, such as 2026-11-22T12:00:00Z";
    default:
      return issue.message.startsWith("Invalid ") ? generalWording(issue) : issue.message;
  }
}

/** The wording for a rule whose only message is valibot's. */
function generalWording({ expected, received }: v.BaseIssue<unknown>): string {
  if (received === "undefined") return "is required";
  const kinds = (expected ?? "another value").replace(/[()]/g, "").split(" | ");
  return `must be ${kinds.map((kind) => KINDS[kind] ?? kind).join(" or ")}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  Array: "an array",
  Object: "an object",
};

/** The advice of a schema, which continues the general wording, as in "; one item …". */
const advice = ({ message }: v.BaseIssue<unknown>): string =>
  message.startsWith("; ") ? message : "";
