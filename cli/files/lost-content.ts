import { parse as parseToml, TomlError } from "smol-toml";
import { formatPath, type Path } from "../../src/issues.ts";
import { JsonTextError, readJsonTree } from "../../src/json-tree.ts";

/**
 * Content of a settings file that the new text for it lacks. Only keys down to a depth count, so
 * that a changed value is not a loss.
 *
 * @returns what is lost, in words; undefined for nothing.
 */
export function lostContent(existing: string, text: string, depth: number): string | undefined {
  if (existing.trim() === "") return undefined;
  const before = parseSettings(existing);
  const after = parseSettings(text);
  if (before && after) {
    const path = missingKey(before, after, depth, []);
    return path && `content that would be lost (${formatPath(path)})`;
  }
  // The first line, such as a heading, identifies texts that are not settings.
  const isOlderText = !before && !after && firstLine(existing) === firstLine(text);
  return isOlderText ? undefined : "something else";
}

type Settings = Readonly<Record<string, unknown>>;

function parseSettings(text: string): Settings | undefined {
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

const isSettings = (value: unknown): value is Settings =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function missingKey(
  before: Settings,
  after: Settings,
  depth: number,
  path: Path,
): Path | undefined {
  for (const [key, value] of Object.entries(before)) {
    const keyPath = [...path, key];
    if (!Object.hasOwn(after, key)) return keyPath;
    const next = after[key];
    if (depth === 1 || !isSettings(value)) continue;
    const missing = isSettings(next) ? missingKey(value, next, depth - 1, keyPath) : keyPath;
    if (missing) return missing;
  }
  return undefined;
}

const firstLine = (text: string): string | undefined => text.split("\n", 1)[0];
