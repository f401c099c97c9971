import type { Word } from "./bash.ts";
import { type Server, valuesOf } from "./server.ts";

/** "author" is not "auth", "authorization" is. */
const SECRET = /key|token|secret|passw|passphrase|pwd|credential|cookie|auth(?!or(?!i))/i;

/** Whether a variable, header or query parameter of this name is likely to hold a secret. */
export const looksSecret = (name: string): boolean => SECRET.test(name);

/** The names in the server's environment or headers that look secret. */
export const secretNames = (server: Server): string[] =>
  Object.keys(valuesOf(server)).filter(looksSecret);

/** The variable that stands for a header's value: `MCP_HEADER_X_API_KEY` for `X-Api-Key`. */
export const headerVariable = (header: string): string =>
  `MCP_HEADER_${header.toUpperCase().replaceAll("-", "_")}`;

/** A word of a command line that ends in a value; a secret one is left to a shell variable. */
export const secretWord = (prefix: string, name: string, value: string, variable = name): Word =>
  looksSecret(name) ? { prefix, variable } : prefix + value;
