import * as v from "valibot";
import { closedObject } from "../../schemas/common.ts";

/** A value that the user of a server gives. */
export interface ServerInput {
  /** The variable that the config refers to, `${NAME}`. */
  readonly name: string;
  readonly description?: string | undefined;
  readonly secret: boolean;
  readonly choices?: readonly string[] | undefined;
  /** The value itself, for clients that cannot refer to a variable. */
  readonly value?: string | undefined;
}

export const serverInputSchema: v.GenericSchema<ServerInput> = closedObject({
  name: v.string(),
  description: v.optional(v.string()),
  secret: v.boolean(),
  choices: v.optional(v.pipe(v.array(v.string()), v.readonly())),
  value: v.optional(v.string()),
});

/** By their names. */
export type ServerInputs = ReadonlyMap<string, ServerInput>;

/** The id of VS Code's prompt for a value, of characters that Visual Studio accepts: both read the same files. */
export const promptId = (server: string, name: string): string =>
  `${server}_${name}`.toLowerCase().replace(/[^a-z0-9_]/g, "_");
