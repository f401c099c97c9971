import type { ValidMcpConfigInput } from "../../schemas/mcp-config.ts";
import { type Findings, InvalidInputError, issueAt, type Path } from "../issues.ts";

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
 * The server that the input describes.
 *
 * @throws {InvalidInputError} when it describes both kinds or none.
 */
export function toServer(input: ValidMcpConfigInput): Server {
  const { name, command, args = [], env = {}, url, headers = {} } = input;
  if (command !== undefined && url !== undefined) {
    throw new InvalidInputError([
      issueAt(["url"], "must be left out with command: a server is either local or remote"),
    ]);
  }
  if (command !== undefined) return { transport: "stdio", name, command, args, env };
  if (url !== undefined) return { transport: "http", name, url, headers };
  throw new InvalidInputError([
    issueAt([], "give command for a local server, or url for a remote one"),
  ]);
}

/** The server's values that are free text, with their places in the input. */
export function textsOf(server: Server): { path: Path; value: string }[] {
  if (server.transport === "http") return mapTexts("headers", server.headers);
  return [
    { path: ["command"], value: server.command },
    ...server.args.map((value, index) => ({ path: ["args", index], value })),
    ...mapTexts("env", server.env),
  ];
}

const mapTexts = (field: string, map: StringMap) =>
  Object.entries(map).map(([key, value]) => ({ path: [field, key], value }));

/** What the server's owner may want to keep secret: its environment, or its headers. */
export const valuesOf = (server: Server): StringMap =>
  server.transport === "stdio" ? server.env : server.headers;

/** `npx -y server`, but not `C:\Program Files\run.exe`. */
export const looksLikeCommandLine = (command: string): boolean =>
  /^[^\s/\\"']+\s+\S/.test(command) || /^\S+\s+-/.test(command);

/** The URL as the clients' own parsers read it; undefined when they cannot. */
export const parseUrl = (text: string): URL | undefined =>
  // Asked for every argument: a thrown error would take as long as the rest of the tool.
  URL.canParse(text) ? new URL(text) : undefined;

/** Whether the host is this machine, so that nothing travels over a network. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

/** Refuses what no client could pass on as it was written. */
export function refuseUnusable(
  input: ValidMcpConfigInput,
  server: Server,
  findings: Findings,
): void {
  refuseMisplaced(input, findings);
  if (server.name === "__proto__") findings.refuse(["name"], LOST);
  for (const { path, value } of textsOf(server)) {
    if (value.includes("\0")) findings.refuse(path, "must not have a NUL character");
    if (!value.isWellFormed()) findings.refuse(path, "must not have half of a surrogate pair");
  }
  if (server.transport === "http") {
    refuseUrl(server.url, findings);
    refuseHeaders(server.headers, findings);
    return;
  }
  if (server.command.trim() === "") findings.refuse(["command"], "must not be blank");
  if (Object.hasOwn(server.env, "__proto__")) findings.refuse(["env", "__proto__"], LOST);
}

const LOST = "must not be named __proto__, which clients lose when they read the file";

/** Codex does not start at all when an entry has the fields of the other transport. */
function refuseMisplaced(input: ValidMcpConfigInput, findings: Findings): void {
  const { command, args = [], env = {}, headers = {} } = input;
  if (command === undefined) {
    if (args.length > 0) {
      findings.refuse(["args"], "must be left out with url: a remote server is not started");
    }
    if (Object.keys(env).length > 0) {
      findings.refuse(["env"], "must be left out with url: a remote server takes headers");
    }
  } else if (Object.keys(headers).length > 0) {
    findings.refuse(["headers"], "must be left out with command: a local server takes env");
  }
}

function refuseUrl(text: string, findings: Findings): void {
  const url = parseUrl(text);
  if (!/^https?:/i.test(text)) {
    findings.refuse(["url"], "must start with http:// or https://");
  } else if (!/^https?:\/\/[^/?#]/i.test(text) || !url) {
    findings.refuse(
      ["url"],
      "must have a host and no impossible port, as in https://example.com/mcp",
    );
  } else if (/^https?:\/\/[^/?#]*@/i.test(text)) {
    findings.refuse(["url"], "must not have a user or password; use an Authorization header");
  }
}

function refuseHeaders(headers: StringMap, findings: Findings): void {
  const seen = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    const same = seen.get(name.toLowerCase());
    if (same !== undefined) {
      findings.refuse(["headers", name], `is the same header as ${same}; keep one of them`);
    }
    seen.set(name.toLowerCase(), name);
    // Claude Code sends "é" as Latin-1, Codex as UTF-8; Codex drops a header with a control character.
    if (!/^[\t -~]*$/.test(value)) {
      findings.refuse(
        ["headers", name],
        "must have only ASCII characters and no control character",
      );
    }
  }
}
