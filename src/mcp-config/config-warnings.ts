import { groupBy } from "../group-by.ts";
import { joinWithConjunction } from "../text.ts";
import { isLoopback } from "../url.ts";
import {
  type ClientDefinition,
  replacesPart,
  replacesReferences,
  type ServerFacts,
} from "./client-definition.ts";
import type { McpFindings } from "./config-findings.ts";
import { warnAboutContainer } from "./container-warnings.ts";
import { unionPattern } from "./json-values.ts";
import { type HttpServer, parseUrl, type StdioServer, type StringMap } from "./mcp-server.ts";
import { findPlaceholder } from "./placeholders.ts";
import type { Secrets } from "./secrets.ts";
import { looksLikeCommandLine, splitCommandLine } from "./shell-words.ts";
import { isReferenceName, REFERENCE_PART, startsShell } from "./variable-references.ts";
import { showInvisible, toVisibleJsonString } from "./write-json-toml.ts";

/**
 * Warns about surprising effects: first those in any client, then references and paths that some
 * clients do not replace, then those in a single client, at its path in the result.
 */
export function warnAboutConfigs(
  clients: readonly ClientDefinition[],
  facts: ServerFacts,
  findings: McpFindings,
): void {
  const { server, secrets, strings } = facts;
  if (server.name.length > LONG_NAME) {
    findings.at("name").add("risky-server-name", { most: LONG_NAME });
  }
  if (server.name.includes("__")) findings.at("name").add("risky-server-name/double");
  for (const { path, value } of strings) {
    const found = findPlaceholder(value, path[0] === "env" ? String(path[1]) : "");
    if (found !== undefined) findings.at(...path).add("placeholder", { text: found });
  }
  if (server.transport === "stdio") {
    warnAboutCommand(server, secrets, findings);
    const { cwd } = server;
    const names = clients.filter(({ hasCwd }) => !hasCwd).map(({ title }) => title);
    if (cwd !== undefined && names.length > 0) findings.add("left-out/cwd", { cwd, names });
  } else {
    warnAboutUrl(server, secrets, findings.at("url"));
    warnAboutHeaders(server.headers, findings.at("headers"));
  }
  warnAboutVariables(clients, facts, findings);
  for (const [index, client] of clients.entries()) {
    client.warnAbout?.(facts, findings.at("clients", index));
  }
}

/** Clients prefix tool names with the server's name. Some allow 60 or 64 characters in all. */
const LONG_NAME = 30;

function warnAboutCommand(server: StdioServer, secrets: Secrets, findings: McpFindings): void {
  const { command, args } = server;
  if (looksLikeCommandLine(command)) {
    findings.at("command").add("unsplit-command", { line: splitCommandLine(command) });
  }
  for (const [index, argument] of args.entries()) {
    if (!isCommandLine(argument, args[index - 1]) || takesCommandLine(server)) continue;
    findings.at("args", index).add("unsplit-command/argument");
  }
  warnAboutContainer(server, findings);
  for (const index of secrets.args) findings.at("args", index).add("secret-in-args");
}

/** `--port 3000`, `-y,server`, and `server --flag` unless it is the value of the option before. */
const isCommandLine = (argument: string, before = ""): boolean =>
  /^--?[A-Za-z][\w-]*(?:\s+|,)\S/.test(argument) ||
  (/^[\w@./:-]+\s+--?[A-Za-z]/.test(argument) && !/^-(?!y$|-yes$)/.test(before));

/** Whether the program runs a command in another shell. */
const takesCommandLine = (server: StdioServer): boolean =>
  startsShell(server) || /(?:^|[\\/])(?:ssh|wsl|cmd)(?:\.exe)?$/i.test(server.command);

function warnAboutUrl(
  { url: text, transport }: HttpServer,
  secrets: Secrets,
  findings: McpFindings,
): void {
  if (transport === "http" && isSseUrl(text)) findings.add("sse-transport");
  const url = parseUrl(text);
  if (!url) return;
  if (url.protocol === "http:" && !isLoopback(url.hostname)) findings.add("plain-http");
  for (const name of secrets.parameters) {
    findings.add("secret-in-url", { place: `query, ${toVisibleJsonString(name)}` });
  }
  if (secrets.inPath) findings.add("secret-in-url", { place: "path or fragment" });
}

/** Whether a URL ends like the URLs of most SSE servers. */
export const isSseUrl = (url: string): boolean => /\/sse\/?(?:[?#]|$)/i.test(url);

/** The protocol sets these headers. If a Codex config overrides them, the connection fails. */
const PROTOCOL_HEADERS: ReadonlySet<string> = new Set([
  ...["accept", "connection", "content-length", "content-type", "host", "transfer-encoding"],
  ...["mcp-protocol-version", "mcp-session-id"],
]);

function warnAboutHeaders(headers: StringMap, findings: McpFindings): void {
  for (const [name, value] of Object.entries(headers)) {
    if (PROTOCOL_HEADERS.has(name.toLowerCase())) findings.at(name).add("protocol-header");
    if (value !== value.trim()) findings.at(name).add("header-whitespace");
  }
}

/** Adds one warning for each string and group of clients that do not replace part of it. */
function warnAboutVariables(
  clients: readonly ClientDefinition[],
  { server, strings, references, userValues }: ServerFacts,
  findings: McpFindings,
): void {
  const isForCmd = server.transport === "stdio" && /\bcmd(?:\.exe)?$/i.test(server.command);
  // Skip most strings early.
  for (const text of strings.filter(({ value }) => /[$%~]|\{\w+:/.test(value))) {
    const { path, value } = text;
    const field = String(path[0]);
    // A shell replaces the variables in its script itself.
    if (field === "args" && startsShell(server)) continue;
    const names = references.find((referring) => referring.path === path)?.names ?? [];
    const parts = new Map<string, (client: ClientDefinition) => boolean>();
    for (const name of names.filter((name) => !userValues.get(name)?.value)) {
      const shown = userValues.has(name) ? `<${name}>` : `\${${name}}`;
      parts.set(shown, (client) => replacesReferences(client, text));
    }
    for (const [part] of value.matchAll(REPLACED_PART)) {
      if (names.length > 0 && isVariableReference(part)) continue;
      // In a URL it is usually percent-encoding.
      if (part.startsWith("%") && (isForCmd || value.includes("://"))) continue;
      parts.set(part, (client) => replacesPart(client, part, field));
    }
    const groups = groupBy([...parts], ([, isReplaced]) =>
      joinWithConjunction(
        clients.filter((client) => !isReplaced(client)).map(({ title }) => title),
        "and",
      ),
    );
    for (const [keepers, kept] of groups) {
      const shown = showInvisible(kept.map(([part]) => part).join(", "));
      if (keepers !== "") findings.at(...path).add("unsupported-reference", { shown, keepers });
    }
  }
}

/** Parts that at least one client replaces. */
const REPLACED_PART = unionPattern(
  "g",
  REFERENCE_PART,
  // `%E2%` is part of a URL.
  /%(?![\dA-F]{2}%)[A-Z_][A-Z\d_]+%/,
  // A path in the home folder.
  /^(?:--?[\w-]+=)?~(?=$|[\\/])/,
);

const isVariableReference = (part: string): boolean => {
  const [, name] = /^\$\{(\w[^:}]*)\}$/.exec(part) ?? [];
  return name !== undefined && isReferenceName(name);
};
