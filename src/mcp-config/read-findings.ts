import {
  error,
  type FindingArgs,
  Findings,
  info,
  type RejectionWords,
  type WarningWords,
  warning,
} from "../findings.ts";
import { plural } from "../text.ts";
import type { mcpFindings } from "./findings.ts";
import { quoted } from "./formats.ts";

/** The words of all findings about what a reader reads: a config, a command line or a server.json. */
export type ReadFindings = Findings<typeof readFindings>;

interface Name {
  readonly name: string;
}

const warnings = {
  "left-out": warning("is a setting of one client and was skipped"),
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
      `has ${plural(lines.length, "line")} that no server was read from: ${shortLines(lines)}`,
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
} satisfies Omit<WarningWords<"mcp_config_generator">, keyof typeof mcpFindings>;

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

const rejections = {
  "block-not-chosen": error(
    ({ blocks }: { blocks: readonly { line: number; servers: readonly string[] }[] }) =>
      `has ${plural(blocks.length, "block")} with servers; choose one (--block N): ${blocks.map(({ line, servers }, index) => `${index + 1} in line ${line}, ${servers.join(", ")}`).join("; ")}`,
  ),
  empty: error("is empty"),
  "host-not-set": error("has a host that you choose, {url}; give it with --set {host}=VALUE"),
  "no-accepted-server": error(
    (args: LeftOut) => `has no server that a client accepts: ${listReasons(args)}`,
  ),
  "no-config": error(
    "has no MCP server: give a client's config, a README with one, or a line that adds one, such as claude mcp add",
  ),
  "no-package": error(
    (args: LeftOut) => `has no package that a client can start: ${listReasons(args)}`,
  ),
  "no-server-json": error("is not a server.json of the MCP registry"),
  "no-servers": error(() => 'has no servers, as in { "mcpServers": { "name": { … } } }'),
  "no-target": error(
    ({ keys }: { keys: readonly string[] }) =>
      `has neither a command nor a url${keys.length === 0 ? "" : `, only ${keys.map(quoted).join(", ")}`}`,
  ),
  "no-way": error("describes no way to run the server: it has no packages and no remotes"),
  "not-a-list": error("must be a list"),
  "not-a-text": error("must be a string"),
  "not-an-object": error("must be an object"),
  "not-parsed": error(({ problem }: { problem: string }) => problem),
  "not-started-by-clients": error(
    "{identifier} is a server that you start yourself, for {transport}",
  ),
  "option-without": error("needs {wanted} after {option}"),
  "package-kind": error("no client starts a package of the kind {kind} ({identifier})"),
  "package-not-there": error(
    ({ wanted, kinds, left_out }: LeftOut & { wanted: string; kinds: readonly string[] }) =>
      `has no ${wanted} package that a client can start; it has ${kinds.join(", ")}${left_out.length > 0 ? ` (skipped: ${listReasons({ left_out })})` : ""}`,
  ),
  "registry-other": error(
    "{identifier} is in the registry {registry}; {command} would fetch the package of that name from {usual}",
  ),
  "set-unknown": error(
    ({ unknown, known }: Record<"unknown" | "known", readonly string[]>) =>
      `has no variable ${unknown.join(", ")}; it has ${known.join(", ") || "none"}`,
  ),
  "set-value": error("{name} must be {wanted}"),
  "shell-syntax": error(({ text, where }: ShellProblem) =>
    where === "open"
      ? `has a ${text} that does not end`
      : `has ${quoted(text)} ${where}, which a shell interprets; ${/[(`]/.test(text) ? "write what it stands for" : "put it in quotes, or give only the command that starts the server"}`,
  ),
  template: error("is a template in which {part} is not filled in"),
  "transport-unknown": error("no client supports the transport {type}"),
  "web-socket": error("is reached over WebSocket, which only one client supports"),
  "words-beside-url": error(
    "has words besides a name and a URL; put a value with spaces in quotes",
  ),
} satisfies RejectionWords;

export const readFindings = { ...warnings, ...rejections };

/** @throws {InvalidInputError} with this finding alone, about the whole text, or at a path in it. */
export function reject<Code extends keyof typeof rejections>(
  ...finding: FindingArgs<typeof rejections, Code>
): never {
  return new Findings(rejections).fail(...finding);
}
