import type { ValidMcpConfigInput } from "../../schemas/mcp-config.ts";
import type { WarningCode } from "../../schemas/tools.ts";
import { type Diagnostics, InvalidInputError, issueAt, type Path } from "../issues.ts";

/** What is collected about one server. */
export type ServerDiagnostics = Diagnostics<WarningCode<"mcp_config_generator">>;

export type StringMap = Readonly<Record<string, string>>;

/** A program that the client starts and talks to over its standard input and output. */
export interface LocalServer {
  readonly transport: "stdio";
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: StringMap;
}

/** A server that the client reaches over Streamable HTTP. */
export interface RemoteServer {
  readonly transport: "http";
  readonly name: string;
  readonly url: string;
  readonly headers: StringMap;
}

export type Server = LocalServer | RemoteServer;

/**
 * The server that the input describes. What no client could pass on as it was written is refused.
 *
 * @throws {InvalidInputError} with every reason.
 */
export function toServer(input: ValidMcpConfigInput, diagnostics: ServerDiagnostics): Server {
  const server = localOrRemote(input);
  refuseMisplaced(input, diagnostics);
  refuseName(server.name, diagnostics.at("name"));
  refuseTexts(server, diagnostics);
  if (server.transport === "http") {
    refuseUrl(server.url, diagnostics.at("url"));
    refuseHeaders(server.headers, diagnostics.at("headers"));
  } else {
    refuseCommand(server.command, diagnostics.at("command"));
    refuseEnv(server.env, diagnostics.at("env"));
  }
  diagnostics.throwIfRefused();
  return server;
}

function localOrRemote(input: ValidMcpConfigInput): Server {
  const { name, command, args = [], env = {}, url, headers = {} } = input;
  if (command !== undefined && url !== undefined) {
    throw new InvalidInputError([
      issueAt(["url"], "must be left out with command: a server is either local or remote"),
    ]);
  }
  if (command !== undefined) return { transport: "stdio", name, command, args, env };
  if (url !== undefined) return { transport: "http", name, url, headers };
  throw new InvalidInputError([
    issueAt(
      [],
      "must have one of command, url: the program of a local server, or a remote one's address",
    ),
  ]);
}

/** Codex does not start at all when an entry has the fields of the other transport. */
function refuseMisplaced(input: ValidMcpConfigInput, diagnostics: ServerDiagnostics): void {
  const { command, args = [], env = {}, headers = {} } = input;
  if (command === undefined) {
    if (args.length > 0) {
      diagnostics.at("args").refuse("must be left out with url: a remote server is not started");
    }
    if (Object.keys(env).length > 0) {
      diagnostics.at("env").refuse("must be left out with url: a remote server takes headers");
    }
  } else if (Object.keys(headers).length > 0) {
    diagnostics.at("headers").refuse("must be left out with command: a local server takes env");
  }
}

const LOST = "must not be named __proto__, which clients lose when they read the file";

function refuseName(name: string, diagnostics: ServerDiagnostics): void {
  if (name === "__proto__") diagnostics.refuse(LOST);
}

function refuseTexts(server: Server, diagnostics: ServerDiagnostics): void {
  for (const { path, value } of textsOf(server)) {
    if (value.includes("\0")) diagnostics.at(...path).refuse("must not have a NUL character");
    if (!value.isWellFormed()) {
      diagnostics.at(...path).refuse("must not have half of a surrogate pair");
    }
  }
}

function refuseUrl(text: string, diagnostics: ServerDiagnostics): void {
  const url = parseUrl(text);
  if (!/^https?:/i.test(text)) {
    diagnostics.refuse("must start with http:// or https://");
  } else if (!/^https?:\/\/[^/?#]/i.test(text) || !url) {
    diagnostics.refuse("must have a host and no impossible port, as in https://example.com/mcp");
  } else if (/^https?:\/\/[^/?#]*@/i.test(text)) {
    diagnostics.refuse("must not have a user or password; use an Authorization header");
  }
}

function refuseHeaders(headers: StringMap, diagnostics: ServerDiagnostics): void {
  const seen = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    const same = seen.get(name.toLowerCase());
    if (same !== undefined) {
      diagnostics.at(name).refuse(`is the same header as ${same}; keep one of them`);
    }
    seen.set(name.toLowerCase(), name);
    // Claude Code sends "é" as Latin-1, Codex as UTF-8; Codex drops a header with a control character.
    if (!/^[\t -~]*$/.test(value)) {
      diagnostics.at(name).refuse("must have only ASCII characters and no control character");
    }
  }
}

function refuseCommand(command: string, diagnostics: ServerDiagnostics): void {
  if (command.trim() === "") diagnostics.refuse("must not be blank");
}

function refuseEnv(env: StringMap, diagnostics: ServerDiagnostics): void {
  if (Object.hasOwn(env, "__proto__")) diagnostics.at("__proto__").refuse(LOST);
}

/** A free text of the server, with its place in the input. */
export interface ServerText {
  readonly path: Path;
  readonly value: string;
}

export function textsOf(server: Server): ServerText[] {
  if (server.transport === "http") return valueTexts("headers", server.headers);
  return [
    { path: ["command"], value: server.command },
    ...server.args.map((value, index) => ({ path: ["args", index], value })),
    ...valueTexts("env", server.env),
  ];
}

const valueTexts = (field: string, map: StringMap): ServerText[] =>
  Object.entries(map).map(([key, value]) => ({ path: [field, key], value }));

/** The server with other texts in place of its own, its name and its keys excepted. */
export function mapTexts(server: Server, map: (value: string, path: Path) => string): Server {
  const mapValues = (field: string, values: StringMap): StringMap =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, map(value, [field, key])]),
    );
  if (server.transport === "http") {
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
export const valuesOf = (server: Server): StringMap =>
  server.transport === "stdio" ? server.env : server.headers;

/** The URL as the clients' own parsers read it; undefined when they cannot. */
export const parseUrl = (text: string): URL | undefined =>
  // Most arguments are no URL, and a thrown error would take as long as the rest of the tool.
  URL.canParse(text) ? new URL(text) : undefined;
