/** A value that the user of a server gives. */
export interface ServerInput {
  /** The variable that the config refers to, `${NAME}`. */
  readonly name: string;
  readonly description?: string;
  readonly secret: boolean;
  readonly choices?: readonly string[];
  /** The value itself, for clients that cannot refer to a variable. */
  readonly value?: string;
}

/** By their names. */
export type ServerInputs = ReadonlyMap<string, ServerInput>;

/** The id of VS Code's prompt for a value, of characters that Visual Studio accepts: both read the same files. */
export const promptId = (server: string, name: string): string =>
  `${server}_${name}`.toLowerCase().replace(/[^a-z0-9_]/g, "_");
