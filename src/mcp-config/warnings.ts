import { type Findings, formatPath, type Path } from "../issues.ts";
import type { ClientRow } from "./client.ts";
import { quoted } from "./formats.ts";
import { secretArguments, secretParameters } from "./secrets.ts";
import {
  isLoopback,
  type LocalServer,
  looksLikeCommandLine,
  parseUrl,
  type RemoteServer,
  type Server,
  textsOf,
} from "./server.ts";

/** Clients build a tool's name from the server's, and some allow 60 or 64 characters in all. */
const LONG_NAME = 30;

/** What the protocol itself sets; Codex lets a config override it, and the connection fails. */
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

/** Warns of what may surprise in any client. */
export function warnOfServer(server: Server, findings: Findings): void {
  warnOfName(server.name, findings);
  if (server.transport === "stdio") warnOfCommand(server, findings);
  else {
    warnOfUrl(server, findings);
    warnOfHeaders(server, findings);
  }
}

function warnOfName(name: string, findings: Findings): void {
  if (name.length > LONG_NAME) {
    const message = `is long: clients put it before each tool's name, which may have 60 characters in all; ${LONG_NAME} or fewer are safe`;
    findings.warn("long-name", ["name"], message);
  }
  if (name.includes("__")) {
    const message = 'has "__", with which clients divide the server from the tool; use one "_"';
    findings.warn("double-underscore", ["name"], message);
  }
}

function warnOfCommand({ command, args }: LocalServer, findings: Findings): void {
  if (looksLikeCommandLine(command)) {
    const message = "looks like a whole command line; put each argument into args";
    findings.warn("command-line", ["command"], message);
  }
  for (const index of secretArguments(args)) {
    const message =
      "seems to hold a secret, which process lists and the bash lines show; give it in env if the server takes it there";
    findings.warn("secret-in-args", ["args", index], message);
  }
}

function warnOfUrl({ url: text }: RemoteServer, findings: Findings): void {
  const url = parseUrl(text);
  if (!url) return;
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    const message = "is not encrypted; use https unless the network is your own";
    findings.warn("plain-http", ["url"], message);
  }
  if (url.hash !== "") {
    const message = `has the fragment ${url.hash}, which is never sent to a server; leave it out`;
    findings.warn("url-fragment", ["url"], message);
  }
  for (const parameter of secretParameters(text)) {
    const message = `seems to have a secret in its query, ${quoted(parameter)}, which ends up in logs and in the bash lines; use a header if the server takes one`;
    findings.warn("secret-in-url", ["url"], message);
  }
}

function warnOfHeaders({ headers }: RemoteServer, findings: Findings): void {
  for (const [name, value] of Object.entries(headers)) {
    if (PROTOCOL_HEADERS.has(name.toLowerCase())) {
      const message = "is set by the protocol itself and may break the connection; leave it out";
      findings.warn("protocol-header", ["headers", name], message);
    }
    if (value !== value.trim()) {
      const message = "has outer spaces, which are not sent; leave them out";
      findings.warn("header-outer-spaces", ["headers", name], message);
    }
  }
}

/**
 * Warns of what this client would do to the server.
 *
 * @param path the client's place in the result.
 */
export function warnOfClient(row: ClientRow, server: Server, findings: Findings, path: Path): void {
  if (row.reservedNames?.includes(server.name)) {
    const message = `${row.title} keeps the name ${server.name} for itself and does not load this server; choose another`;
    findings.warn("reserved-name", path, message);
  }
  const variables = replacedVariables(row, server);
  if (variables.length > 0) {
    const message = `${row.title} takes ${variables.join(", ")} for a variable and puts its value there, and the other clients may not; write the value itself to be sure`;
    findings.warn("variable-expansion", path, message);
  }
  const paths = rewrittenPaths(row, server);
  if (paths.length > 0) {
    const message = `${row.title} makes an absolute path of ${paths.join(", ")}, and other clients do not; write the whole path`;
    findings.warn("path-rewritten", path, message);
  }
  row.check?.(server, findings, path);
}

function replacedVariables({ variables }: ClientRow, server: Server): string[] {
  if (!variables) return [];
  return textsOf(server).flatMap(({ path, value }) =>
    Array.from(value.matchAll(variables), ([text]) => `${quoted(text)} in ${formatPath(path)}`),
  );
}

function rewrittenPaths({ rewrittenPaths: rule }: ClientRow, server: Server): string[] {
  if (!rule) return [];
  return textsOf(server)
    .filter(({ path, value }) => rule.fields.includes(String(path[0])) && rule.pattern.test(value))
    .map(({ path }) => formatPath(path));
}
