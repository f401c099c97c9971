import * as v from "valibot";
import { StartFailure } from "./start-failure.ts";

/**
 * Reads variables of the environment; an empty one counts as none. Values are never shown, since
 * some are secrets.
 *
 * @throws {StartFailure} with each variable that is wrong and what is wanted there.
 */
export function readVariables<Schema extends v.GenericSchema>(
  schema: Schema,
  environment: Readonly<Record<string, string | undefined>>,
): v.InferOutput<Schema> {
  const given = Object.entries(environment).filter(([, value]) => value !== "");
  const parsed = v.safeParse(schema, Object.fromEntries(given), { abortPipeEarly: true });
  if (parsed.success) return parsed.output;
  throw new StartFailure(
    2,
    parsed.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`),
  );
}
