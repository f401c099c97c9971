import { toServerName } from "../../schemas/common.ts";

/**
 * The distinctive part of a text, as a server's name that every client accepts:
 * `auth0` for the manifest `com.auth0/mcp`, the package `@auth0/mcp-server@1.0.0`, the image
 * `ghcr.io/auth0/mcp:1` and the URL `https://mcp.auth0.com/mcp`.
 *
 * @param text a name in the registry, a package, an image, a path or a URL.
 * @returns undefined if no part is distinctive, as in `mcp-server`.
 */
export function findDistinctiveName(text: string): string | undefined {
  const [, host] = /^https?:\/\/([^/?#:]+)/i.exec(text) ?? [];
  const parts = host === undefined ? splitName(text) : host.split(".").reverse();
  return parts
    .map((part) => toServerName(part.replace(AFFIXES, "")))
    .findLast(
      (name) => name !== undefined && !TELL_NOTHING.has(name.toLowerCase()) && !/^\d+$/.test(name),
    );
}

/** The labels of the namespace or the folders, and the last part without version and extension. */
function splitName(text: string): string[] {
  const segments = text.split(/[/\\]+/);
  const last = (segments.pop() ?? "")
    .replace(/(?<=.)[@:=~<>[].*$/s, "")
    .replace(/\.(?:[cm]?[jt]s|py|jar|exe|cmd|bat|sh)$/i, "");
  return [...segments.flatMap((segment) => segment.split(".")), last];
}

/** Words around the part that tells, as in `mcp-server-files`, `files-mcp-server` and `files_mcp`. */
const AFFIXES = /^@?(?:mcp[-_])?server[-_]|^@?mcp[-_]|^@|[-_]mcp(?:[-_]server)?$/gi;

/** Words that tell nothing: kinds of servers, languages, build folders, beginnings and ends of domains. */
const TELL_NOTHING: ReadonlySet<string> = new Set([
  ..."mcp mcps server servers remote local modelcontextprotocol stdio http sse api app cli".split(
    " ",
  ),
  ..."www python python2 python3 node typescript ts js main index build dist src bin out lib".split(
    " ",
  ),
  ..."com org net io ai dev co".split(" "),
]);
