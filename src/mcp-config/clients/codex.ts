import {
  aboutShell,
  type ClientRow,
  homeFile,
  homeVariable,
  inProject,
  projectFile,
  type ShellCommand,
  unlessEmpty,
} from "../client-definition.ts";
import {
  type HttpServer,
  listServerStrings,
  type McpServer,
  type StdioServer,
} from "../mcp-server.ts";
import { type Secrets, toValueArguments } from "../secrets.ts";
import {
  findReferences,
  parseBearerReference,
  parseReference,
  variableForServer,
} from "../variable-references.ts";
import type { ServerEntry } from "../write-json-toml.ts";

export const codex: ClientRow = {
  title: "Codex",
  program: "codex",
  source: "https://developers.openai.com/codex/mcp",
  verified: "2026-11-27, 0.171.0",
  format: "toml",
  rootKey: "mcp_servers",
  locations: [...homeFile(".codex/config.toml"), ...projectFile(".codex/config.toml")],
  entry: (server) => (server.transport === "stdio" ? stdioEntry(server) : httpEntry(server)),
  hasCwd: true,
  lacksSse: true,
  references: {
    replaces: ({ path: [field, key], value }) =>
      (field === "env" && parseReference(value) === key) ||
      (field === "headers" &&
        (parseReference(value) ?? bearerVariable(String(key), value)) !== undefined),
  },
  warnAbout({ server: { name } }, findings) {
    if (name === "codex_apps")
      findings.add("risky-server-name/reserved", { client: "Codex", name });
  },
  requiresStrings: true,
  onWrongEntry: "does not start",
  problemOf({ command, url, ...entry }) {
    if ("bearer_token" in entry) {
      return "must use bearer_token_env_var instead of bearer_token, with which Codex does not start";
    }
    const foreign = (command === undefined ? LOCAL_FIELDS : [...REMOTE_FIELDS, "url"]).find(
      (field) => field in { ...entry, ...(url !== undefined && { url }) },
    );
    const kind = command === undefined ? "a url" : "a command";
    return foreign && `must not set ${foreign} with ${kind}, or Codex does not start`;
  },
  fields: {
    env_vars: "envNames",
    http_headers: "headers",
    env_http_headers: "headerVariables",
    bearer_token: "token",
    bearer_token_env_var: "tokenVariable",
  },
  // https://developers.openai.com/codex/environment-variables
  home: [homeVariable("CODEX_HOME", ".codex")],
  install: { commands: codexAddCommand },
  addCommand: { programTakesRest: true },
  notes: ({ server, secrets }) => [
    "Any error in the file keeps Codex from starting.",
    inProject("Codex reads the project config only in folders that you trust."),
    ...(server.transport === "stdio" ? [] : aboutShell(loginNote(server, secrets))),
  ],
};

const LOCAL_FIELDS = ["args", "env", "env_vars", "cwd"];
const REMOTE_FIELDS = [
  ...["http_headers", "env_http_headers", "bearer_token_env_var"],
  ...["oauth", "oauth_resource"],
];

/** Codex passes on such variables from its environment. */
const isForwarded = ([key, value]: readonly [string, string]): boolean =>
  parseReference(value) === key;

function stdioEntry({ command, args, env }: StdioServer): ServerEntry {
  const variables = Object.entries(env);
  const names = variables.filter(isForwarded).map(([key]) => key);
  const literal = Object.fromEntries(variables.filter((variable) => !isForwarded(variable)));
  return {
    command,
    ...unlessEmpty("args", args),
    ...unlessEmpty("env_vars", names),
    ...unlessEmpty("env", literal),
  };
}

function httpEntry({ url, headers }: HttpServer): ServerEntry {
  const literal: [string, string][] = [];
  const variables: [string, string][] = [];
  let token: string | undefined;
  for (const [name, value] of Object.entries(headers)) {
    const bearer = bearerVariable(name, value);
    const variable = parseReference(value);
    if (bearer !== undefined) token = bearer;
    else if (variable !== undefined) variables.push([name, variable]);
    else literal.push([name, value]);
  }
  return {
    url,
    ...(token !== undefined && { bearer_token_env_var: token }),
    ...unlessEmpty("http_headers", Object.fromEntries(literal)),
    ...unlessEmpty("env_http_headers", Object.fromEntries(variables)),
  };
}

/** The variable in `Authorization: Bearer ${NAME}`. Codex has a separate field for it. */
function bearerVariable(name: string, value: string): string | undefined {
  if (name.toLowerCase() !== "authorization") return undefined;
  const parts = parseBearerReference(value);
  return parts?.scheme === "Bearer" ? parts.name : undefined;
}

function codexAddCommand(server: McpServer, secrets: Secrets): ShellCommand {
  const none = {
    because: "`codex mcp add` supports no references, and no headers except a bearer token",
  };
  const add = ["codex", "mcp", "add"];
  if (server.transport === "stdio") {
    if (hasReference(server)) return none;
    const env = toValueArguments("--env", "=", server, secrets);
    return { words: [...add, ...env, "--", server.name, server.command, ...server.args] };
  }
  const variable = findTokenVariable(server, secrets);
  const hasOtherHeaders = Object.keys(server.headers).length > 0 && variable === undefined;
  if (hasOtherHeaders || hasReference({ ...server, headers: {} })) return none;
  const token = variable === undefined ? [] : [`--bearer-token-env-var=${variable}`];
  return { words: [...add, `--url=${server.url}`, ...token, "--", server.name] };
}

/** Codex does not replace references in arguments, variables or URLs. */
const hasReference = (server: McpServer): boolean =>
  findReferences(server, listServerStrings(server)).length > 0;

/** The token's variable, if a bearer token is the only header. */
function findTokenVariable(
  { name: server, headers }: HttpServer,
  secrets: Secrets,
): string | undefined {
  const [name = "", ...others] = Object.keys(headers);
  if (others.length > 0) return undefined;
  const value = headers[name] ?? "";
  const variable = bearerVariable(name, value);
  const isLiteral =
    !secrets.inCommands && name.toLowerCase() === "authorization" && /^Bearer [^\s$]+$/.test(value);
  return variable ?? (isLiteral ? variableForServer(server, name) : undefined);
}

function loginNote(server: HttpServer, secrets: Secrets): string {
  const variable = findTokenVariable(server, secrets);
  return variable === undefined
    ? "If the server requires a login, the shell command opens it in the browser."
    : `With the shell command, Codex reads the token itself, without "Bearer", from ${variable} whenever it starts.`;
}
