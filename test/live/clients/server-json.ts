import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mcpConfig, readServerJson } from "../../../src/mcp-config/index.ts";
import { installPackages } from "../programs.ts";
import type { Check } from "../runner.ts";
import type { Workspace } from "./cases.ts";
import { askInJsonLines, initialize } from "./probes.ts";
import { outputOf, type ProgramOptions } from "./programs.ts";

/** Servers on npm: package, version, and the fields of the package in a server.json. */
const SERVERS: readonly [identifier: string, version: string, fields?: object][] = [
  ["@modelcontextprotocol/server-everything", "2026.8.31"],
  [
    "@modelcontextprotocol/server-filesystem",
    "2026.8.31",
    {
      packageArguments: [{ type: "positional", valueHint: "folder", isRequired: true, value: "/" }],
    },
  ],
  [
    "chrome-devtools-mcp",
    "1.11.0",
    { packageArguments: [{ type: "named", name: "--headless=", value: "true" }] },
  ],
  [
    "firecrawl-mcp",
    "3.26.0",
    {
      environmentVariables: [{ name: "FIRECRAWL_API_KEY", isRequired: true, isSecret: true }],
    },
  ],
];

/**
 * Claude Code and Codex start the servers of manifests, by npx, with the keys of the environment. The
 * packages are installed before, where npx finds them without the registry: a client waits for a server
 * only for seconds.
 */
export async function serverJsonChecks(bin: string, workspace: Workspace): Promise<Check[]> {
  const packages = SERVERS.map(([identifier, version]) => `${identifier}@${version}`);
  const installed = await installPackages("manifests", packages);
  return SERVERS.flatMap(([identifier, version, fields]): Check[] => {
    const { servers, inputs } = readServerJson(
      JSON.stringify({
        name: `io.github.example/${identifier.replace(/^.*\//, "")}`,
        packages: [{ registryType: "npm", identifier, version, ...fields }],
      }),
    );
    const [server = { name: "" }] = servers;
    const keys = Object.fromEntries(inputs.map(({ name }) => [name, "key-of-a-test"]));
    const check = (
      client: "claude-code" | "codex",
      run: (snippet: string, home: string, env: ProgramOptions["env"]) => Promise<string>,
      connected: string,
    ): Check => ({
      title: `${client} connects with the server.json of ${identifier}`,
      run: async () => {
        const home = mkdtempSync(join(workspace.home, "server-json-"));
        symlinkSync(join(installed, "node_modules"), join(home, "node_modules"));
        writeFileSync(join(home, ".npmrc"), "offline=true\nupdate-notifier=false\n");
        const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home, ...keys };
        const snippet = mcpConfig(server, { clients: [client], inputs }).clients[0]?.snippet ?? "";
        const shown = await run(snippet, home, env);
        if (!shown.includes(connected)) throw new Error(shown.slice(0, 1000));
      },
    });
    return [
      check(
        "claude-code",
        (snippet, home, env) => {
          writeFileSync(join(home, ".mcp.json"), snippet);
          const approval = { hasTrustDialogAccepted: true, enabledMcpjsonServers: [server.name] };
          const state = { projects: { [home]: approval } };
          writeFileSync(join(home, ".claude.json"), JSON.stringify(state));
          const quiet = { DISABLE_TELEMETRY: "1", DISABLE_AUTOUPDATER: "1", MCP_TIMEOUT: "60000" };
          const options = { cwd: home, env: { ...env, ...quiet }, timeout: 90_000 };
          return outputOf(join(bin, "claude"), ["mcp", "list"], options);
        },
        "✔ Connected",
      ),
      check(
        "codex",
        async (snippet, home, env) => {
          writeFileSync(join(home, "config.toml"), snippet);
          const list = { id: 2, method: "mcpServerStatus/list", params: {} };
          const messages = [initialize, { method: "initialized" }, list];
          const codex = join(bin, "codex");
          const answers = await askInJsonLines(codex, ["app-server"], messages, {
            env: { ...env, CODEX_HOME: home, RUST_BACKTRACE: "0" },
            timeout: 60_000,
          });
          return JSON.stringify(answers);
        },
        '"serverInfo":{',
      ),
    ];
  });
}
