import { JsonTextError, readJsonTree } from "../../src/json-tree.ts";
import { UsageError } from "../errors.ts";
import { positionAt } from "./positions.ts";

/**
 * Parses JSON that may have comments and trailing commas.
 *
 * @param name what to call the text in messages.
 * @throws {UsageError} with the place, also for a key given twice, or for no text.
 */
export function parseJsonText(text: string, name: string): unknown {
  if (text.trim() === "") throw new UsageError([{ place: { file: name }, text: "is empty" }]);
  try {
    return readJsonTree(text).value;
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const place = { file: name, ...positionAt(text, error.offset) };
    throw new UsageError([{ place, text: error.message }]);
  }
}
