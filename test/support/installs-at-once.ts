import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectSame } from "../live/runner.ts";

const FILES = [
  ["cursor", ".json", (text: string) => JSON.parse(text).mcpServers],
  ["codex", ".toml", (text: string) => Object(Bun.TOML.parse(text)).mcp_servers],
] as const;

const SERVERS = Array.from({ length: 12 }, (_, index) => [`a${index}`, `b${index}`]);

/**
 * Installs 12 pairs of servers at once into a new file of JSON, and 12 into one of TOML.
 *
 * @param install runs a command line in the process of that index, and gives its exit code.
 * @throws {Error} when one fails or is lost.
 */
export async function installAtOnce(
  folder: string,
  round: number,
  install: (argv: readonly string[], index: number) => Promise<number>,
): Promise<void> {
  await Promise.all(
    FILES.map(async ([client, end, serversIn]) => {
      const path = join(folder, `${round}${end}`);
      const codes = await Promise.all(
        SERVERS.map((names, index) => {
          const config = join(folder, `${round}.${index}${end}.config`);
          const entries = names.map((name) => [name, { command: "b" }]);
          writeFileSync(config, JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
          return install(["mcp-install", config, "--client", client, "--file", path], index);
        }),
      );
      expectSame(
        codes,
        SERVERS.map(() => 0),
      );
      const installed = Object.keys(serversIn(readFileSync(path, "utf8")));
      expectSame(installed.sort(), SERVERS.flat().sort());
    }),
  );
}
