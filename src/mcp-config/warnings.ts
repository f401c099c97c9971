import { groupBy } from "../group-by.ts";
import { isLoopback } from "../url.ts";
import {
  type ClientDefinition,
  replacesPart,
  replacesReferences,
  type ServerAnalysis,
} from "./client.ts";
import { looksLikeCommandLine, splitCommandLine } from "./command-line.ts";
import { warnAboutContainer } from "./container.ts";
import type { McpFindings } from "./findings.ts";
import { showInvisible } from "./formats.ts";
import { findPlaceholder } from "./placeholders.ts";
import { isReferenceName, type ReferringText, startsShell } from "./references.ts";
import type { Secrets } from "./secrets.ts";
import {
  type HttpServer,
  parseUrl,
  type Server,
  type ServerText,
  type StdioServer,
  type StringMap,
} from "./server.ts";

/**
 * Warns about effects of a config that may surprise: those in any client, those of variables and paths
 * by the clients that do not replace them, and those of one client, at its path in the result.
 */
export function warnAboutConfigs(
  clients: readonly ClientDefinition[],
  analysis: ServerAnalysis,
  findings: McpFindings,
): void {
  const { server, secrets, texts } = analysis;
  if (server.name.length > LONG_NAME) {
    findings.at("name").add("unsuitable-name", { most: LONG_NAME });
  }
  if (server.name.includes("__")) findings.at("name").add("unsuitable-name/double");
  for (const text of texts) {
    const found = findPlaceholder(text);
    if (found !== undefined) findings.at(...text.path).add("placeholder", { text: found });
  }
  if (server.transport === "stdio") warnAboutCommand(server, secrets, findings);
  else {
    warnAboutUrl(server, secrets, findings.at("url"));
    warnAboutHeaders(server.headers, findings.at("headers"));
  }
  warnAboutVariables(clients, analysis, findings);
  for (const [index, client] of clients.entries()) {
    client.warnAbout?.(analysis, findings.at("clients", index));
  }
}

/** Clients put the server's name before a tool's, and some allow 60 or 64 characters in all. */
const LONG_NAME = 30;

function warnAboutCommand(server: StdioServer, secrets: Secrets, findings: McpFindings): void {
  const { command, args } = server;
  if (looksLikeCommandLine(command)) {
    findings.at("command").add("command-line", { line: splitCommandLine(command) });
  }
  for (const [index, argument] of args.entries()) {
    if (!isCommandLine(argument, args[index - 1]) || takesCommandLine(server)) continue;
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
const PROTOCOL_HEADERS: ReadonlySet<string> = new Set([
  ...["accept", "connection", "content-length", "content-type", "host", "transfer-encoding"],
  ...["mcp-protocol-version", "mcp-session-id"],
]);

function warnAboutHeaders(headers: StringMap, findings: McpFindings): void {
  for (const [name, value] of Object.entries(headers)) {
    if (PROTOCOL_HEADERS.has(name.toLowerCase())) findings.at(name).add("protocol-header");
    if (value !== value.trim()) findings.at(name).add("header-not-sent");
  }
}

/** One warning for each text and group of clients that pass a part of it on unreplaced. */
function warnAboutVariables(
  clients: readonly ClientDefinition[],
  analysis: ServerAnalysis,
  findings: McpFindings,
): void {
  const referring = new Map(analysis.references.map((text) => [text.path.join("\0"), text]));
  // Most texts have no such part, and most servers no such text.
  for (const text of analysis.texts.filter(({ value }) => /[$%~]|\{\w+:/.test(value))) {
    const at = findings.at(...text.path);
    const parts = listParts(text, analysis, referring.get(text.path.join("\0")));
    const kept = parts.flatMap(({ shown, isReplaced }) => {
      const names = clients.filter((client) => !isReplaced(client)).map(({ title }) => title);
      return names.length > 0 ? [{ shown, names }] : [];
    });
    for (const [first, ...others] of groupBy(kept, ({ names }) => names.join()).values()) {
      if (!first) continue;
      const { names } = first;
      const shown = showInvisible([first, ...others].map((part) => part.shown).join(", "));
      if (shown.startsWith("<")) at.add("reference-as-text/unknown", { shown, names });
      else if (shown === HOME) at.add("reference-as-text/home", { names });
      else at.add("reference-as-text", { shown, names });
    }
  }
  const { server } = analysis;
  if (server.transport !== "stdio" || !/^~[\\/]/.test(server.command)) return;
  const names = clients
    .filter((client) => !replacesPart(client, HOME, "command"))
    .map(({ title }) => title);
  if (names.length > 0) findings.at("command").add("command-not-found", { names });
}

const HOME = "~";

/** A part of a text that some client replaces. */
interface Part {
  /** `${NAME}` for a reference, `<NAME>` for one whose value is asked for. */
  readonly shown: string;
  readonly isReplaced: (client: ClientDefinition) => boolean;
}

function listParts(
  { path, value }: ServerText,
  { server, serverInputs }: ServerAnalysis,
  referring: ReferringText | undefined,
): readonly Part[] {
  const field = String(path[0]);
  const isScript = field === "args" && startsShell(server);
  const isForCmd = value.includes("://") || (field === "args" && startsCmd(server));
  const unknown = referring?.names.filter((name) => !serverInputs.get(name)?.value) ?? [];
  const others = Array.from(value.matchAll(VARIABLE), ([part]) => part).filter(
    (part) =>
      !(referring && isReference(part)) &&
      !(isScript && isForShell(part)) &&
      !(isForCmd && part.startsWith("%")),
  );
  // A command has a warning of its own, because most clients do not find such a program.
  const hasPaths = !isScript && (field === "args" || field === "env");
  const [home, flag] = (hasPaths && /^(--?[\w-]+=)?~(?:$|[\\/])/.exec(value)) || [];
  return [
    ...Array.from(new Set(unknown), (name) => ({
      shown: serverInputs.has(name) ? `<${name}>` : `\${${name}}`,
      isReplaced: (client: ClientDefinition) => replacesReferences(client, { path, value }),
    })),
    ...Array.from(new Set(others), (part) => ({
      shown: part,
      isReplaced: (client: ClientDefinition) => replacesPart(client, part, field),
    })),
    ...(home === undefined
      ? []
      : [
          {
            shown: HOME,
            isReplaced: (client: ClientDefinition) =>
              flag === undefined && replacesPart(client, HOME, field),
          },
        ]),
  ];
}

const VARIABLES = {
  inBraces: /\$\{(?:[A-Za-z_]\w*(?::[^}]*)?|\/)\}/,
  // `$name` is left out: it is a word of queries and schemas.
  ofShells: /(?<![\w$\\])\$(?:env:\w+|[A-Z_][A-Z\d_]*(?![\w$]))/,
  ofOpencode: /(?<!\$)\{(?:env|file):[^}]+\}/,
  // `%E2%` is a part of a URL.
  ofWindows: /%(?![\dA-F]{2}%)[A-Z_][A-Z\d_]+%/,
};

const VARIABLE = new RegExp(
  Object.values(VARIABLES)
    .map(({ source }) => source)
    .join("|"),
  "g",
);

const isReference = (part: string): boolean => {
  const [, name] = /^\$\{(\w[^:}]*)\}$/.exec(part) ?? [];
  return name !== undefined && isReferenceName(name);
};

/** True for a part that a shell replaces itself. `${workspaceFolder}` and `${env:NAME}` are for a client. */
const isForShell = (part: string): boolean =>
  /^(?:\$\{\w+:-|\$[A-Za-z_])/.test(part) || isReference(part);

/** cmd.exe replaces `%NAME%`, which in a URL is mostly encoded text. */
const startsCmd = (server: Server): boolean =>
  server.transport === "stdio" &&
  /(?:^|[\\/])cmd(?:\.exe)?$/i.test(server.command) &&
  server.args.some((arg) => /^\/c$/i.test(arg));
