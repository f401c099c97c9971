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
import { quoteForMessage } from "./write-json-toml.ts";

/** The words of all findings about a server, its configs and the texts that it is read from. */
export type McpFindings = Findings<typeof mcpFindings>;

interface Names {
  readonly names: readonly string[];
}

interface ClientTitle {
  /** The client's title. */
  readonly client: string;
}

interface Name {
  readonly name: string;
}

const warnings = {
  "unsplit-command": warning(
    ({ line }: { line?: { command: string; args: readonly string[] } | undefined }) =>
      `looks like a whole command line; put each argument into \`args\`${line ? `: command ${quoteForMessage(line.command)}, args [${line.args.map(quoteForMessage).join(", ")}]` : ""}`,
  ),
  "unsplit-command/argument": warning(
    "looks like several arguments; put each into an item of its own",
  ),
  "command-not-found": warning(
    ({ client, path }: ClientTitle & { path: string }) =>
      `${client} starts programs in a folder of its own, and does not find ${quoteForMessage(path)} there; write the whole path`,
  ),
  "command-not-found/split": warning(
    "{client} splits a command with spaces and no args into words; for {client} alone, put double quotes around it",
  ),
  "container-option": warning(
    "has no -i before the image, without which docker gives the server no input; add it there",
  ),
  "container-option/terminal": warning(
    "asks for a terminal, which a client does not have; write -i alone",
  ),
  "container-variable": warning(
    "does not reach the container; pass it on with -e {name} before the image",
  ),
  "container-variable/missing": info(
    ({ names }: Names) =>
      `pass on ${joinWithConjunction(names, "and")}, which many clients do not have in their environment; add to env: ${names.map((name) => `${name} with \${${name}} or the value`).join(", ")}`,
  ),
  "header-whitespace": warning("has spaces at its start or end, which are not sent; remove them"),
  "left-out": warning("is a setting of one client and was skipped"),
  "left-out/cwd": warning(
    ({ cwd, names }: Names & { cwd: string }) =>
      `cwd, ${quoteForMessage(cwd)}, is not supported in an entry of ${joinWithConjunction(names, "or")} and is skipped`,
  ),
  "left-out/cwd-variable": warning(
    "has a part that other clients do not replace, and was skipped; write the whole path",
  ),
  "left-out/disabled": warning(
    "was skipped: {name} is disabled here and will start in other clients",
  ),
  "left-out/empty": warning("has no value and was skipped"),
  "left-out/env-file": warning(
    "was skipped with the variables in that file: add those that the server needs to env",
  ),
  "left-out/foreign": warning("is not a field of a {kind} server and was skipped"),
  "left-out/lines": info(
    ({ lines }: { lines: readonly string[] }) =>
      `has ${formatCount(lines.length, "line")} that no server was read from: ${shortLines(lines)}`,
  ),
  "left-out/optional": info(
    ({ names }: { names: readonly string[] }) =>
      `skips optional values: ${names.join(", ")}; give a value with --var NAME=VALUE`,
  ),
  "left-out/package": info("{name} was skipped: {reason}"),
  "left-out/server": warning("was skipped: {reason}"),
  "manifest-unclear": warning("has {text} in a value and does not define it"),
  "manifest-unclear/defaults": warning(
    "gives {name} the defaults {defaults}, and each place keeps its own; --var {name}=VALUE is for all of them",
  ),
  "manifest-unclear/schema": warning(
    "follows the schema of {date}; it is read by the schema of {latest}",
  ),
  "manifest-version": warning(
    "is a template in which the version {version} is not filled in; the newest one is started",
  ),
  "package-chosen": info(
    ({ identifier, others }: { identifier: string; others: readonly string[] }) =>
      `is used, ${identifier}; --via chooses another: ${others.join(", ")}`,
  ),
  placeholder: warning(
    ({ text }: { text: string }) =>
      `has the placeholder ${quoteForMessage(text)}; write your value there`,
  ),
  "plain-http": warning("is not encrypted; use https unless the network is your own"),
  "protocol-header": warning(
    "is set by the protocol itself and may break the connection; leave it out",
  ),
  "read-as": warning(
    ({ found, titles }: Record<"found" | "titles", readonly string[]>) =>
      `has ${found.join(", ")}, a variable for ${titles.join(", ")} and text for other clients with such a file; it was read as a reference`,
  ),
  "read-as/input": warning(
    ({ id, name }: Name & { id: string }) =>
      `asks for ${id} in VS Code, and was read as \${${name}}: set that variable`,
  ),
  "read-as/name": warning(
    ({ name, isTaken }: Name & { isTaken: boolean }) =>
      `has ${isTaken ? "the name of another server" : "a name that not every client accepts"}, and was renamed to ${name}`,
  ),
  "read-as/secret": info(
    "keeps the reference to {name}, which is a secret; its value is written only for clients without references, and never into a README",
  ),
  "read-as/url": warning(
    ({ found, variables }: Record<"found" | "variables", readonly string[]>) =>
      `has placeholders: write your values for ${found.join(", ")}, or set the variables ${variables.join(", ")}`,
  ),
  "unsupported-reference": warning(
    "keeps {shown} as text in {keepers}; write the value itself there",
  ),
  "secret-in-args": warning(
    "seems to hold a secret, which process lists and the shell commands show; give it in `env` if the server reads it there",
  ),
  "secret-in-url": warning(
    "seems to have a secret in its {place}, which ends up in logs and in the shell commands; use a header if the server accepts one",
  ),
  "sse-transport": warning(
    "ends in /sse, as the URL of an SSE server does, but is written for Streamable HTTP; use the server's URL for that, or the transport sse, which command line, library and page have",
  ),
  "sse-transport/bridge": warning(
    "{client} does not support SSE, so the entry starts the bridge mcp-remote, which needs Node.js; if the server has a URL for Streamable HTTP, use that",
  ),
  "risky-server-name": warning(
    "is long: clients put it before each tool's name, and some allow 60 characters for both; use at most {most}",
  ),
  "risky-server-name/double": warning(
    'has "__", which clients put between server and tool; use one "_"',
  ),
  "risky-server-name/reserved": warning(
    "{client} reserves the name {name} and does not load this server; choose another",
  ),
  "risky-server-name/underscore": warning(
    '{client} does not apply its policies to a server with "_" in its name, and does not say so; use "-"',
  ),
  "windows-argument": info(
    ({ client, command }: ClientTitle & { command: string }) =>
      `${client} starts ${quoteForMessage(command)} through cmd.exe on Windows, which breaks at a space and may interpret &, |, <, >, ^ or % in an argument; try it there first`,
  ),
} satisfies WarningMessages<"mcp_config_generator">;

/** The first lines, without values, which may be secret. */
const shortLines = (lines: readonly string[]): string =>
  [
    ...lines.slice(0, 3).map((line) => line.replace(/=.*|(?<=^.{40}).+/s, "…")),
    ...(lines.length > 3 ? ["…"] : []),
  ].join("; ");

interface LeftOut {
  readonly left_out: readonly { readonly name: string; readonly reason: string }[];
}

const listReasons = ({ left_out }: LeftOut): string =>
  left_out.map(({ name, reason }) => `${name}: ${reason}`).join("; ");

/** Where a line has what a shell would do more with than start one program. */
export interface ShellProblem {
  readonly text: string;
  readonly where: "open" | "outside quotes" | "in double quotes";
}

/** Why a field is no part of such a server. Codex does not start at all with such an entry. */
const OTHER_KIND = {
  url: "`command`: a server is either local or remote",
  args: "`url`: a remote server is not started",
  env: "`url`: a remote server has `headers` instead",
  headers: "`command`: a local server has `env` instead",
} as const;

const rejections = {
  "blank-command": error("must not be blank"),
  "block-not-chosen": error(
    ({ blocks }: { blocks: readonly { line: number; servers: readonly string[] }[] }) =>
      `has ${formatCount(blocks.length, "block")} with servers; choose one (--block N): ${blocks.map(({ line, servers }, index) => `${index + 1} in line ${line}, ${servers.join(", ")}`).join("; ")}`,
  ),
  empty: error("is empty"),
  "half-pair": error("must not have half of a surrogate pair"),
  "header-characters": error("must have only ASCII characters and no control character"),
  "header-repeated": error("is the same header as {same}; keep one of them"),
  "host-not-set": error("has a host that you choose, {url}; give it with --var {host}=VALUE"),
  "no-accepted-server": error(
    (args: LeftOut) => `has no server that a client accepts: ${listReasons(args)}`,
  ),
  "no-config": error(
    "has no MCP server: give a client's config, a README with one, or a line that adds one, such as claude mcp add",
  ),
  "no-kind": error(
    "must have `command`, the program of a local server, or `url`, the URL of a remote one",
  ),
  "no-package": error(
    (args: LeftOut) => `has no package that a client can start: ${listReasons(args)}`,
  ),
  "no-server-json": error("is not a server.json of the MCP registry"),
  "no-servers": error(() => 'has no servers, as in { "mcpServers": { "name": { … } } }'),
  "no-target": error(({ keys }: { keys: readonly string[] }) =>
    keys.includes("baseUrl")
      ? "has baseUrl, which no client reads; write url"
      : `has neither a command nor a url${keys.length === 0 ? "" : `, only ${keys.map(quoteForMessage).join(", ")}`}`,
  ),
  "no-way": error("describes no way to run the server: it has no packages and no remotes"),
  "not-a-list": error("must be a list"),
  "not-a-text": error("must be a string"),
  "not-an-object": error("must be an object"),
  "not-parsed": error(({ problem }: { problem: string }) => problem),
  "not-started-by-clients": error(
    "{identifier} is a server that you start yourself, for {transport}",
  ),
  nul: error("must not have a NUL character"),
  "of-other-kind": error(
    ({ field }: { field: keyof typeof OTHER_KIND }) => `must be left out with ${OTHER_KIND[field]}`,
  ),
  "of-other-transport": error(
    ({ transport }: { transport: string }) =>
      `must be left out with the transport ${transport}: only ${transport === "stdio" ? "a local server (`command`)" : "a remote server (`url`)"} has it`,
  ),
  "option-without": error("needs {wanted} after {option}"),
  "package-kind": error("no client starts a package of the kind {kind} ({identifier})"),
  "package-not-there": error(
    ({ wanted, kinds, left_out }: LeftOut & { wanted: string; kinds: readonly string[] }) =>
      `has no ${wanted} package that a client can start; it has ${kinds.join(", ")}${left_out.length > 0 ? ` (skipped: ${listReasons({ left_out })})` : ""}`,
  ),
  "prototype-name": error(
    "must not be named __proto__, which clients lose when they read the file",
  ),
  quoted: error("has a > before each line; remove these marks of a quotation"),
  "registry-other": error(
    "{identifier} is in the registry {registry}; {command} would fetch the package of that name from {usual}",
  ),
  "result-too-large": error(
    "makes a result of more than {bytes} bytes; shorten it, hidden characters first",
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
      ? `has a ${text} that does not end`
      : `has ${quoteForMessage(text)} ${where}, which a shell interprets; ${/[(`]/.test(text) ? "write what it stands for" : "put it in quotes, or give only the command that starts the server"}`,
  ),
  smithery: error(
    "names a server of Smithery's registry, which is not supported; give the server's URL or its command",
  ),
  template: error("is a template in which {part} is not filled in"),
  "transport-unknown": error("no client supports the transport {type}"),
  "url-host": error("must have a host and a valid port, as in https://example.com/mcp"),
  "url-scheme": error("must start with http:// or https://"),
  "url-user": error("must not have a user or password; use an Authorization header"),
  "web-socket": error("is reached over WebSocket, which only one client supports"),
  yaml: error("is YAML, which is not supported; give JSON or TOML"),
  "words-beside-url": error(
    "has words besides a name and a URL; put a value with spaces in quotes",
  ),
} satisfies RejectionMessages;

export const mcpFindings = { ...warnings, ...rejections };

/** @throws {InvalidInputError} with this finding alone, about the whole text, or at a path in it. */
export function reject<Code extends keyof typeof rejections>(
  ...finding: FindingArgs<typeof rejections, Code>
): never {
  return new Findings(rejections).fail(...finding);
}
