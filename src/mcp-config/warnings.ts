import { isLoopback } from "../url.ts";
import type { ClientDefinition, ServerAnalysis } from "./client.ts";
import { looksLikeCommandLine, splitCommandLine } from "./command-line.ts";
import { notPassedOn, replacesInEnv, warnAboutContainer } from "./container.ts";
import type { McpFindings } from "./findings.ts";
import { warnAboutPlaceholders } from "./placeholders.ts";
import { startsShell } from "./references.ts";
import type { Secrets } from "./secrets.ts";
import { type HttpServer, parseUrl, type StdioServer, type StringMap } from "./server.ts";

/** Warns about effects of a server's config that may surprise, in any client. */
export function warnAboutServer(
  { server, secrets, texts }: ServerAnalysis,
  findings: McpFindings,
): void {
  warnAboutName(server.name, findings.at("name"));
  warnAboutPlaceholders(texts, findings);
  if (server.transport === "stdio") warnAboutCommand(server, secrets, findings);
  else {
    warnAboutUrl(server, secrets, findings.at("url"));
    warnAboutHeaders(server.headers, findings.at("headers"));
  }
}

/** Clients put the server's name before a tool's, and some allow 60 or 64 characters in all. */
const LONG_NAME = 30;

function warnAboutName(name: string, findings: McpFindings): void {
  if (name.length > LONG_NAME) findings.add("unsuitable-name", { most: LONG_NAME });
  if (name.includes("__")) findings.add("unsuitable-name/double");
}

function warnAboutCommand(server: StdioServer, secrets: Secrets, findings: McpFindings): void {
  const { command } = server;
  if (looksLikeCommandLine(command)) {
    findings.at("command").add("command-line", { line: splitCommandLine(command) });
  }
  for (const [index, argument] of server.args.entries()) {
    if (!isCommandLine(argument, server.args[index - 1]) || takesCommandLine(server)) continue;
    findings.at("args", index).add("command-line/argument");
  }
  warnAboutContainer(server, findings);
  for (const index of secrets.args) findings.at("args", index).add("secret-in-args");
}

/** `--port 3000`, `-y,server`, and `server --flag` unless it is the value of the option before it. */
const isCommandLine = (argument: string, before = ""): boolean =>
  /^--?[A-Za-z][\w-]*(?:\s+|,)\S/.test(argument) ||
  (/^[\w@./:-]+\s+--?[A-Za-z]/.test(argument) && !/^-(?!y$|-yes$)/.test(before));

/** A program that starts a line of another shell. */
const takesCommandLine = (server: StdioServer): boolean =>
  startsShell(server) || /(?:^|[\\/])(?:ssh|wsl|cmd)(?:\.exe)?$/i.test(server.command);

function warnAboutUrl(
  { url: text, transport }: HttpServer,
  secrets: Secrets,
  findings: McpFindings,
): void {
  if (transport === "http" && /\/sse\/?(?:[?#]|$)/i.test(text)) findings.add("sse-url");
  const url = parseUrl(text);
  if (!url) return;
  if (url.protocol === "http:" && !isLoopback(url.hostname)) findings.add("plain-http");
  for (const parameter of secrets.parameters) findings.add("secret-in-url/query", { parameter });
  if (secrets.inPath) findings.add("secret-in-url");
}

/** Headers that the protocol itself sets. Codex lets a config override them, and the connection fails. */
const PROTOCOL_HEADERS = new Set([
  "accept",
  "connection",
  "content-length",
  "content-type",
  "host",
  "mcp-protocol-version",
  "mcp-session-id",
  "transfer-encoding",
]);

function warnAboutHeaders(headers: StringMap, findings: McpFindings): void {
  for (const [name, value] of Object.entries(headers)) {
    if (PROTOCOL_HEADERS.has(name.toLowerCase())) findings.at(name).add("protocol-header");
    if (value !== value.trim()) findings.at(name).add("header-not-sent");
  }
}

/**
 * Warns about effects that may surprise in this client.
 *
 * @param findings at the path of the client in the result.
 */
export function warnAboutClient(
  client: ClientDefinition,
  analysis: ServerAnalysis,
  findings: McpFindings,
): void {
  const { server } = analysis;
  if (client.reservedNames?.test(server.name)) {
    findings.add("unsuitable-name/reserved", { client: client.title, name: server.name });
  }
  const names = notPassedOn(client, analysis).filter((name) => !replacesInEnv(client, name));
  if (names.length > 0) findings.add("container-variable/client", { client: client.title, names });
  client.warnAbout?.(analysis, findings);
}
