import { formatPath } from "../issues.ts";
import { isLoopback } from "../url.ts";
import type { ClientDefinition, ServerFacts } from "./client.ts";
import { looksLikeCommandLine, splitCommandLine } from "./command-line.ts";
import { quoted } from "./formats.ts";
import { type ReferringText, withoutReferences } from "./references.ts";
import type { Secrets } from "./secrets.ts";
import {
  type LocalServer,
  parseUrl,
  type RemoteServer,
  type ServerDiagnostics,
  type ServerText,
  type StringMap,
} from "./server.ts";

/** Warns about surprises in any client. */
export function warnAboutServer(
  { server, secrets }: ServerFacts,
  diagnostics: ServerDiagnostics,
): void {
  warnAboutName(server.name, diagnostics.at("name"));
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
  { command }: LocalServer,
  secrets: Secrets,
  diagnostics: ServerDiagnostics,
): void {
  if (looksLikeCommandLine(command)) {
    const message = `looks like a whole command line; put each argument into \`args\`${example(command)}`;
    diagnostics.at("command").warn("command-line", message);
  }
  for (const index of secrets.args) {
    const message =
      "seems to hold a secret, which process lists and the lines for a shell show; give it in `env` if the server reads it there";
    diagnostics.at("args", index).warn("secret-in-args", message);
  }
}

function example(commandLine: string): string {
  const line = splitCommandLine(commandLine);
  return line
    ? `: command ${quoted(line.command)}, args [${line.args.map(quoted).join(", ")}]`
    : "";
}

function warnAboutUrl(
  { url: text, transport }: RemoteServer,
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
 * Warns about surprises in this client.
 *
 * @param diagnostics at the client's place in the result.
 */
export function warnAboutClient(
  client: ClientDefinition,
  facts: ServerFacts,
  diagnostics: ServerDiagnostics,
): void {
  const { server, texts, references } = facts;
  if (client.reservedNames?.test(server.name)) {
    const message = `${client.title} keeps the name ${server.name} for itself and does not load this server; choose another`;
    diagnostics.warn("reserved-name", message);
  }
  if (references.length > 0) warnAboutReferences(client, facts, diagnostics);
  const variables = replacedVariables(client, texts, references);
  if (variables.length > 0) {
    const message = `${client.title} reads ${variables.join(", ")} as a variable and replaces it, which other clients may not do; write the value itself to be sure`;
    diagnostics.warn("variable-expansion", message);
  }
  const paths = rewrittenPaths(client, texts);
  if (paths.length > 0) {
    const message = `${client.title} turns ${paths.join(", ")} into an absolute path, and other clients do not; write the whole path`;
    diagnostics.warn("path-rewritten", message);
  }
  if (server.transport === "stdio" && client.failingCommand?.test(server.command)) {
    const message = `${client.title} does not find ${quoted(server.command)}; write the whole path`;
    diagnostics.warn("command-not-found", message);
  }
  client.warnAbout?.(facts, diagnostics);
}

/** Warns about references that the client does not replace. */
function warnAboutReferences(
  client: ClientDefinition,
  { references, inputs }: ServerFacts,
  diagnostics: ServerDiagnostics,
): void {
  const literal = references
    .filter((text) => !client.references?.resolvesIn(text))
    .map(({ names, ...text }) => ({
      ...text,
      names: names.filter((name) => !inputs.get(name)?.value),
    }))
    .filter(({ names }) => names.length > 0);
  if (literal.some(({ names }) => names.some((name) => inputs.has(name)))) {
    const places = literal.map(
      ({ path, names }) => `${names.map((name) => `<${name}>`).join(", ")} in ${formatPath(path)}`,
    );
    const message = `${client.title} does not replace variables there; write the value in place of ${places.join(", ")}`;
    diagnostics.warn("reference-as-text", message);
  } else if (literal.length > 0) {
    const places = literal.map(
      ({ path, names }) =>
        `${names.map((name) => `\${${name}}`).join(", ")} in ${formatPath(path)}`,
    );
    const message = `${client.title} does not replace variables there and keeps ${places.join(", ")} as text; write the value itself into that client's file`;
    diagnostics.warn("reference-as-text", message);
  }
}

/** The texts that look like a reference but are a variable of the client. */
function replacedVariables(
  { variables }: ClientDefinition,
  texts: readonly ServerText[],
  references: readonly ReferringText[],
): string[] {
  if (!variables) return [];
  const { pattern, fields } = variables;
  const candidates = texts.filter(
    ({ path, value }) =>
      /[$][\w{]|[{]\w+:/.test(value) && (fields?.includes(String(path[0])) ?? true),
  );
  if (candidates.length === 0) return [];
  const referring = new Set(references.map(({ path }) => path));
  return candidates.flatMap(({ path, value }) =>
    Array.from(
      (referring.has(path) ? withoutReferences(value) : value).matchAll(pattern),
      ([text]) => `${quoted(text)} in ${formatPath(path)}`,
    ),
  );
}

function rewrittenPaths(
  { rewrittenPaths: rule }: ClientDefinition,
  texts: readonly ServerText[],
): string[] {
  if (!rule) return [];
  return texts
    .filter(({ path, value }) => rule.pattern.test(value) && rule.fields.includes(String(path[0])))
    .map(({ path }) => formatPath(path));
}
