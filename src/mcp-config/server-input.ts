import * as v from "valibot";
import { closedObject } from "../../schemas/common.ts";

export const serverInputSchema = closedObject({
  name: v.string(),
  description: v.optional(v.string()),
  secret: v.boolean(),
  choices: v.optional(v.pipe(v.array(v.string()), v.readonly())),
  value: v.optional(v.string()),
});

/**
 * A value that the user of a server gives: `name` is the variable that the config refers to, `${NAME}`,
 * and `value` the value itself, for clients that cannot refer to a variable.
 */
export type ServerInput = Readonly<v.InferOutput<typeof serverInputSchema>>;

/** By their names. */
export type ServerInputs = ReadonlyMap<string, ServerInput>;

/** The id of VS Code's prompt for a value, of characters that Visual Studio accepts: both read the same files. */
export const promptId = (server: string, name: string): string =>
  `${server}_${name}`.toLowerCase().replace(/[^a-z0-9_]/g, "_");
