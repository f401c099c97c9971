import * as v from "valibot";
import { closedObject } from "../../../schemas/common.ts";
import { Findings } from "../../findings.ts";
import { InvalidInputError, validate } from "../../issues.ts";
import { skipComments } from "../../json-tree.ts";
import { JSONC } from "../client-definition.ts";
import { type McpFindings, mcpFindings, reject } from "../config-findings.ts";
import { type ConfigValues, isObjectOrArray, jsonInOrder } from "../json-values.ts";
import { describeMaskedServer, maskLine } from "../mask-secrets.ts";
import { extractJsonConfig, parseServerCommand, splitAddCommands } from "../parse-command-line.ts";
import {
  ConfigFileError,
  type FoundServer,
  findServers,
  parseJsonConfig,
  parseTomlConfig,
} from "./find-servers.ts";
import { parseServersOfLinks } from "./install-links.ts";
import {
  attempt,
  formatServers,
  type ParsedMcpConfig,
  parseFoundServers,
  type RawMcpConfig,
} from "./parse-found-servers.ts";

/**
 * Reads any client's config: a whole file, an entry, a code block of a README, or a shell command that
 * adds a server. References become `${NAME}`, and a bridge becomes the remote server behind it.
 *
 * @param options `block`: which of a README's blocks with different servers, from 1.
 * @throws {InvalidInputError} if the text is neither JSON nor TOML, contains no server, or is a README
 * with several such blocks and none is chosen.
 *
 * @example
 * parseMcpConfig('{ "mcpServers": { "files": { "command": "npx", "args": ["-y", "files"] } } }');
 * // servers: [{ input: { name: "files", command: "npx", args: ["-y", "files"] }, transport: "stdio" … }]
 */
export function parseMcpConfig(
  text: string,
  options: { readonly block?: number | undefined } = {},
): ParsedMcpConfig {
  validate(v.string(), text);
  const { block } = validate(ParseOptionsSchema, options, ["options"]);
  return formatServers(chooseConfigBlock(text, block));
}

export function chooseConfigBlock(text: string, block?: number): RawMcpConfig {
  const blocks = readConfigBlocks(text);
  const chosen = blocks[(block ?? (blocks.length === 1 ? 1 : 0)) - 1];
  if (chosen) {
    const { servers, left_out, warnings } = chosen;
    return { servers, left_out, warnings };
  }
  const known = blocks.map((config) => ({ line: config.line, servers: describeServers(config) }));
  return reject("block-not-chosen", { blocks: known });
}

const ParseOptionsSchema = closedObject({ block: v.optional(v.pipe(v.number(), v.integer())) });

/** Describes all servers, including skipped ones. */
const describeServers = ({ servers, left_out }: RawMcpConfig): string[] => [
  ...servers.map(({ input }) => describeMaskedServer(input)),
  ...left_out.map(({ name }) => name),
];

/** A config, and the line where it begins. */
export interface ConfigBlock extends RawMcpConfig {
  readonly line: number;
}

/**
 * Reads the whole text as a config, or else the different configs in a README's code blocks.
 *
 * @throws {InvalidInputError} if neither the text nor a block contains servers.
 */
export function readConfigBlocks(text: string): readonly ConfigBlock[] {
  const pasted = removeCodeFences(text);
  const whole = attempt(() => parseConfigText(pasted));
  if (!(whole instanceof InvalidInputError)) return [{ line: 1, ...whole }];
  const blocks = new Map<string, ConfigBlock>();
  let broken: InvalidInputError | undefined;
  let line = 1;
  let counted = 0;
  for (const { 0: fenced, 2: code = "", index } of text.matchAll(CODE_BLOCK)) {
    const config = attempt(() => parseConfigText(code.trim()));
    const parsedBlock =
      config instanceof InvalidInputError ? attempt(() => parseAddCommands(code)) : config;
    const start = index + fenced.indexOf(code);
    line += text.slice(counted, start).split("\n").length - 1;
    counted = start;
    if (!parsedBlock || parsedBlock instanceof InvalidInputError) {
      broken ??= /^\s*(?:>\s*)?\{/.test(code) ? findBlockProblem(code, line) : undefined;
      continue;
    }
    const different = parsedBlock.servers.map(({ input, transport }) => [input, transport]);
    const key = jsonInOrder([different, parsedBlock.left_out]);
    if (!blocks.has(key)) blocks.set(key, { line, ...parsedBlock });
  }
  if (blocks.size > 0) return [...blocks.values()];
  const lines = parseAddCommands(pasted) ?? parseInstallLinks(pasted);
  if (!lines && broken) throw broken;
  // Text with code blocks is neither JSON nor TOML.
  const [first = ""] = text.split(/^[ \t]*(?:```|~~~)/m, 1);
  if (!lines && first !== text && first.trim() !== "") reject("no-config");
  if (!lines) throw whole;
  return [{ line: 1, ...lines }];
}

/**
 * Reads the servers of a client's config, or of all blocks in a README. Returns undefined
 * otherwise.
 *
 * @throws {InvalidInputError} if no client accepts any of the servers.
 */
export function readAnyConfig(text: string): RawMcpConfig | undefined {
  const blocks = attempt(() => readConfigBlocks(text));
  if (blocks instanceof InvalidInputError) {
    // The JSON reader reports syntax errors, with their location.
    if (/^[\s\ufeff]*(?:[{"/]|\[\s*[[{"\]]|$)/.test(text)) return undefined;
    throw blocks;
  }
  const filled = blocks.filter(({ servers }) => servers.length > 0);
  const configs = filled.length > 0 ? filled : blocks;
  const left_out = configs.flatMap((config) => config.left_out);
  if (filled.length === 0) reject("no-accepted-server", { left_out });
  return {
    servers: configs.flatMap(({ servers }) => servers),
    left_out,
    warnings: configs.flatMap(({ warnings }) => warnings),
  };
}

/** Explains why a JSON block cannot be read, with line numbers of the whole text. */
function findBlockProblem(code: string, line: number): InvalidInputError | undefined {
  const config = attempt(() => parseConfigText("\n".repeat(line - 1) + code.trimEnd()));
  return config instanceof InvalidInputError ? config : undefined;
}

function parseInstallLinks(text: string): RawMcpConfig | undefined {
  const found = parseServersOfLinks(text);
  return found.length > 0 ? parseFoundServers(found) : undefined;
}

const removeCodeFences = (text: string): string =>
  text
    .replace(/^\ufeff/, "")
    .replace(/^[ \t]*(?:```|~~~)[^\n]*$/gm, "")
    .trim();

const CODE_BLOCK = /^[ \t]*(```|~~~)[^\n]*\n(.*?)^[ \t]*\1/gms;

const parseConfigText = (text: string): RawMcpConfig =>
  parseFoundServers(parseServersOfConfig(text));

const parseServersOfConfig = (text: string): readonly FoundServer[] =>
  findServers(parseAny(text)) ?? reject("no-servers");

/** Reads the servers of shell commands that add one. Returns undefined if there are none. */
function parseAddCommands(text: string): RawMcpConfig | undefined {
  if (/^\s*[{[]/.test(text)) return undefined;
  const { adding, others } = splitAddCommands(text);
  if (adding.length === 0) return undefined;
  const findings: McpFindings = new Findings(mcpFindings);
  const parsedLines = adding.map((line) => attempt(() => parseServersOfLine(line)));
  const found = parsedLines.flatMap((servers) =>
    servers instanceof InvalidInputError ? [] : servers,
  );
  const [failed] = parsedLines.filter((servers) => servers instanceof InvalidInputError);
  if (failed && found.length === 0) throw failed;
  const lines = [
    ...adding.filter((_, index) => parsedLines[index] instanceof InvalidInputError),
    ...others,
  ];
  if (lines.length > 0) findings.add("left-out/lines", { lines: lines.map(maskLine) });
  return parseFoundServers(found, undefined, findings);
}

function parseServersOfLine(line: string): readonly FoundServer[] {
  const json = extractJsonConfig(line);
  if (json !== undefined) return parseServersOfConfig(json);
  const added = parseServerCommand(line);
  if (!added?.isNamed) return reject("no-config");
  const { name, ...entry } = added.input;
  const { transport, left_out } = added;
  return [
    { name, entry: { ...entry, ...left_out, ...(transport && { transport }) }, path: [name] },
  ];
}

/** Parses TOML, or JSON that may lack its outer braces. */
function parseAny(text: string): ConfigValues {
  if (text === "") reject("empty");
  const start = text.slice(skipComments(text)).trimStart();
  if (/^>\s*[{"]/.test(start)) reject("quoted");
  // A member without its object, or a list of servers.
  const around = start.startsWith('"') ? "{" : /^\[\s*\{/.test(start) ? '{"mcpServers":' : "";
  try {
    if (!start.startsWith("{") && around === "") {
      if (LOOKS_LIKE_YAML.test(text)) reject("yaml");
      if (!LOOKS_LIKE_TOML.test(text)) reject("no-config");
      return parseTomlConfig(text);
    }
    const whole = around === "" ? text : `${around}${text}}`;
    const { value } = parseJsonConfig(whole, JSONC, around.length);
    return isObjectOrArray(value) ? value : {};
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    return reject("not-parsed", { problem: error.message });
  }
}

/** A YAML map of servers, with a key or an item on the next line. */
const LOOKS_LIKE_YAML =
  /^[ \t]*(?:mcp[_-]?servers|servers|mcp|extensions):[ \t]*(?:#.*)?\r?\n\s+(?:- )?[\w-]+:/im;

/** A table header, or a key with a value. */
const LOOKS_LIKE_TOML = /^[ \t]*(?:\[.+\][ \t]*(?:#.*)?$|[\w."'-]+[ \t]*=)/m;
