import { JsonTextError, readJsonTree } from "../../src/json-tree.ts";
import { UsageError } from "../errors.ts";
import { positionAt } from "./positions.ts";

/**
 * Parses JSON that may have comments and trailing commas.
 *
 * @param name what to call the text in messages.
 * @throws {UsageError} with the place, also for a key given twice, for no text and for XML.
 */
export function parseJsonText(text: string, name: string): unknown {
  const file = { file: name };
  if (text.trim() === "") throw new UsageError([{ place: file, text: "is empty" }]);
  if (/^\uFEFF?\s*</.test(text)) {
    throw new UsageError([{ place: file, text: "is XML or a web page, and not JSON" }]);
  }
  try {
    return readJsonTree(text).value;
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const place = { ...file, ...positionAt(text, error.offset) };
    throw new UsageError([{ place, text: error.message }]);
  }
}
