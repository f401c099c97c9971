import { parse as parseToml, TomlError } from "smol-toml";
import { pathTo } from "../../src/issues.ts";
import { JsonTextError, readJsonTree } from "../../src/json-tree.ts";

/**
 * Content of a settings file that the new text for it lacks: keys, and keys of these. Deeper ones do
 * not count, so that a changed value is not a loss.
 *
 * @returns what is lost, in words; undefined for nothing.
 */
export function lostContent(existing: string, text: string): string | undefined {
  if (existing.trim() === "") return undefined;
  const before = parseSettings(existing);
  const after = parseSettings(text);
  if (!before || !after) {
    // The first line, such as a heading, identifies texts that are not settings.
    const isOlderText = before === after && firstLine(existing) === firstLine(text);
    return isOlderText ? undefined : "something else";
  }
  const kept = keyPaths(after);
  const lost = keyPaths(before).find((path) => !kept.includes(path));
  return lost && `content that would be lost (${lost})`;
}

function parseSettings(text: string): object | undefined {
  try {
    const { value } = readJsonTree(text);
    return isSettings(value) ? value : undefined;
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
  }
  try {
    return parseToml(text);
  } catch (error) {
    // The parser is recursive; settings are never nested that deeply.
    if (error instanceof TomlError || error instanceof RangeError) return undefined;
    throw error;
  }
}

const isSettings = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const keyPaths = (settings: object): readonly string[] =>
  Object.entries(settings).flatMap(([key, value]) => [
    pathTo("", key),
    ...Object.keys(isSettings(value) ? value : {}).map((inner) => pathTo(pathTo("", key), inner)),
  ]);

const firstLine = (text: string): string | undefined => text.split("\n", 1)[0];
