import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "../../../schemas/index.ts";
import { handtools } from "../../server/support/program.ts";
import type { Check } from "../runner.ts";
import type { Workspace } from "./cases.ts";
import { outputOf } from "./programs.ts";

const CLIENTS: readonly [client: Client, command: string, variable: string, file: string][] = [
  ["codex", "codex", "CODEX_HOME", "config.toml"],
  ["claude-code", "claude", "CLAUDE_CONFIG_DIR", ".claude.json"],
  ["opencode", "opencode", "XDG_CONFIG_HOME", "opencode/opencode.json"],
  ["copilot-cli", "copilot", "COPILOT_HOME", "mcp-config.json"],
  ["gemini-cli", "gemini", "GEMINI_CLI_HOME", ".gemini/settings.json"],
  ["qwen-code", "qwen", "QWEN_HOME", "settings.json"],
];

/** The client finds the config that `mcp-install` writes into a home moved by a variable. */
export const homeChecks = (bin: string, workspace: Workspace): Check[] =>
  CLIENTS.map(([client, command, variable, file]) => ({
    title: `${command} finds in ${variable} what mcp-install wrote, and not after mcp-uninstall`,
    run: async () => {
      const root = mkdtempSync(join(workspace.home, "moved-"));
      const [home, moved] = [join(root, "home"), join(root, "moved")];
      for (const folder of [home, moved]) mkdirSync(folder);
      const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home, NO_COLOR: "1" };
      const options = { env: { ...env, [variable]: moved }, cwd: root, timeout: 60_000 };
      const [program = "", ...words] = await handtools();
      const change = async (...argv: string[]) => {
        const printed = await outputOf(program, [...words, ...argv, "--client", client], options);
        if (!printed.includes(join(moved, file))) throw new Error(printed);
      };
      const expectListed = async (isListed: boolean, { env } = options) => {
        // Gemini CLI prints its list on standard error.
        const line = ["-c", `${command} mcp list 2>&1`];
        const printed = await outputOf("bash", line, { ...options, env });
        if (printed.includes("in-moved-home") !== isListed) throw new Error(printed);
      };
      await change("mcp-install", "--name", "in-moved-home", "--command", process.execPath);
      await expectListed(true);
      await expectListed(false, { ...options, env: { ...options.env, [variable]: home } });
      await change("mcp-list");
      await change("mcp-uninstall", "in-moved-home");
      await expectListed(false);
    },
  }));

/** One command gives the servers of another client's file to all of them, which list these. */
export const syncCheck = (bin: string, workspace: Workspace): Check => ({
  title: "every client lists the servers of Cursor's file after mcp-install --from",
  run: async () => {
    const home = mkdtempSync(join(workspace.home, "from-"));
    const names = ["sync-local", "sync-remote", "sync-env"];
    const [local, remote, env] = [
      { command: process.execPath },
      { url: "http://127.0.0.1:9/mcp", headers: { Authorization: "Bearer ${env:TOKEN}" } },
      { command: process.execPath, env: { TOKEN: "${env:TOKEN}" } },
    ];
    const servers = [local, remote, env].map((server, index) => [names[index], server]);
    mkdirSync(join(home, ".cursor"));
    const file = join(home, ".cursor/mcp.json");
    writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
    const path = `${bin}:${process.env.PATH}`;
    const environment = { PATH: path, HOME: home, NO_COLOR: "1", TOKEN: "t" };
    const options = { env: environment, cwd: home, timeout: 120_000 };
    const [program = "", ...words] = await handtools();
    const clients = CLIENTS.flatMap(([client]) => ["--client", client]);
    const install = [...words, "mcp-install", "--from", "cursor", ...clients];
    await outputOf(program, install, options);
    await outputOf(program, [...install, "--check"], options);
    for (const [, command] of CLIENTS) {
      const printed = await outputOf("bash", ["-c", `${command} mcp list 2>&1`], options);
      if (!names.every((name) => printed.includes(name))) throw new Error(printed);
    }
  },
});
