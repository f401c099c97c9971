import {
  type McpConfigInput,
  resolveUrlVariables,
  type Transport,
  type ValidMcpConfigInput,
} from "../../schemas/mcp-config.ts";
import { Findings } from "../findings.ts";
import type { Path } from "../issues.ts";
import { type McpFindings, mcpFindings } from "./config-findings.ts";
import { isPlainObject } from "./json-values.ts";

export type UnnamedInput = Omit<McpConfigInput, "name">;

export type StringMap = Readonly<Record<string, string>>;

/** A value that the server's user provides. */
export interface ServerVariable {
  /** The variable in the reference `${NAME}`. */
  readonly name: string;
  readonly description?: string | undefined;
  readonly secret: boolean;
  readonly choices?: readonly string[] | undefined;
  /** The value, for clients that cannot refer to a variable. */
  readonly value?: string | undefined;
}

/** A server from a config or a server.json. */
export interface ParsedServer {
  /** The input that recreates the server, within the extended limits. */
  readonly input: ValidMcpConfigInput;
  /** An option of `createMcpConfig`, because the input has no field for it. */
  readonly transport: Transport;
  /** The folder that a local server starts in. Also an option of `createMcpConfig`. */
  readonly cwd?: string | undefined;
  /** Its path in the parsed file. The paths of its warnings begin with it. */
  readonly path: string;
}

/** A server whose path is not formatted yet. */
export interface RawServer extends Omit<ParsedServer, "path"> {
  readonly path: Path;
}

export type VariableValues = ReadonlyMap<string, ServerVariable>;

export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** A program that the client starts. They communicate over standard input and output. */
export interface StdioServer extends CommandLine {
  readonly transport: "stdio";
  readonly name: string;
  readonly env: StringMap;
  /** The folder that it starts in. Default: the client's. */
  readonly cwd?: string | undefined;
}

/** A server that uses Streamable HTTP, or the older SSE transport. */
export interface HttpServer {
  readonly transport: "http" | "sse";
  readonly name: string;
  readonly url: string;
  readonly headers: StringMap;
}

export type McpServer = StdioServer | HttpServer;

/**
 * Creates the server. Rejects values that no client could pass on unchanged.
 *
 * @param transport default: stdio for a command, Streamable HTTP for a URL.
 * @param cwd the folder that a local server starts in.
 * @throws {InvalidInputError} with every reason.
 */
export function parseServer(input: McpConfigInput, transport?: Transport, cwd?: string): McpServer {
  const findings: McpFindings = new Findings(mcpFindings);
  checkTransport(input, transport, findings);
  checkFields(input, findings);
  findings.throwIfRejected();
  // Either command or url is set: other inputs are rejected.
  const { name, command, args = [], env = {}, url = "", headers = {} } = input;
  return command === undefined
    ? {
        transport: transport === "sse" ? "sse" : "http",
        name,
        // VS Code rejects an upper-case scheme.
        url: url.replace(/^https?:/i, (scheme) => scheme.toLowerCase()),
        headers,
      }
    : { transport: "stdio", name, command, args, env, cwd };
}

const INPUT_FIELDS: ReadonlySet<string> = new Set([
  ...["name", "command", "args", "env", "url", "headers"],
]);

/**
 * Whether the value is our own input: it has an input field and no transport field. Without a
 * command or URL, it may instead be a client's file with an object of servers or commands.
 */
export const isToolInput = (value: unknown): boolean => {
  const members = Object.entries(Object(value));
  const isNamed = members.some(([key]) => key === "name");
  const isOther = (key: string) => !INPUT_FIELDS.has(key) && key !== "$schema";
  if (members.some(([key]) => TRANSPORT_KEYS.has(key) || (!isNamed && isOther(key)))) return false;
  const { command, url } = Object(value);
  return (
    [command, url].some((target) => typeof target === "string") ||
    (members.some(([key]) => INPUT_FIELDS.has(key)) &&
      !isPlainObject(command) &&
      !members.some(
        ([, member]) => isPlainObject(member) && Object.values(member).some(isPlainObject),
      ))
  );
};

/** Fields of client entries that inputs do not have. */
export const TRANSPORT_KEYS: ReadonlySet<string> = new Set(["type", "transportType", "transport"]);

/**
 * Rejects an input that is both local and remote, or neither, or that contradicts the transport.
 */
function checkTransport(
  { command, args = [], env = {}, url, headers = {} }: McpConfigInput,
  transport: Transport | undefined,
  findings: McpFindings,
): void {
  const reject = (field: "url" | "args" | "env" | "headers") =>
    findings.at(field).add("of-other-kind", { field });
  if (command === undefined && url === undefined) findings.add("no-kind");
  else if (command !== undefined && url !== undefined) reject("url");
  else if (command === undefined) {
    if (args.length > 0) reject("args");
    if (Object.keys(env).length > 0) reject("env");
  } else if (Object.keys(headers).length > 0) reject("headers");
  if (transport === undefined) return;
  const other = transport === "stdio" ? "url" : "command";
  if ((other === "url" ? url : command) === undefined) return;
  findings.at(other).add("of-other-transport", { transport });
}

function checkFields(input: McpConfigInput, findings: McpFindings): void {
  const { name, command, env, url, headers } = input;
  if (name === "__proto__") findings.at("name").add("prototype-name");
  for (const { path, value } of listServerStrings(input)) {
    if (value.includes("\0")) findings.at(...path).add("nul");
    if (!value.isWellFormed()) findings.at(...path).add("half-pair");
  }
  if (url !== undefined) checkUrl(url, findings.at("url"));
  if (headers) checkHeaders(headers, findings.at("headers"));
  if (command?.trim() === "") findings.at("command").add("blank-command");
  if (env && Object.hasOwn(env, "__proto__")) findings.at("env", "__proto__").add("prototype-name");
}

function checkUrl(given: string, findings: McpFindings): void {
  const text = resolveUrlVariables(given);
  if (!/^https?:/i.test(text)) findings.add("url-scheme");
  else if (!/^https?:\/\/[^/?#]/i.test(text) || !parseUrl(text)) findings.add("url-host");
  else if (/^https?:\/\/[^/?#]*@/i.test(text)) findings.add("url-user");
}

function checkHeaders(headers: StringMap, findings: McpFindings): void {
  const seen = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    // Servers, and the variables that we write, treat A_B, A.B and a-b as the same name.
    const key = name.toLowerCase().replace(/[^a-z\d]/g, "-");
    const same = seen.get(key);
    if (same !== undefined) findings.at(name).add("header-repeated", { same });
    seen.set(key, name);
    // Claude Code sends "é" as Latin-1, Codex as UTF-8; Codex drops headers with control characters.
    if (!/^[\t -~]*$/.test(value)) findings.at(name).add("header-characters");
  }
}

/** A string of the server, with its path in the input. */
export interface ServerString {
  readonly path: Path;
  readonly value: string;
}

/** Lists every string of a server or an input, except its name. */
export function listServerStrings(fields: StringFields): readonly ServerString[] {
  const strings: ServerString[] = [];
  mapStrings(fields, (value, path) => {
    strings.push({ path, value });
    return value;
  });
  return strings;
}

interface StringFields {
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: StringMap | undefined;
  readonly url?: string | undefined;
  readonly headers?: StringMap | undefined;
}

/** Replaces the strings of a server or an input. Its name and keys stay. */
export function mapStrings<Fields extends StringFields>(
  fields: Fields,
  map: (value: string, path: Path) => string,
): Fields {
  const { command, args, env, url, headers } = fields;
  const mapValues = (field: string, values: StringMap): StringMap =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, map(value, [field, key])]),
    );
  return {
    ...fields,
    ...(command !== undefined && { command: map(command, ["command"]) }),
    ...(args && { args: args.map((value, index) => map(value, ["args", index])) }),
    ...(env && { env: mapValues("env", env) }),
    ...(url !== undefined && { url: map(url, ["url"]) }),
    ...(headers && { headers: mapValues("headers", headers) }),
  };
}

/** The server's values that may be secret. */
export const envOrHeaders = (server: McpServer): StringMap =>
  server.transport === "stdio" ? server.env : server.headers;

/** Parses a URL as clients do, with variables replaced. Returns undefined for an invalid URL. */
export function parseUrl(text: string): URL | undefined {
  const plain = /\$\{|%24%7B/i.test(text) ? resolveUrlVariables(text) : text;
  // Most arguments are not URLs, and throwing an error is slow.
  return URL.canParse(plain) ? new URL(plain) : undefined;
}
