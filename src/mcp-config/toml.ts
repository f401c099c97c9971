import { stringify } from "smol-toml";
import type { Entry } from "./entry.ts";
import { escapeInvisible } from "./invisible.ts";

/** TOML 1.0 in which invisible characters are written as `\uXXXX`; it ends with a newline. */
export const writeToml = (tables: Record<string, Record<string, Entry>>): string =>
  escapeInvisible(stringify(tables), escapeCodePoint);

function escapeCodePoint(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
}
