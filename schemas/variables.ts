import written from "./generated/variables.json" with { type: "json" };

/** An environment variable of the server. */
export interface Variable {
  readonly name: string;
  readonly meaning: string;
  readonly default?: string;
  /** The effect if the variable is not set and has no default. */
  readonly unset?: string;
}

/**
 * All environment variables of the server, in the order of the documentation. `npm run golden` generates
 * the file from the configuration's schemas, so that the help need not load the server.
 */
export const variables: readonly Variable[] = written;

export function variableHelp({ meaning, default: value, unset }: Variable): string {
  if (value !== undefined) return `${meaning} Default: ${value}.`;
  return unset === undefined ? meaning : `${meaning} Not set: ${unset}.`;
}
