import { findNodeAtLocation, type Node } from "jsonc-parser";
import type { Path } from "../../src/issues.ts";
import { JsonTextError, parseJsonTree } from "../../src/json-tree.ts";
import { UsageError } from "../cli-error.ts";

/**
 * Parses JSON with comments and trailing commas.
 *
 * @param name of the file, for messages.
 * @throws {UsageError} with the location, also for a duplicate key and an empty file.
 */
export function parseJsonc(text: string, name: string): unknown {
  const file = { file: name };
  if (text.trim() === "") throw new UsageError([{ location: file, text: "is empty" }]);
  try {
    return parseJsonTree(text).value;
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const location = { ...file, ...positionAt(text, error.offset) };
    throw new UsageError([{ location, text: error.message }]);
  }
}

/** From 1, as in editors. */
interface Position {
  readonly line: number;
  readonly column: number;
}

function positionAt(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

/** Finds the position of a value in JSON, or of the nearest existing parent. */
export function findPosition(text: string, path: Path): Position {
  const keys = [...path];
  const root = parseOnce(text);
  for (;;) {
    const node = root && findNodeAtLocation(root, keys);
    if (node || keys.length === 0) return positionAt(text, node?.offset ?? 0);
    keys.pop();
  }
}

const trees = new Map<string, Node | undefined>();

function parseOnce(text: string): Node | undefined {
  if (!trees.has(text)) trees.set(text, parseUnlessTooDeep(text));
  return trees.get(text);
}

function parseUnlessTooDeep(text: string): Node | undefined {
  try {
    return parseJsonTree(text).node;
  } catch (error) {
    if (error instanceof JsonTextError) return undefined;
    throw error;
  }
}
