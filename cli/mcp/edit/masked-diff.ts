import type { Node } from "jsonc-parser";
import type { Client } from "../../../schemas/mcp-config.ts";
import { clientDefinitions } from "../../../src/mcp-config/clients/client-definitions.ts";
import { maskSecrets } from "../../../src/mcp-config/mask-secrets.ts";
import {
  clientServers,
  parseConfig,
  parseJson,
  parseToml,
} from "../../../src/mcp-config/read/config-file.ts";
import { sameValue } from "../../../src/mcp-config/values.ts";
import { commonLines } from "../../output.ts";
import { writeValue } from "./edit-toml.ts";
import { keysOf, scanToml } from "./scan-toml.ts";

/** The lines that differ, those before with `- ` and those after with `+ `; secrets are `***`. */
export function maskedDiff(before: string, after: string, client: Client): string {
  const { start, end } = commonLines(splitLines(before), splitLines(after));
  const signed = (sign: string, text: string) => {
    const lines = splitLines(text.trim() === "" ? "" : maskedText(text, client));
    return lines
      .slice(start, lines.length - end)
      .filter((line) => line !== WITHIN_SECRET)
      .map((line) => `${sign} ${line.replace(WITHIN_SECRET, "")}`);
  };
  return [...signed("-", before), ...signed("+", after)].join("\n");
}

/** True for a client's file that is likely to hold a secret; with a name, for that server alone. */
export function hasSecret(text: string, client: Client, name?: string): boolean {
  const file = parseConfig(text, client);
  const part =
    name === undefined
      ? file
      : clientServers(file, client).filter((server) => server.name === name);
  return !sameValue(maskSecrets(part), part);
}

/** The lines of a text; a newline at the end begins none. */
const splitLines = (text: string): string[] =>
  text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);

/** Marks the further lines of a secret. */
const WITHIN_SECRET = "\0";

/** A value that holds a secret, and how it is shown. */
interface Mask {
  readonly start: number;
  readonly end: number;
  readonly shown: string;
}

/** The text with `***` in place of secrets, and as many lines as before. */
function maskedText(text: string, client: Client): string {
  const { format, dialect } = clientDefinitions[client];
  const masks = format === "toml" ? tomlMasks(text) : jsonMasks(text, dialect);
  return masks.reduceRight((rest, { start, end, shown }) => {
    const lines = rest.slice(start, end).split("\n").length;
    const written = shown + `\n${WITHIN_SECRET}`.repeat(lines - 1);
    return rest.slice(0, start) + written + rest.slice(end);
  }, text);
}

function jsonMasks(text: string, dialect: Parameters<typeof parseJson>[1]): Mask[] {
  const { node, value } = parseJson(text, dialect);
  const masks = ({ type, offset, length, value, children = [] }: Node, shown: unknown): Mask[] => {
    if (type === "array") {
      return children.flatMap((child, index) => masks(child, Object(shown)[index]));
    }
    if (type === "object") {
      return children.flatMap(({ children: [key, member] = [] }) =>
        member ? masks(member, Object(shown)[key?.value]) : [],
      );
    }
    if (value === shown) return [];
    return [{ start: offset, end: offset + length, shown: JSON.stringify(shown) }];
  };
  return masks(node, maskSecrets(value));
}

/** The parser of TOML keeps no places, so each statement is parsed below its header. */
function tomlMasks(text: string): Mask[] {
  return scanToml(text).flatMap((section) =>
    section.statements.flatMap(({ start, equals, end }) => {
      const header = `${text.slice(section.start, section.end)}\n`;
      const values = parseToml(header + text.slice(start, end));
      const masked = maskSecrets(values);
      if (sameValue(masked, values)) return [];
      const shown = keysOf(`${header}${text.slice(start, equals)} = 0`).reduce(
        (inner: unknown, key) => Object([inner].flat()[0])[key],
        masked,
      );
      return [{ start: equals + 1, end, shown: ` ${writeValue(shown)}` }];
    }),
  );
}
