import written from "./generated/variables.json" with { type: "json" };

/** An environment variable of the server. */
export interface Variable {
  readonly name: string;
  readonly meaning: string;
  readonly default?: string;
  /** The meaning of an unset variable without a default. */
  readonly unset?: string;
}

/**
 * Every environment variable of the server, in the order of the documentation. `npm run golden`
 * writes them from the schemas of the configuration, so that the help needs no server.
 */
export const variables: readonly Variable[] = written;

/** The help text of a variable: its meaning and its default. */
export function variableHelp({ meaning, default: value, unset }: Variable): string {
  if (value !== undefined) return `${meaning} Default: ${value}.`;
  return unset === undefined ? meaning : `${meaning} Not set: ${unset}.`;
}
