import { toServerName } from "../../schemas/common.ts";
import type { McpConfigInput } from "../../schemas/mcp-config.ts";
import { parseContainerRun } from "./container-warnings.ts";
import { unionPattern } from "./json-values.ts";

/**
 * Finds the distinctive part of a name, as a server name that every client accepts: `auth0` for the
 * manifest `com.auth0/mcp`, the package `@auth0/mcp-server@1.0.0`, the image `ghcr.io/auth0/mcp:1`
 * and the URL `https://mcp.auth0.com/mcp`.
 *
 * @param text a registry name, package, image, path or URL.
 * @returns undefined if no part is distinctive, as in `mcp-server`.
 */
export function findDistinctiveName(text: string): string | undefined {
  const [, host] = /^https?:\/\/([^/?#:]+)/i.exec(text) ?? [];
  const parts = host === undefined ? splitName(text) : host.split(".").reverse();
  return parts
    .map((part) => toServerName(part.replace(GENERIC_AFFIXES, "")))
    .findLast(
      (name) =>
        name !== undefined && !GENERIC_NAME_PARTS.has(name.toLowerCase()) && !/^\d+$/.test(name),
    );
}

/** The namespace's labels or the folders, and the last part without version and extension. */
function splitName(text: string): string[] {
  const segments = text.split(/[/\\]+/);
  const last = (segments.pop() ?? "")
    .replace(/(?<=.)[@:=~<>[].*$/s, "")
    .replace(/\.(?:[cm]?[jt]s|py|jar|exe|cmd|bat|sh)$/i, "");
  return [...segments.flatMap((segment) => segment.split(".")), last];
}

/** Affixes around the distinctive part, as in `mcp-server-files` and `files_mcp`. */
const GENERIC_AFFIXES = /^@?(?:mcp[-_])?server[-_]|^@?mcp[-_]|^@|[-_]mcp(?:[-_]server)?$/gi;

/** Generic words: kinds of servers, languages, build folders, parts of domains. */
const GENERIC_NAME_PARTS: ReadonlySet<string> = new Set([
  ..."mcp mcps server servers remote local modelcontextprotocol stdio http sse api app cli".split(
    " ",
  ),
  ..."www python python2 python3 node typescript ts js main index build dist src bin out lib".split(
    " ",
  ),
  ..."com org net io ai dev co".split(" "),
]);

/** The part of an input that connects to or starts the server. */
export type ServerTarget = Pick<McpConfigInput, "url" | "command" | "args">;

/**
 * Interprets one word as a server: a URL, `@scope/name` or `npm:name` for npm, `uvx:name` for PyPI.
 *
 * @example
 * parsePackageWord("@acme/notes-mcp"); // { command: "npx", args: ["-y", "@acme/notes-mcp"] }
 */
export function parsePackageWord(word: string): ServerTarget | undefined {
  if (/^https?:\/\/\S+$/.test(word)) return { url: word };
  const { scoped, npm = scoped, pypi } = PACKAGE_WORD.exec(word)?.groups ?? {};
  if (npm !== undefined) return { command: "npx", args: ["-y", npm] };
  return pypi === undefined ? undefined : { command: "uvx", args: [pypi] };
}

const PACKAGE_WORD = unionPattern(
  "",
  /^(?<scoped>@[\w.-]+\/[\w.-]+(?:@[\w.^~-]+)?)$/,
  /^npm:(?<npm>(?:@[\w.-]+\/)?\w[\w.-]*(?:@[\w.^~-]+)?)$/,
  /^uvx:(?<pypi>\w[\w.-]*(?:\[[\w,-]+\])?(?:(?:@|==)[\w.-]+)?)$/,
);

/** Derives a name from a package, image, program or URL. Undefined if none is distinctive. */
export function deriveServerName({
  url,
  command = "",
  args = [],
}: ServerTarget): string | undefined {
  if (url !== undefined) return findDistinctiveName(url);
  if (!STARTING_PROGRAMS.test(command) || args.length === 0) return findDistinctiveName(command);
  const { imageIndex = 0 } = parseContainerRun({ command, args }) ?? {};
  const [target = "", ...others] = args
    .slice(imageIndex)
    .filter((word) => !/^(?:-.*|run)$/s.test(word));
  // A bridge such as mcp-remote does not identify the server behind it.
  return findDistinctiveName(target) ?? findDistinctiveName(others.find(isUrl) ?? "");
}

/** Programs that start MCP servers. Other first words may be prose. */
export const STARTING_PROGRAMS =
  /^(?:npx|bunx|pnpm|yarn|uvx|uv|pipx|docker|podman|node|bun|deno|python3?|claude|codex)$/;

export const isUrl = (word: string): boolean => /^https?:\/\//.test(word);
