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

/** Inputs by their names. */
export type Inputs = ReadonlyMap<string, ServerInput>;

export const inputsByName = (inputs: readonly ServerInput[]): Inputs =>
  new Map(inputs.map((input) => [input.name, input]));

/** The id of an input in VS Code's files, which share them: of characters that Visual Studio accepts. */
export const inputId = (server: string, name: string): string =>
  `${server}_${name}`.toLowerCase().replace(/[^a-z0-9_]/g, "_");
