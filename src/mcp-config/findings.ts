import {
  error,
  type Findings,
  info,
  type RejectionWords,
  type WarningWords,
  warning,
} from "../findings.ts";
import { listInWords } from "../text.ts";
import { quoted } from "./formats.ts";

/** The words of all findings about a server and its configs; `read-findings.ts` has those of readers. */
export type McpFindings = Findings<typeof mcpFindings>;

interface Names {
  readonly names: readonly string[];
}

interface Client {
  /** The client's title. */
  readonly client: string;
}

const warnings = {
  "unsplit-command": warning(
    ({ line }: { line?: { command: string; args: readonly string[] } | undefined }) =>
      `looks like a whole command line; put each argument into \`args\`${line ? `: command ${quoted(line.command)}, args [${line.args.map(quoted).join(", ")}]` : ""}`,
  ),
  "unsplit-command/argument": warning(
    "looks like several arguments; put each into an item of its own",
  ),
  "command-not-found": warning(
    ({ client, path }: Client & { path: string }) =>
      `${client} starts programs in a folder of its own, and does not find ${quoted(path)} there; write the whole path`,
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
      `pass on ${listInWords(names, "and")}, which many clients do not have in their environment; add to env: ${names.map((name) => `${name} with \${${name}} or the value`).join(", ")}`,
  ),
  "header-whitespace": warning("has spaces at its start or end, which are not sent; remove them"),
  "left-out/cwd": warning(
    ({ cwd, names }: Names & { cwd: string }) =>
      `cwd, ${quoted(cwd)}, has no place in an entry of ${listInWords(names, "or")} and is left out`,
  ),
  placeholder: warning(
    ({ text }: { text: string }) => `has the placeholder ${quoted(text)}; write your value there`,
  ),
  "plain-http": warning("is not encrypted; use https unless the network is your own"),
  "protocol-header": warning(
    "is set by the protocol itself and may break the connection; leave it out",
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
    "{client} does not speak SSE, so the entry starts the bridge mcp-remote, which needs Node.js; if the server has a URL for Streamable HTTP, use that",
  ),
  "risky-server-name": warning(
    "is long: clients put it before each tool's name, and both together may have 60 characters; {most} or fewer are safe",
  ),
  "risky-server-name/double": warning(
    'has "__", which clients put between server and tool; use one "_"',
  ),
  "risky-server-name/underscore": warning(
    '{client} does not apply its policies to a server with "_" in its name, and does not say so; use "-"',
  ),
  "risky-server-name/reserved": warning(
    "{client} keeps the name {name} for itself and does not load this server; choose another",
  ),
  "windows-argument": info(
    ({ client, command }: Client & { command: string }) =>
      `${client} starts ${quoted(command)} through cmd.exe on Windows, which breaks at a space and may interpret &, |, <, >, ^ or % in an argument; try it there first`,
  ),
} satisfies Partial<WarningWords<"mcp_config_generator">>;

/** Why a field is no part of such a server. Codex does not start at all with such an entry. */
const OTHER_KIND = {
  url: "`command`: a server is either local or remote",
  args: "`url`: a remote server is not started",
  env: "`url`: a remote server has `headers` instead",
  headers: "`command`: a local server has `env` instead",
} as const;

const rejections = {
  "blank-command": error("must not be blank"),
  "half-pair": error("must not have half of a surrogate pair"),
  "header-characters": error("must have only ASCII characters and no control character"),
  "header-repeated": error("is the same header as {same}; keep one of them"),
  "no-kind": error(
    "must have `command`, the program of a local server, or `url`, the address of a remote one",
  ),
  nul: error("must not have a NUL character"),
  "of-other-kind": error(
    ({ field }: { field: keyof typeof OTHER_KIND }) => `must be left out with ${OTHER_KIND[field]}`,
  ),
  "of-other-transport": error(
    ({ transport }: { transport: string }) =>
      `must be left out with the transport ${transport}: only ${transport === "stdio" ? "a local server (`command`)" : "a remote server (`url`)"} has it`,
  ),
  "prototype-name": error(
    "must not be named __proto__, which clients lose when they read the file",
  ),
  "result-too-large": error(
    "makes a result of more than {bytes} bytes; shorten it, hidden characters first",
  ),
  "secret-in-readme": error(
    () => "seems to hold a secret, which a README must not show; write it as ${NAME}",
  ),
  "url-host": error("must have a host and a valid port, as in https://example.com/mcp"),
  "url-scheme": error("must start with http:// or https://"),
  "url-user": error("must not have a user or password; use an Authorization header"),
} satisfies RejectionWords;

export const mcpFindings = { ...warnings, ...rejections };
