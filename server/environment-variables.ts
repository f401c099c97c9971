import { readFileSync, statSync } from "node:fs";
import * as v from "valibot";
import { OperatorError } from "./operator-error.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Parses environment variables; an empty one counts as unset. Errors never show a value, because some
 * are secrets.
 *
 * @throws {OperatorError} with each wrong variable and what it must be.
 */
export function readVariables<Schema extends v.GenericSchema>(
  schema: Schema,
  environment: Environment,
): v.InferOutput<Schema> {
  const given = Object.entries(environment).filter(([, value]) => value !== "");
  const parsed = v.safeParse(schema, Object.fromEntries(given), { abortPipeEarly: true });
  if (parsed.success) return parsed.output;
  throw new OperatorError(
    2,
    parsed.issues.map((issue) => {
      const quoted = /^["']/.test(String(issue.input)) ? ", without quotes" : "";
      return `${v.getDotPath(issue)}: ${issue.message}${quoted}`;
    }),
  );
}

type VariableSchema = v.GenericSchema<string, unknown>;

/**
 * Defines a variable with its documentation.
 *
 * @param defaultText describes the default.
 */
export const optionalVariable = <Schema extends VariableSchema>(
  schema: Schema,
  meaning: string,
  defaultText?: string,
) => v.optional(v.pipe(schema, v.description(meaning), v.metadata({ unset: defaultText })));

export const withDefault = <Schema extends VariableSchema>(
  value: string,
  schema: Schema,
  meaning: string,
) => v.optional(v.pipe(schema, v.description(meaning)), value);

export const patternVariable = (pattern: RegExp, requirement: string) =>
  v.pipe(v.string(), v.regex(pattern, requirement));

export function integerVariable(
  min: number,
  max: number,
  requirement = `must be a whole number from ${min} to ${max}`,
) {
  return v.pipe(
    patternVariable(/^\d{1,9}$/, requirement),
    v.transform(Number),
    v.minValue(min, requirement),
    v.maxValue(max, requirement),
  );
}

export const onOff = v.pipe(
  v.picklist(["on", "1", "true", "off", "0", "false"], "must be on or off"),
  v.transform((value) => ["on", "1", "true"].includes(value)),
);

export const webUrl = v.pipe(
  v.string(),
  v.check(
    (url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ""),
    "must be an http or https URL",
  ),
);

/** Rejects pipes, which would wait, and devices, which may not end. */
export function readConfigFile(path: string): string {
  if (!statSync(path).isFile()) throw new Error("is not a file");
  return readFileSync(path, "utf8");
}
