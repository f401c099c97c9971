import {
  error,
  type FindingArgs,
  Findings,
  info,
  type RejectionMessages,
  type WarningMessages,
  warning,
} from "../findings.ts";
import { formatCount, joinWithConjunction } from "../text.ts";
import { toVisibleJsonString } from "./write-json-toml.ts";

/** The findings about a server, its configs and the files it comes from. */
export type McpFindings = Findings<typeof mcpFindings>;

interface Names {
  readonly names: readonly string[];
}

const warnings = {
  "unsplit-command": warning(
    ({ line }: { line?: { command: string; args: readonly string[] } | undefined }) =>
      `looks like a command with arguments; move the arguments to \`args\`${line ? `: command ${toVisibleJsonString(line.command)}, args [${line.args.map(toVisibleJsonString).join(", ")}]` : ""}`,
  ),
  "unsplit-command/argument": warning("looks like several arguments; make each a separate item"),
  "command-not-found": warning(
    ({ client, path }: Record<"client" | "path", string>) =>
      `${client} cannot find ${toVisibleJsonString(path)}, because it starts servers in its own folder; use an absolute path`,
  ),
  "command-not-found/split": warning(
    "{client} splits a command that contains spaces and has no args; for {client} only, put it in double quotes",
  ),
  "container-option": warning(
    "needs -i before the image; without it, docker passes no input to the server",
  ),
  "container-option/terminal": warning(
    "asks for a terminal, which clients do not provide; use only -i",
  ),
  "container-variable": warning("does not reach the container; add -e {name} before the image"),
  "container-variable/missing": info(
    ({ names }: Names) =>
      `many clients do not pass ${joinWithConjunction(names, "and")} to servers; add to env: ${names.map((name) => `${name} with \${${name}} or the value`).join(", ")}`,
  ),
  "header-whitespace": warning("starts or ends with spaces, which are not sent; remove them"),
  "left-out": warning("is a setting of one client and was skipped"),
  "left-out/cwd": warning(
    ({ cwd, names }: Names & { cwd: string }) =>
      `cwd (${toVisibleJsonString(cwd)}) is skipped for ${joinWithConjunction(names, "and")}, which cannot set it`,
  ),
  "left-out/cwd-variable": warning(
    "has a part that other clients do not replace, and was skipped; write the whole path",
  ),
  "left-out/disabled": warning(
    "was skipped: {name} is disabled here and will start in other clients",
  ),
  "left-out/empty": warning("has no value and was skipped"),
  "left-out/env-file": warning(
    "was skipped with the variables in that file; add the variables that the server needs to env",
  ),
  "left-out/foreign": warning("is not a field of a {kind} server and was skipped"),
  "left-out/lines": info(
    ({ lines }: { lines: readonly string[] }) =>
      `has ${formatCount(lines.length, "line")} without a server: ${maskAndShortenLines(lines)}`,
  ),
  "left-out/optional": info(
    ({ names }: { names: readonly string[] }) =>
      `skips optional values: ${names.join(", ")}; set one with --var NAME=VALUE`,
    ({ names }: { names: readonly string[] }) =>
      `${joinWithConjunction(names, "and")} ${names.length > 1 ? "are optional and were left out; add them under the variables if you need them" : "is optional and was left out; add it under the variables if you need it"}.`,
  ),
  "left-out/package": info("{name} was skipped: {reason}"),
  "left-out/server": warning("was skipped: {reason}"),
  "manifest-unclear": warning("contains {text}, but does not define it"),
  "manifest-unclear/defaults": warning(
    "has different defaults for {name} ({defaults}), which are kept; to use one value, add --var {name}=VALUE",
    "The server.json has different defaults for {name} ({defaults}), which are kept.",
  ),
  "manifest-unclear/schema": warning(
    "follows the schema of {date}; it was read with the schema of {latest}",
  ),
  "manifest-version": warning(
    "is a template without a version ({version}); clients will start the newest version",
  ),
  "package-chosen": info(
    ({ identifier, others }: { identifier: string; others: readonly string[] }) =>
      `was chosen: ${identifier}; choose another with --via: ${others.join(", ")}`,
  ),
  placeholder: warning(
    ({ text }: { text: string }) =>
      `contains the placeholder ${toVisibleJsonString(text)}; replace it with your value`,
  ),
  "plain-http": warning("is not encrypted; use https unless the network is your own"),
  "protocol-header": warning(
    "is set by the protocol, and may break the connection here; remove it",
  ),
  "read-as": warning(
    ({ found, titles }: Record<"found" | "titles", readonly string[]>) =>
      `contains ${found.join(", ")}, a variable in ${titles.join(", ")} but plain text in other clients; it was read as a reference`,
  ),
  "read-as/input": warning(
    ({ id, name }: Record<"id" | "name", string>) =>
      `prompts for ${id} in VS Code; it was read as \${${name}}, so set that variable`,
  ),
  "read-as/name": warning(
    ({ name, isTaken }: { name: string; isTaken: boolean }) =>
      `has ${isTaken ? "the name of another server" : "a name that some clients reject"}, so it was renamed to ${name}`,
  ),
  "read-as/secret": info(
    "keeps the reference to the secret {name}; its value is written only for clients without references, never into a README",
  ),
  "read-as/url": warning(
    ({ found, variables }: Record<"found" | "variables", readonly string[]>) =>
      `contains placeholders: replace ${found.join(", ")} with your values, or set the variables ${variables.join(", ")}`,
  ),
  "unsupported-reference": warning(
    "contains {shown}, which {keepers} cannot replace; write the value itself there",
  ),
  "secret-in-args": warning(
    "seems to hold a secret, which process lists and shell commands show; move it to `env` if the server reads it there",
  ),
  "secret-in-url": warning(
    "seems to hold a secret in its {place}, which ends up in logs and shell commands; use a header if the server accepts one",
  ),
  "sse-transport": warning(
    "ends in /sse like the URL of an SSE server, but is written for Streamable HTTP; use the server's Streamable HTTP URL, or set the transport to sse",
    "ends in /sse like the URL of an SSE server; if it is one, choose SSE below.",
  ),
  "sse-transport/bridge": warning(
    "{client} does not support SSE, so the entry starts the bridge mcp-remote, which needs Node.js; if the server has a Streamable HTTP URL, use it",
  ),
  "risky-server-name": warning(
    "is long: clients put it before each tool's name, and some allow only 60 characters in all; use at most {most}",
  ),
  "risky-server-name/double": warning(
    'contains "__", which clients put between server and tool; use one "_"',
  ),
  "risky-server-name/reserved": warning(
    "{client} reserves the name {name} and does not load this server; choose another name",
  ),
  "risky-server-name/underscore": warning(
    '{client} silently ignores its policies for a server with "_" in its name; use "-"',
  ),
  "windows-argument": info(
    ({ client, command }: Record<"client" | "command", string>) =>
      `${client} starts ${toVisibleJsonString(command)} through cmd.exe on Windows, which may split arguments at spaces and interpret &, |, <, >, ^ or %; test it there first`,
  ),
} satisfies WarningMessages<"mcp_config_generator">;

/** Shortens the first lines and hides their values, which may be secret. */
const maskAndShortenLines = (lines: readonly string[]): string =>
  [
    ...lines.slice(0, 3).map((line) => line.replace(/=.*|(?<=^.{40}).+/s, "…")),
    ...(lines.length > 3 ? ["…"] : []),
  ].join("; ");

interface LeftOut {
  readonly left_out: readonly { readonly name: string; readonly reason: string }[];
}

const listReasons = ({ left_out }: LeftOut): string =>
  left_out.map(({ name, reason }) => `${name}: ${reason}`).join("; ");

/** The part of a shell command that does more than start one program. */
export interface ShellProblem {
  readonly text: string;
  readonly where: "open" | "outside quotes" | "in double quotes";
}

/** Why the field is invalid for this kind of server. Codex does not start with such an entry. */
const OTHER_KIND = {
  url: "`command`: a server is either local or remote",
  args: "`url`: clients do not start remote servers",
  env: "`url`: use `headers` for a remote server",
  headers: "`command`: use `env` for a local server",
} as const;

const rejections = {
  "blank-command": error("must not be blank"),
  "block-not-chosen": error(
    ({ blocks }: { blocks: readonly { line: number; servers: readonly string[] }[] }) =>
      `contains ${formatCount(blocks.length, "code block")} with servers; choose one with --block N: ${blocks.map(({ line, servers }, index) => `${index + 1} in line ${line}, ${servers.join(", ")}`).join("; ")}`,
  ),
  empty: error("must not be empty"),
  "half-pair": error("must be valid Unicode: a surrogate is not paired"),
  "header-characters": error("must contain only ASCII characters and no control characters"),
  "header-repeated": error("repeats the header {same}; keep one of them"),
  "host-not-set": error(
    "needs your host in {url}; add --var {host}=VALUE",
    "This server.json needs your host: paste {url} with your host in place of the placeholder.",
  ),
  "no-accepted-server": error(
    (args: LeftOut) => `contains no server that a client accepts: ${listReasons(args)}`,
  ),
  "no-config": error(
    "must contain an MCP server: a client's config, a README with one, or a command such as claude mcp add",
  ),
  "no-kind": error("must have `command` for a local server, or `url` for a remote server"),
  "no-package": error(
    (args: LeftOut) => `contains no package that a client can start: ${listReasons(args)}`,
  ),
  "no-server-json": error("must be a server.json of the MCP registry"),
  "no-servers": error(() => 'must contain servers, as in { "mcpServers": { "name": { … } } }'),
  "no-target": error(({ keys }: { keys: readonly string[] }) =>
    keys.includes("baseUrl")
      ? "must use url instead of baseUrl, which no client reads"
      : `must have a command or a url${keys.length === 0 ? "" : `, but has only ${keys.map(toVisibleJsonString).join(", ")}`}`,
  ),
  "no-way": error("must have packages or remotes; without them there is no way to run the server"),
  "not-a-list": error("must be a list"),
  "not-a-text": error("must be a string"),
  "not-an-object": error("must be an object"),
  "not-parsed": error(({ problem }: { problem: string }) => problem),
  "not-started-by-clients": error("{identifier} uses {transport}, so you must start it yourself"),
  nul: error("must not contain a NUL character"),
  "of-other-kind": error(
    ({ field }: { field: keyof typeof OTHER_KIND }) => `must not be set with ${OTHER_KIND[field]}`,
  ),
  "of-other-transport": error(
    ({ transport }: { transport: string }) =>
      `must not be set with the transport ${transport}, which is only for ${transport === "stdio" ? "local servers (`command`)" : "remote servers (`url`)"}`,
  ),
  "option-without": error("needs {wanted} after {option}"),
  "package-kind": error("no client can start {kind} packages ({identifier})"),
  "package-not-there": error(
    ({ wanted, available, left_out }: LeftOut & { wanted: string; available: readonly string[] }) =>
      `has no ${wanted} package that a client can start; it has ${available.join(", ")}${left_out.length > 0 ? ` (skipped: ${listReasons({ left_out })})` : ""}`,
  ),
  "prototype-name": error(
    "must not be named __proto__: clients lose this name when they read the file",
  ),
  quoted: error("must not be quoted: remove the > before each line"),
  "registry-other": error(
    "{identifier} is in the registry {registry}, but {command} would fetch a package of that name from {usual}",
  ),
  "result-too-large": error(
    "must be shorter: the result would exceed {bytes} bytes; remove hidden characters first",
  ),
  "secret-in-readme": error(
    () => "seems to hold a secret, which a README must not show; write it as ${NAME}",
  ),
  "set-unknown": error(
    ({ unknown, known }: Record<"unknown" | "known", readonly string[]>) =>
      `has no variable ${unknown.join(", ")}; it has ${known.join(", ") || "none"}`,
  ),
  "set-value": error("{name} must be {wanted}"),
  "shell-syntax": error(({ text, where }: ShellProblem) =>
    where === "open"
      ? `has an unclosed ${text}`
      : `has ${toVisibleJsonString(text)} ${where}, which a shell interprets; ${/[(`]/.test(text) ? "write its value instead" : "put it in quotes, or use only the command that starts the server"}`,
  ),
  smithery: error(
    "names a server of Smithery's registry, which is not supported; give the server's URL or its command",
  ),
  template: error("is a template in which {part} is not filled in"),
  "transport-unknown": error("no client supports the transport {type}"),
  "url-host": error("must have a host and a valid port, as in https://example.com/mcp"),
  "url-scheme": error("must start with http:// or https://"),
  "url-user": error("must not have a user or password; use an Authorization header"),
  "web-socket": error("uses WebSocket, which only one client supports"),
  yaml: error("must be JSON or TOML; YAML is not supported"),
  "words-beside-url": error("must be only a name and a URL; put values with spaces in quotes"),
} satisfies RejectionMessages;

export const mcpFindings = { ...warnings, ...rejections };

/** @throws {InvalidInputError} with this finding alone, for the whole text or a path in it. */
export function reject<Code extends keyof typeof rejections>(
  ...finding: FindingArgs<typeof rejections, Code>
): never {
  return new Findings(rejections).fail(...finding);
}
