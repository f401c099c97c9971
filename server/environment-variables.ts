import { readFileSync, statSync } from "node:fs";
import * as v from "valibot";
import { OperatorError } from "./operator-error.ts";

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads environment variables; an empty one counts as unset. Messages never show a value, because
 * some are secrets.
 *
 * @throws {OperatorError} with each variable that is wrong and what it must be.
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
 * A variable with its meaning, for the documentation.
 *
 * @param unset the default in words.
 */
export const optionalVariable = <Schema extends VariableSchema>(
  schema: Schema,
  meaning: string,
  unset?: string,
) => v.optional(v.pipe(schema, v.description(meaning), v.metadata({ unset })));

export const withDefault = <Schema extends VariableSchema>(
  value: string,
  schema: Schema,
  meaning: string,
) => v.optional(v.pipe(schema, v.description(meaning)), value);

export const patternVariable = (pattern: RegExp, wanted: string) =>
  v.pipe(v.string(), v.regex(pattern, wanted));

export function integerVariable(
  min: number,
  max: number,
  wanted = `must be a whole number from ${min} to ${max}`,
) {
  return v.pipe(
    patternVariable(/^\d{1,9}$/, wanted),
    v.transform(Number),
    v.minValue(min, wanted),
    v.maxValue(max, wanted),
  );
}

export const onOff = v.pipe(
  v.picklist(["on", "1", "true", "off", "0", "false"], "must be on or off"),
  v.transform((value) => ["on", "1", "true"].includes(value)),
);

export const webUrl = v.pipe(
  v.string(),
  v.check(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""),
    "must be an http or https URL",
  ),
);

/** The text of a file that the configuration names: a pipe would wait, and a device has no end. */
export function readConfigFile(path: string): string {
  if (!statSync(path).isFile()) throw new Error("is not a file");
  return readFileSync(path, "utf8");
}
