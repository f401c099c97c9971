import { isLoopback } from "../url.ts";
import type { ClientDefinition, ServerAnalysis } from "./client.ts";
import { looksLikeCommandLine, splitCommandLine } from "./command-line.ts";
import { notPassedOn, replacesInEnv, warnAboutContainer } from "./container.ts";
import { quoted } from "./formats.ts";
import { warnAboutPlaceholders } from "./placeholders.ts";
import { startsShell } from "./references.ts";
import type { Secrets } from "./secrets.ts";
import {
  type HttpServer,
  parseUrl,
  type ServerDiagnostics,
  type StdioServer,
  type StringMap,
} from "./server.ts";

/** Warns about effects of a server's config that may surprise, in any client. */
export function warnAboutServer(
  { server, secrets, texts }: ServerAnalysis,
  diagnostics: ServerDiagnostics,
): void {
  warnAboutName(server.name, diagnostics.at("name"));
  warnAboutPlaceholders(texts, diagnostics);
  if (server.transport === "stdio") warnAboutCommand(server, secrets, diagnostics);
  else {
    warnAboutUrl(server, secrets, diagnostics.at("url"));
    warnAboutHeaders(server.headers, diagnostics.at("headers"));
  }
}

/** Clients put the server's name before a tool's, and some allow 60 or 64 characters in all. */
const LONG_NAME = 30;

function warnAboutName(name: string, diagnostics: ServerDiagnostics): void {
  if (name.length > LONG_NAME) {
    const message = `is long: clients put it before each tool's name, and both together may have 60 characters; ${LONG_NAME} or fewer are safe`;
    diagnostics.warn("long-name", message);
  }
  if (name.includes("__")) {
    const message = 'has "__", which clients put between server and tool; use one "_"';
    diagnostics.warn("double-underscore", message);
  }
}

function warnAboutCommand(
  server: StdioServer,
  secrets: Secrets,
  diagnostics: ServerDiagnostics,
): void {
  const { command } = server;
  if (looksLikeCommandLine(command)) {
    const message = `looks like a whole command line; put each argument into \`args\`${example(command)}`;
    diagnostics.at("command").warn("command-line", message);
  }
  for (const [index, argument] of server.args.entries()) {
    if (!isCommandLine(argument, server.args[index - 1]) || takesCommandLine(server)) continue;
    const message = "looks like several arguments; put each into an item of its own";
    diagnostics.at("args", index).warn("command-line", message);
  }
  warnAboutContainer(server, diagnostics);
  for (const index of secrets.args) {
    const message =
      "seems to hold a secret, which process lists and the lines for a shell show; give it in `env` if the server reads it there";
    diagnostics.at("args", index).warn("secret-in-args", message);
  }
}

/** `--port 3000`, `-y,server`, and `server --flag` unless it is the value of the option before it. */
const isCommandLine = (argument: string, before = ""): boolean =>
  /^--?[A-Za-z][\w-]*(?:\s+|,)\S/.test(argument) ||
  (/^[\w@./:-]+\s+--?[A-Za-z]/.test(argument) && !/^-(?!y$|-yes$)/.test(before));

/** A program that starts a line of another shell. */
const takesCommandLine = (server: StdioServer): boolean =>
  startsShell(server) || /(?:^|[\\/])(?:ssh|wsl|cmd)(?:\.exe)?$/i.test(server.command);

function example(commandLine: string): string {
  const line = splitCommandLine(commandLine);
  return line
    ? `: command ${quoted(line.command)}, args [${line.args.map(quoted).join(", ")}]`
    : "";
}

function warnAboutUrl(
  { url: text, transport }: HttpServer,
  secrets: Secrets,
  diagnostics: ServerDiagnostics,
): void {
  if (transport === "http" && /\/sse\/?(?:[?#]|$)/i.test(text)) {
    const message =
      "ends in /sse, as the URL of an SSE server does, but is written for Streamable HTTP; use the server's URL for that, or the transport sse, which command line, library and page have";
    diagnostics.warn("sse-url", message);
  }
  const url = parseUrl(text);
  if (!url) return;
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    const message = "is not encrypted; use https unless the network is your own";
    diagnostics.warn("plain-http", message);
  }
  if (url.hash !== "") {
    const message = `has the fragment ${url.hash}, which is never sent to a server; leave it out`;
    diagnostics.warn("url-fragment", message);
  }
  for (const parameter of secrets.parameters) {
    const message = `seems to have a secret in its query, ${quoted(parameter)}, which ends up in logs and in the lines for a shell; use a header if the server accepts one`;
    diagnostics.warn("secret-in-url", message);
  }
  if (secrets.inPath) {
    const message =
      "seems to have a secret in its path or fragment, which ends up in logs and in the lines for a shell; use a header if the server accepts one";
    diagnostics.warn("secret-in-url", message);
  }
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

function warnAboutHeaders(headers: StringMap, diagnostics: ServerDiagnostics): void {
  for (const [name, value] of Object.entries(headers)) {
    if (PROTOCOL_HEADERS.has(name.toLowerCase())) {
      const message = "is set by the protocol itself and may break the connection; leave it out";
      diagnostics.at(name).warn("protocol-header", message);
    }
    if (value !== value.trim()) {
      const message = "has spaces at its start or end, which are not sent; remove them";
      diagnostics.at(name).warn("header-outer-spaces", message);
    }
  }
}

/**
 * Warns about effects that may surprise in this client.
 *
 * @param diagnostics at the path of the client in the result.
 */
export function warnAboutClient(
  client: ClientDefinition,
  analysis: ServerAnalysis,
  diagnostics: ServerDiagnostics,
): void {
  const { server } = analysis;
  if (client.reservedNames?.test(server.name)) {
    const message = `${client.title} keeps the name ${server.name} for itself and does not load this server; choose another`;
    diagnostics.warn("reserved-name", message);
  }
  const missing = notPassedOn(client, analysis).filter((name) => !replacesInEnv(client, name));
  if (missing.length > 0) {
    const message = `${client.title} passes on few variables of its environment, so the container gets no ${missing.join(", ")}; write the value into env`;
    diagnostics.warn("container-variable", message);
  }
  client.warnAbout?.(analysis, diagnostics);
}
