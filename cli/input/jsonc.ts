import { JsonTextError, readJsonTree } from "../../src/json-tree.ts";
import { UsageError } from "../errors.ts";

/**
 * Parses JSON that may have comments and trailing commas.
 *
 * @param name what to call the text in messages.
 * @throws {UsageError} with "name:line:column: reason", also for a key given twice, or for no text.
 */
export function parseJsonText(text: string, name: string): unknown {
  if (text.trim() === "") throw new UsageError([`${name}: is empty`]);
  try {
    return readJsonTree(text).value;
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw new UsageError([`${name}:${position(text, error.offset)}: ${error.message}`]);
  }
}

/** Line and column as editors count them, from 1. */
function position(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
}
