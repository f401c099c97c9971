import type { Findings } from "../issues.ts";
import { quoted } from "./json.ts";
import { secretArguments } from "./secret-arguments.ts";
import { secretParameters } from "./secrets.ts";
import {
  type LocalServer,
  looksLikeCommandLine,
  type RemoteServer,
  type Server,
} from "./server.ts";
import { isLoopback, parseUrl } from "./url.ts";

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
