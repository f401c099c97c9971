import { headerVariable } from "./secrets.ts";
import { type LocalServer, parseUrl, type RemoteServer } from "./server.ts";

/** Pinned to the version that test/clients runs. Versions before 0.1.16 have CVE-2025-6514. */
export const BRIDGE = { package: "mcp-remote", version: "0.15.1" } as const;

/**
 * A local server that passes everything on to the remote one.
 *
 * The values of headers are in the environment, so that no argument has a space: on Windows Claude
 * Desktop starts `npx.cmd` through cmd.exe with quoting that breaks on spaces
 * (punkpeye/mcp-remote#52).
 */
export function bridgeTo({ name, url, headers }: RemoteServer): LocalServer {
  const names = Object.keys(headers);
  return {
    transport: "stdio",
    name,
    command: "npx",
    args: [
      "-y",
      `${BRIDGE.package}@${BRIDGE.version}`,
      url,
      ...(needsAllowHttp(url) ? ["--allow-http"] : []),
      ...names.flatMap((header) => ["--header", `${header}:\${${headerVariable(header)}}`]),
    ],
    env: Object.fromEntries(
      Object.entries(headers).map(([header, value]) => [headerVariable(header), value]),
    ),
  };
}

/** mcp-remote takes plain http for these two hosts only, not even for `[::1]`. */
function needsAllowHttp(text: string): boolean {
  const url = parseUrl(text);
  return url?.protocol === "http:" && !["localhost", "127.0.0.1"].includes(url.hostname);
}
