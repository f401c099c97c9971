import type { WarningCode } from "../../schemas/codes.ts";
import type { McpConfigInput } from "../../schemas/mcp-config.ts";
import { plainUrl, type Transport } from "../../schemas/mcp-config.ts";
import { Diagnostics, type Issue, type Path } from "../issues.ts";
import { keepValidFields } from "../validate.ts";

export type ServerDiagnostics = Diagnostics<WarningCode<"mcp_config_generator">>;

/** An input without the server's name. */
export type UnnamedInput = Omit<McpConfigInput, "name">;

export type StringMap = Readonly<Record<string, string>>;

/** A value that the user of a server gives. */
export interface ServerInput {
  /** The variable that the config refers to, `${NAME}`. */
  readonly name: string;
  readonly description?: string | undefined;
  readonly secret: boolean;
  readonly choices?: readonly string[] | undefined;
  /** The value itself, for clients that cannot refer to a variable. */
  readonly value?: string | undefined;
}

/** By their names. */
export type ServerInputs = ReadonlyMap<string, ServerInput>;

/** A program that the client starts and talks to over its standard input and output. */
export interface StdioServer {
  readonly transport: "stdio";
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: StringMap;
}

/** A server that the client reaches over Streamable HTTP, or over SSE, the transport before it. */
export interface HttpServer {
  readonly transport: "http" | "sse";
  readonly name: string;
  readonly url: string;
  readonly headers: StringMap;
}

export type Server = StdioServer | HttpServer;

/**
 * The server that the input describes. What no client could pass on as written is rejected.
 *
 * @param transport of the server. Default: stdio for a command, Streamable HTTP for a URL.
 * @throws {InvalidInputError} with every reason.
 */
export function toServer(input: McpConfigInput, transport?: Transport): Server {
  const diagnostics: ServerDiagnostics = Diagnostics.start();
  checkTransport(input, diagnostics);
  if (transport !== undefined) checkStatedTransport(input, transport, diagnostics);
  checkFields(input, diagnostics);
  diagnostics.throwIfRejected();
  // One of command and url is there: other inputs are rejected.
  const { name, command, args = [], env = {}, url = "", headers = {} } = input;
  return command === undefined
    ? { transport: transport === "sse" ? "sse" : "http", name, url, headers }
    : { transport: "stdio", name, command, args, env };
}

/**
 * Finds more issues in an input that breaks the schema, by reading the fields that are valid, so
 * that the user can fix all problems at once.
 *
 * @param known the issues that the schema finds.
 */
export function furtherIssues(input: unknown, known: readonly Issue[]): readonly Issue[] {
  const paths = new Set(known.map(({ path }) => path));
  if (paths.has("")) return [];
  const diagnostics: ServerDiagnostics = Diagnostics.start();
  const valid: GivenFields = keepValidFields(Object(input), INPUT_FIELDS, "", paths);
  // An unknown field may be meant as the command or the URL that is missing.
  const isTransportKnown =
    Object.keys(Object(input)).every((field) => INPUT_FIELDS.has(field)) &&
    !paths.has("command") &&
    !paths.has("url");
  if (isTransportKnown) checkTransport(valid, diagnostics);
  checkFields(valid, diagnostics);
  return diagnostics.issues;
}

const INPUT_FIELDS: ReadonlySet<string> = new Set([
  ...["name", "command", "args", "env", "url", "headers"],
]);

/** True for a value that is meant as an input: it has a field of one, and no type as clients' entries. */
export const isToolInput = (value: unknown): boolean => {
  const keys = Object.keys(Object(value));
  return keys.some((key) => INPUT_FIELDS.has(key)) && !keys.some((key) => TRANSPORT_KEYS.has(key));
};

/** Fields of clients' entries that no input has. */
export const TRANSPORT_KEYS: ReadonlySet<string> = new Set(["type", "transportType", "transport"]);

type GivenFields = Partial<McpConfigInput>;

/** Rejects an input that is not exactly one of a local and a remote server. */
function checkTransport(input: GivenFields, diagnostics: ServerDiagnostics): void {
  const { command, url } = input;
  if (command !== undefined && url !== undefined) {
    diagnostics
      .at("url")
      .reject("must be left out with `command`: a server is either local or remote");
  } else if (command === undefined && url === undefined) {
    diagnostics.reject(
      "must have one of `command`, `url`: the program of a local server, or a remote one's address",
    );
  } else checkMisplaced(input, diagnostics);
}

/** Rejects an input that contradicts its transport: stdio is for local servers alone. */
function checkStatedTransport(
  input: GivenFields,
  transport: Transport,
  diagnostics: ServerDiagnostics,
): void {
  const isLocal = transport === "stdio";
  const field = isLocal ? "url" : "command";
  if (input[field] === undefined) return;
  const kind = isLocal ? "a local server (`command`)" : "a remote server (`url`)";
  const message = `must be left out with the transport ${transport}: only ${kind} has it`;
  diagnostics.at(field).reject(message);
}

/** Rejects fields of the other kind of server: Codex does not start at all with such an entry. */
function checkMisplaced(
  { command, args = [], env = {}, headers = {} }: GivenFields,
  diagnostics: ServerDiagnostics,
): void {
  if (command === undefined) {
    if (args.length > 0) {
      diagnostics.at("args").reject("must be left out with `url`: a remote server is not started");
    }
    if (Object.keys(env).length > 0) {
      diagnostics
        .at("env")
        .reject("must be left out with `url`: a remote server has `headers` instead");
    }
  } else if (Object.keys(headers).length > 0) {
    diagnostics
      .at("headers")
      .reject("must be left out with `command`: a local server has `env` instead");
  }
}

function checkFields(input: GivenFields, diagnostics: ServerDiagnostics): void {
  const { name, command, env, url, headers } = input;
  if (name === "__proto__") diagnostics.at("name").reject(LOST);
  checkTexts(input, diagnostics);
  if (url !== undefined) checkUrl(url, diagnostics.at("url"));
  if (headers) checkHeaders(headers, diagnostics.at("headers"));
  if (command?.trim() === "") diagnostics.at("command").reject("must not be blank");
  if (env && Object.hasOwn(env, "__proto__")) diagnostics.at("env", "__proto__").reject(LOST);
}

const LOST = "must not be named __proto__, which clients lose when they read the file";

function checkTexts(input: GivenFields, diagnostics: ServerDiagnostics): void {
  for (const { path, value } of listServerTexts(input)) {
    if (value.includes("\0")) diagnostics.at(...path).reject("must not have a NUL character");
    if (!value.isWellFormed()) {
      diagnostics.at(...path).reject("must not have half of a surrogate pair");
    }
  }
}

function checkUrl(given: string, diagnostics: ServerDiagnostics): void {
  const text = plainUrl(given);
  const url = parseUrl(text);
  if (!/^https?:/i.test(text)) {
    diagnostics.reject("must start with http:// or https://");
  } else if (!/^https?:\/\/[^/?#]/i.test(text) || !url) {
    diagnostics.reject("must have a host and a valid port, as in https://example.com/mcp");
  } else if (/^https?:\/\/[^/?#]*@/i.test(text)) {
    diagnostics.reject("must not have a user or password; use an Authorization header");
  }
}

function checkHeaders(headers: StringMap, diagnostics: ServerDiagnostics): void {
  const seen = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    // Servers, and the variables of our bridge and lines, see A_B, A.B and a-b as one name.
    const key = name.toLowerCase().replace(/[^a-z\d]/g, "-");
    const same = seen.get(key);
    if (same !== undefined) {
      diagnostics.at(name).reject(`is the same header as ${same}; keep one of them`);
    }
    seen.set(key, name);
    // Claude Code sends "é" as Latin-1, Codex as UTF-8; Codex drops a header with a control character.
    if (!/^[\t -~]*$/.test(value)) {
      diagnostics.at(name).reject("must have only ASCII characters and no control character");
    }
  }
}

/** A text of the server, with its path in the input. */
export interface ServerText {
  readonly path: Path;
  readonly value: string;
}

/** The texts of a server, or of an input; all but its name. */
export const listServerTexts = ({
  command,
  args = [],
  env = {},
  url,
  headers = {},
}: Texts): ServerText[] => [
  ...(command === undefined ? [] : [{ path: ["command"], value: command }]),
  ...args.map((value, index) => ({ path: ["args", index], value })),
  ...valueTexts("env", env),
  ...(url === undefined ? [] : [{ path: ["url"], value: url }]),
  ...valueTexts("headers", headers),
];

type Texts = {
  readonly [Field in "command" | "args" | "env"]?: StdioServer[Field] | undefined;
} & { readonly [Field in "url" | "headers"]?: HttpServer[Field] | undefined };

const valueTexts = (field: string, map: StringMap): ServerText[] =>
  Object.entries(map).map(([key, value]) => ({ path: [field, key], value }));

/** The server with other texts. Its name and its keys stay. */
export function mapTexts(server: Server, map: (value: string, path: Path) => string): Server {
  const mapValues = (field: string, values: StringMap): StringMap =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, map(value, [field, key])]),
    );
  if (server.transport !== "stdio") {
    return {
      ...server,
      url: map(server.url, ["url"]),
      headers: mapValues("headers", server.headers),
    };
  }
  return {
    ...server,
    command: map(server.command, ["command"]),
    args: server.args.map((value, index) => map(value, ["args", index])),
    env: mapValues("env", server.env),
  };
}

/** The server's values that may be secret: its environment, or its headers. */
export const envOrHeaders = (server: Server): StringMap =>
  server.transport === "stdio" ? server.env : server.headers;

/** The URL as the clients' own parsers read it, with plain text for variables; undefined when they cannot. */
export function parseUrl(text: string): URL | undefined {
  const plain = /\$\{|%24%7B/i.test(text) ? plainUrl(text) : text;
  // Most arguments are not URLs, and throwing an error is as slow as the rest of the tool.
  return URL.canParse(plain) ? new URL(plain) : undefined;
}
