import type { Node } from "jsonc-parser";
import type { Client } from "../../../schemas/mcp-config.ts";
import type { JsonTree } from "../../../src/json-tree.ts";
import { clientDefinitions } from "../../../src/mcp-config/clients/client-definitions.ts";
import { maskSecrets } from "../../../src/mcp-config/mask-secrets.ts";
import {
  clientServers,
  parseConfig,
  parseJson,
  parseToml,
} from "../../../src/mcp-config/read/config-file.ts";
import { isObjectOrArray, sameValue } from "../../../src/mcp-config/values.ts";
import { commonLines } from "../../output.ts";
import { type Literal, scanToml } from "./scan-toml.ts";

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

/** The text with `***` in place of secrets, and as many lines as before. */
function maskedText(text: string, client: Client): string {
  const { format } = clientDefinitions[client];
  let shown = "";
  let end = 0;
  for (const { offset, length, mask } of format === "toml"
    ? tomlMasks(text)
    : jsonMasks(parseJson(text, clientDefinitions[client].dialect))) {
    const lines = text.slice(offset, offset + length).split("\n").length;
    shown += text.slice(end, offset) + mask + `\n${WITHIN_SECRET}`.repeat(lines - 1);
    end = offset + length;
  }
  return shown + text.slice(end);
}

/** Marks the further lines of a secret. */
const WITHIN_SECRET = "\0";

/** A value that holds a secret, and how it is shown. */
interface Mask extends Literal {
  readonly mask: string;
}

const jsonMasks = ({ node, value }: JsonTree): Mask[] => masksOfNode(node, maskSecrets(value));

function masksOfNode(node: Node, shown: unknown): Mask[] {
  const { type, offset, length, value, children = [] } = node;
  if (type === "array") {
    return children.flatMap((child, index) => masksOfNode(child, Object(shown)[index]));
  }
  if (type === "object") {
    return children.flatMap(({ children: [key, member] = [] }) =>
      member ? masksOfNode(member, Object(shown)[key?.value]) : [],
    );
  }
  return value === shown ? [] : [{ offset, length, mask: JSON.stringify(shown) }];
}

/** The parser of TOML keeps no places, so it parses the text again with a number for each value. */
function tomlMasks(text: string): Mask[] {
  const { values } = scanToml(text);
  let numbered = "";
  let end = 0;
  for (const [index, { offset, length }] of values.entries()) {
    numbered += `${text.slice(end, offset)}"${index}"`;
    end = offset + length;
  }
  const value = parseToml(text);
  const masks = masksOfValue(
    value,
    maskSecrets(value),
    parseToml(numbered + text.slice(end)),
    values,
  );
  // A table may stand in several parts of the file, with others between them.
  return masks.sort((a, b) => a.offset - b.offset);
}

function masksOfValue(
  value: unknown,
  shown: unknown,
  numbers: unknown,
  values: readonly Literal[],
): Mask[] {
  if (value === shown) return [];
  if (isObjectOrArray(value)) {
    return Object.keys(value).flatMap((key) =>
      masksOfValue(value[key], Object(shown)[key], Object(numbers)[key], values),
    );
  }
  const literal = values[Number(numbers)];
  if (!literal) throw new TypeError("The text has a value that was not found");
  return [{ ...literal, mask: JSON.stringify(shown) }];
}
