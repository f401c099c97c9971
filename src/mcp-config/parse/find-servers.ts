import { parse, TomlError } from "smol-toml";
import type { Client, ClientLocation } from "../../../schemas/mcp-config.ts";
import { formatPath } from "../../issues.ts";
import {
  JsonTextError,
  type JsonTree,
  MAX_JSON_DEPTH,
  parseJsonTree,
  skipComments,
  TOO_DEEP,
} from "../../json-tree.ts";
import type { ClientDefinition, Dialect } from "../client-definition.ts";
import { clientDefinitions } from "../clients/all-clients.ts";
import { type ConfigValues, isObjectOrArray, isPlainObject } from "../json-values.ts";
import { flattenEntry, isEntry } from "./entry-fields.ts";

/** A client's file that the client cannot read, or that cannot be edited safely. */
export class ConfigFileError extends Error {
  override readonly name = "ConfigFileError";

  /** @param problem follows the file's name in the message. */
  constructor(problem: string, line?: number, column?: number) {
    const position = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
    super(line === undefined ? problem : `${problem} (${position})`);
  }
}

export interface FoundServer {
  readonly name: string;
  readonly entry: unknown;
  /** The keys of the server's entry. The last one is its name. */
  readonly path: readonly string[];
  /** The project's path, if the file covers several projects. */
  readonly project?: string;
}

export function dialectOf(client: Client, scope: Scope | undefined): Dialect {
  const { dialect = {}, projectDialect = dialect } = clientDefinitions[client];
  return scope === "project" ? projectDialect : dialect;
}

type Scope = ClientLocation["scope"];

/**
 * Parses a client's file. An empty file, or one with only comments, has no values.
 *
 * @throws {ConfigFileError} if the client could not read the file.
 */
export function parseConfig(text: string, client: Client, scope?: Scope): ConfigValues {
  const { format, title } = clientDefinitions[client];
  if (format === "toml") return parseTomlConfig(text);
  const dialect = dialectOf(client, scope);
  if (dialect.rejectsByteOrderMark && text.startsWith("\ufeff")) {
    throw new ConfigFileError(`must not begin with a byte order mark, which ${title} rejects`);
  }
  if (text.slice(dialect.comments ? skipComments(text) : 0).trim() === "") return {};
  const { value } = parseJsonConfig(text, dialect);
  return isObjectOrArray(value) ? value : {};
}

/**
 * Lists the servers in a client's parsed file.
 *
 * @throws {ConfigFileError} if they are not in an object.
 */
export function listClientServers(file: ConfigValues, client: Client): FoundServer[] {
  const definition = clientDefinitions[client];
  const { rootKey, file: { mayBeBare } = {} } = definition;
  const hasRoot = Object.hasOwn(file, rootKey);
  if (!hasRoot && mayBeBare) return findBareServers(file) ?? [];
  const servers = hasRoot ? file[rootKey] : {};
  if (!isPlainObject(servers)) {
    throw new ConfigFileError(`${formatPath([rootKey])} must be an object`);
  }
  return flattenEntries(listServersUnderRootKey(definition, servers), client);
}

const flattenEntries = (servers: readonly FoundServer[], client?: Client): FoundServer[] =>
  servers.map((server) => ({ ...server, entry: flattenEntry(server.entry, client) }));

/** Lists the servers of single projects in a client's parsed file. */
export function listProjectServers(file: ConfigValues, client: Client): FoundServer[] {
  const { rootKey, file: { projectsKey } = {} } = clientDefinitions[client];
  if (projectsKey === undefined) return [];
  return entriesOf(file[projectsKey]).flatMap(([project, settings]) =>
    entriesOf(Object(settings)[rootKey]).map(([name, entry]) => ({
      ...{ name, entry, project },
      path: [projectsKey, project, rootKey, name],
    })),
  );
}

/** Describes servers that stand under another client's key. */
export function describeMisplacedServers(file: ConfigValues, client: Client): string[] {
  const { rootKey, title } = clientDefinitions[client];
  const keys = CLIENTS_BY_LAYOUT.flatMap((layout) => {
    const servers = Object.hasOwn(file, layout.rootKey) ? file[layout.rootKey] : undefined;
    if (layout.rootKey === rootKey || !isPlainObject(servers)) return [];
    const found = listServersUnderRootKey(layout, servers);
    return found.some(({ entry }) => isEntry(entry)) ? [JSON.stringify(layout.rootKey)] : [];
  });
  return [...new Set(keys)].map(
    (key) =>
      `has servers under ${key}, which ${title} does not read; it reads ${JSON.stringify(rootKey)}`,
  );
}

const entriesOf = (value: unknown): [string, unknown][] =>
  isPlainObject(value) ? Object.entries(value) : [];

/** Finds the servers in any client's parsed file, or in part of one. */
export function findServers(file: ConfigValues): FoundServer[] | undefined {
  const inProjects = CLIENTS_BY_LAYOUT.flatMap(({ id }) => listProjectServers(file, id));
  const found = findServersOutsideProjects(file);
  if (!found && inProjects.length === 0) return undefined;
  return flattenEntries([...(found ?? []), ...inProjects]);
}

function findServersOutsideProjects(file: ConfigValues): FoundServer[] | undefined {
  for (const layout of CLIENTS_BY_LAYOUT) {
    const servers = Object.hasOwn(file, layout.rootKey) ? file[layout.rootKey] : undefined;
    if (Array.isArray(servers) && servers.every(isPlainObject)) return servers.map(toSingleServer);
    if (isPlainObject(servers)) return listServersUnderRootKey(layout, servers);
  }
  // VS Code and Amp settings may write a path as one key, `mcp.servers`.
  const dotted = Object.keys(file).find((key) =>
    CLIENTS_BY_LAYOUT.some(({ rootKey }) => key.endsWith(`.${rootKey}`)),
  );
  if (dotted !== undefined) {
    return entriesOf(file[dotted]).map(([name, entry]) => ({ name, entry, path: [dotted, name] }));
  }
  return isEntry(flattenEntry(file)) ? [toSingleServer(file)] : findBareServers(file);
}

/** Finds the servers in a file that is itself the object of servers. */
function findBareServers(file: ConfigValues): FoundServer[] | undefined {
  const entries = Object.entries(file);
  const isMapOfServers =
    entries.length > 0 && entries.every(([, entry]) => isEntry(flattenEntry(entry)));
  return isMapOfServers
    ? entries.map(([name, entry]) => ({ name, entry, path: [name] }))
    : undefined;
}

/** Clients by the location of their servers. `mcp` is last, as it also holds other settings. */
const CLIENTS_BY_LAYOUT = Object.values(clientDefinitions).sort(
  (one, other) =>
    Number(one.file?.innerKey !== undefined) - Number(other.file?.innerKey !== undefined),
);

/** Lists the servers under the root key. opencode nests them, next to settings. */
const listServersUnderRootKey = (
  { rootKey, file: { innerKey } = {} }: ClientDefinition,
  servers: ConfigValues,
): FoundServer[] =>
  Object.entries(servers).flatMap(([name, entry]) => {
    const server = { name, entry, path: [rootKey, name] };
    if (innerKey === undefined) return server;
    if (!isPlainObject(entry) || (name === "timeout" && !isEntry(entry))) return [];
    // A server may be named like the inner key.
    if (name !== innerKey || typeof entry.type === "string" || isEntry(entry)) return server;
    return Object.entries(entry).map(([inner, value]) => ({
      ...{ name: inner, entry: value },
      path: [rootKey, name, inner],
    }));
  });

/** Reads a file with a single entry. Our input and `code --add-mcp` store the name in `name`. */
function toSingleServer(file: ConfigValues): FoundServer {
  const { name, ...entry } = file;
  return typeof name === "string" && name !== ""
    ? { name, entry, path: [name] }
    : { name: "server", entry: file, path: ["server"] };
}

/**
 * @param prefixLength how many characters we put before the user's first line.
 * @throws {ConfigFileError} if the client cannot read the text as a JSON object.
 */
export function parseJsonConfig(text: string, dialect: Dialect = {}, prefixLength = 0): JsonTree {
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  try {
    const { comments = false, trailingCommas = false } = dialect;
    const tree = parseJsonTree(text, { comments, trailingCommas });
    if (tree.node.type === "object") return tree;
    throw new ConfigFileError("must be an object", lineAt(tree.node.offset));
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const { offset, syntaxError, message } = error;
    const line = lineAt(offset);
    if (syntaxError === undefined) throw new ConfigFileError(message, line);
    const column = offset - text.lastIndexOf("\n", offset - 1) - (line === 1 ? prefixLength : 0);
    throw new ConfigFileError(`is not JSON: ${explainSyntax(text, error)}`, line, column);
  }
}

/** Explains a JSON syntax error. Common mistakes have their own message. */
function explainSyntax(text: string, { offset, syntaxError, message }: JsonTextError): string {
  const found = text[offset] ?? "";
  // A string may begin with a straight quote and end with a curly one.
  const isOpen = syntaxError === "UnexpectedEndOfString";
  const quotes = isOpen ? text.slice(offset).split("\n", 1).join() : found;
  if (/[“”„‟‘’]/.test(quotes)) return "use straight quotes, not curly ones";
  if (found === "#") return "a comment that begins with # is not allowed; remove it, or write //";
  const isClosing = found === "}" || found === "]";
  if (isClosing && text.slice(0, offset).trimEnd().endsWith(","))
    return `remove the comma before this ${found}`;
  return syntaxError === "InvalidSymbol" ? "strings and keys need double quotes" : message;
}

/** @throws {ConfigFileError} for invalid TOML, or if it is nested too deeply. */
export function parseTomlConfig(text: string): ConfigValues {
  try {
    const options = { integersAsBigInt: true, maxDepth: MAX_JSON_DEPTH } as const;
    const file = parse(text.replace(/^\ufeff/, ""), options);
    // A single header can have any number of parts.
    let level: unknown[] = [file];
    for (let depth = 0; level.length > 0; depth += 1) {
      if (depth > MAX_JSON_DEPTH) throw new ConfigFileError(TOO_DEEP);
      level = level.flatMap((value) => (isObjectOrArray(value) ? Object.values(value) : []));
    }
    return file;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [firstLine = ""] = error.message.split("\n");
    if (firstLine.includes("excessively nested")) throw new ConfigFileError(TOO_DEEP, error.line);
    const reason = firstLine.replace("Invalid TOML document: ", "");
    throw new ConfigFileError(`is not TOML: ${reason}`, error.line, error.column);
  }
}
