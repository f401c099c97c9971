import { formatPath } from "../../src/issues.ts";
import { JSONC } from "../../src/mcp-config/client-definition.ts";
import { type ConfigValues, isPlainObject } from "../../src/mcp-config/json-values.ts";
import {
  ConfigFileError,
  findServers,
  parseJsonConfig,
  parseTomlConfig,
} from "../../src/mcp-config/parse/find-servers.ts";

/**
 * Describes the first server or setting that the new text would lose. Undefined if there is none.
 * Ignores deeper members, so that a changed value is not a loss.
 */
export function describeLostContent(existing: string, text: string): string | undefined {
  if (existing.trim() === "") return undefined;
  const before = parseSettings(existing);
  const after = parseSettings(text);
  if (!before || !after) {
    // If the text is not settings, its first line, such as a heading, identifies it.
    const [one, other] = [existing, text].map((part) => part.split("\n", 1)[0]);
    return before === after && one === other ? undefined : "something else";
  }
  const kept = listContent(after);
  const lost = listContent(before).find((path) => !kept.includes(path));
  return lost && `content that would be lost (${lost})`;
}

function parseSettings(text: string): ConfigValues | undefined {
  for (const parse of [
    () => Object(parseJsonConfig(text, JSONC).value),
    () => parseTomlConfig(text),
  ]) {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof ConfigFileError)) throw error;
    }
  }
  return undefined;
}

/** The paths of the servers, and of keys on the first two levels. */
const listContent = (settings: ConfigValues): readonly string[] => [
  ...Object.entries(settings).flatMap(([key, value]) => [
    formatPath([key]),
    ...(isPlainObject(value) ? Object.keys(value).map((inner) => formatPath([key, inner])) : []),
  ]),
  ...(findServers(settings) ?? []).map(({ path }) => formatPath(path)),
];
