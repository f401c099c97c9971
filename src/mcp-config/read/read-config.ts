import { usableName } from "../../../schemas/common.ts";
import {
  type McpConfigInput,
  type McpConfigResult,
  mcpConfigContract,
} from "../../../schemas/mcp-config.ts";
import { Diagnostics, InvalidInputError, issueAt } from "../../issues.ts";
import { validate } from "../../validate.ts";
import { fromBridge } from "../bridge.ts";
import {
  ConfigFileError,
  type ConfigValues,
  type FoundServer,
  findServers,
  parseJson,
  parseToml,
} from "../config-file.ts";
import { type ServerDiagnostics, toServer } from "../server.ts";
import { isObject } from "../values.ts";
import { readEntry } from "./read-entry.ts";

/** The servers of a config. */
export interface ReadMcpConfig {
  /** Inputs that give the servers again. */
  readonly servers: McpConfigInput[];
  readonly left_out: { readonly name: string; readonly reason: string }[];
  readonly warnings: McpConfigResult["warnings"];
}

/**
 * Reads the config of any client: a whole file, one entry, or a README, of which the first block
 * with servers counts. References become `${NAME}`, and a bridge becomes the remote server behind it.
 *
 * @throws {InvalidInputError} for a text that is neither JSON nor TOML, or that has no server.
 *
 * @example
 * readMcpConfig('{ "mcpServers": { "files": { "command": "npx", "args": ["-y", "files"] } } }');
 * // servers: [{ name: "files", command: "npx", args: ["-y", "files"] }]
 */
export function readMcpConfig(text: string): ReadMcpConfig {
  const found = requireServers(text);
  const diagnostics: ServerDiagnostics = Diagnostics.start();
  const servers: McpConfigInput[] = [];
  const left_out: { name: string; reason: string }[] = [];
  for (const { path, name, entry } of found) {
    const at = diagnostics.at(...path);
    try {
      servers.push(readServer(name, entry, at));
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      left_out.push({ name, reason: error.message });
      at.warn("server-left-out", `was left out: ${error.message}`);
    }
  }
  return { servers, left_out, warnings: [...diagnostics.warnings] };
}

function readServer(name: string, entry: unknown, diagnostics: ServerDiagnostics): McpConfigInput {
  const usable = /^[\w-]{1,64}$/.test(name) ? name : (usableName(name) ?? "server");
  const input = { name: usable, ...fromBridge(readEntry(entry, diagnostics)) };
  const valid = validate(mcpConfigContract.input, input);
  // Throws for what no client accepts.
  toServer(valid, Diagnostics.start());
  if (usable !== name) {
    const message = `has a name that not every client accepts, and was renamed to ${usable}`;
    diagnostics.warn("name-changed", message);
  }
  return valid;
}

/** @throws {InvalidInputError} when neither the text nor a code block of it has servers. */
function requireServers(text: string): readonly FoundServer[] {
  const found = serversOf(text);
  if (!(found instanceof InvalidInputError)) return found;
  for (const block of codeBlocks(text)) {
    const inBlock = serversOf(block);
    if (!(inBlock instanceof InvalidInputError)) return inBlock;
  }
  throw found;
}

/** The texts between the fences of a Markdown page. */
const codeBlocks = (page: string): readonly string[] =>
  Array.from(page.matchAll(/^[ \t]*(```|~~~)[^\n]*\n(.*?)^[ \t]*\1/gms), ([, , code = ""]) => code);

/** The servers of a text, or why there are none. */
function serversOf(text: string): readonly FoundServer[] | InvalidInputError {
  try {
    return (
      findServers(parseAny(text)) ??
      unreadable('has no servers, as in { "mcpServers": { "name": { … } } }')
    );
  } catch (error) {
    if (error instanceof InvalidInputError) return error;
    throw error;
  }
}

/** Parses JSON, also without its outer braces, or TOML, also in a Markdown fence. */
function parseAny(pasted: string): ConfigValues {
  const text = pasted
    .replace(/^\ufeff/, "")
    .replace(/^[ \t]*(?:```|~~~)[^\n]*$/gm, "")
    .trim();
  if (text === "") throw unreadable("is empty");
  const [, start] = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*([{"])/.exec(text) ?? [];
  try {
    if (start === undefined) return parseToml(text);
    const { value } = parseJson(start === "{" ? text : `{${text}}`, "jsonc");
    return isObject(value) ? value : {};
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    throw unreadable(error.message);
  }
}

const unreadable = (message: string): InvalidInputError =>
  new InvalidInputError([issueAt([], message)]);
