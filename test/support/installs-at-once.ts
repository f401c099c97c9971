import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expectSame } from "../live/runner.ts";

const FILES = [
  ["cursor", ".json", (text: string) => JSON.parse(text).mcpServers],
  ["codex", ".toml", (text: string) => Object(Bun.TOML.parse(text)).mcp_servers],
] as const;

const NAMES = Array.from({ length: 12 }, (_, index) => `n${index}`);

/**
 * Installs 12 servers at once into a new file of JSON, and 12 into one of TOML.
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
        NAMES.map((name, index) => {
          const file = ["--client", client, "--file", path];
          return install(["mcp-install", ...file, "--name", name, "--command", "b"], index);
        }),
      );
      expectSame(
        codes,
        NAMES.map(() => 0),
      );
      expectSame(Object.keys(serversIn(readFileSync(path, "utf8"))).sort(), [...NAMES].sort());
    }),
  );
}
