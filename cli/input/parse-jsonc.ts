import { findNodeAtLocation, type Node } from "jsonc-parser";
import { JsonTextError, parseJsonTree } from "../../src/json-tree.ts";
import { UsageError } from "../cli-error.ts";

/**
 * Parses JSON that may have comments and trailing commas.
 *
 * @param name what to call the text in messages.
 * @throws {UsageError} with the place, also for a key given twice and for no text.
 */
export function parseJsonText(text: string, name: string): unknown {
  const file = { file: name };
  if (text.trim() === "") throw new UsageError([{ place: file, text: "is empty" }]);
  try {
    return parseJsonTree(text).value;
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const place = { ...file, ...positionAt(text, error.offset) };
    throw new UsageError([{ place, text: error.message }]);
  }
}

/** Line and column, as editors count them, from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

function positionAt(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

/**
 * The position of a value in a JSON text, or of the nearest one around it that is there.
 *
 * @param path such as `filters[1].from[0]`.
 */
export function findPosition(text: string, path: string): Position {
  const keys = Array.from(path.matchAll(PATH_KEY), ([, index, quoted, name]) =>
    index === undefined ? (name ?? String(JSON.parse(quoted ?? '""'))) : Number(index),
  );
  const root = parseOnce(text);
  for (;;) {
    const node = root && findNodeAtLocation(root, keys);
    if (node || keys.length === 0) return positionAt(text, node?.offset ?? 0);
    keys.pop();
  }
}

/** An index, a name in quotes, or a name. */
const PATH_KEY = /\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([\w$]+)/g;

const trees = new Map<string, Node | undefined>();

function parseOnce(text: string): Node | undefined {
  if (!trees.has(text)) trees.set(text, parseUnlessTooDeep(text));
  return trees.get(text);
}

/** Undefined for a text that is nested too deeply. */
function parseUnlessTooDeep(text: string): Node | undefined {
  try {
    return parseJsonTree(text).node;
  } catch (error) {
    if (error instanceof JsonTextError) return undefined;
    throw error;
  }
}
