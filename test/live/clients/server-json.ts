import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mcpConfig, readServerJson } from "../../../src/mcp-config/index.ts";
import { packagesFolder } from "../programs.ts";
import type { Check } from "../runner.ts";
import type { Workspace } from "./cases.ts";
import { askInJsonLines, initialize } from "./probes.ts";
import { outputOf } from "./programs.ts";

/** Servers on npm: package, version, and the fields of the package in a server.json. */
const SERVERS: readonly [identifier: string, version: string, fields?: object][] = [
  ["@modelcontextprotocol/server-everything", "2026.8.31"],
  ["@modelcontextprotocol/server-memory", "2026.8.31"],
  ["@modelcontextprotocol/server-sequential-thinking", "2026.8.31"],
  [
    "@modelcontextprotocol/server-filesystem",
    "2026.8.31",
    {
      packageArguments: [{ type: "positional", valueHint: "folder", isRequired: true, value: "/" }],
    },
  ],
  [
    "@playwright/mcp",
    "0.0.83",
    { packageArguments: [{ type: "named", name: "--headless", isRequired: true }] },
  ],
  [
    "chrome-devtools-mcp",
    "1.11.0",
    { packageArguments: [{ type: "named", name: "--headless=", value: "true" }] },
  ],
  [
    "@upstash/context7-mcp",
    "4.1.1",
    { packageArguments: [{ type: "named", name: "--transport", default: "stdio" }] },
  ],
  ["exa-mcp-server", "3.4.1", withKey("EXA_API_KEY")],
  ["firecrawl-mcp", "3.26.0", withKey("FIRECRAWL_API_KEY")],
  ["airtable-mcp-server", "1.14.0", withKey("AIRTABLE_API_KEY")],
];

function withKey(name: string) {
  return { environmentVariables: [{ name, isRequired: true, isSecret: true }] };
}

/** Claude Code and Codex start the servers of manifests, by npx, with the keys of the environment. */
export function serverJsonChecks(bin: string, workspace: Workspace): Check[] {
  return SERVERS.flatMap(([identifier, version, fields]): Check[] => {
    const { servers, inputs } = readServerJson(
      JSON.stringify({
        name: `io.github.example/${identifier.replace(/^.*\//, "")}`,
        packages: [{ registryType: "npm", identifier, version, ...fields }],
      }),
    );
    const [server = { name: "" }] = servers;
    const snippetFor = (client: "claude-code" | "codex") =>
      mcpConfig(server, { clients: [client], inputs }).clients[0]?.snippet ?? "";
    const start = async () => {
      const home = mkdtempSync(join(workspace.home, "server-json-"));
      const PATH = `${bin}:${process.env.PATH}`;
      await useCacheOfNpm(home);
      const keys = Object.fromEntries(inputs.map(({ name }) => [name, "key-of-a-test"]));
      const env = { PATH, HOME: home, ...keys };
      const spec = `${identifier}@${version}`;
      // A client waits for a server only for seconds.
      const fetching = { ...process.env, ...env };
      await outputOf("npx", ["-y", "-p", spec, "node", "-e", ""], {
        env: fetching,
        timeout: 300_000,
      });
      return { home, env };
    };
    return [
      {
        title: `claude connects with the server.json of ${identifier}`,
        run: async () => {
          const { home, env } = await start();
          const project = join(home, "project");
          mkdirSync(project);
          writeFileSync(join(project, ".mcp.json"), snippetFor("claude-code"));
          const approval = { hasTrustDialogAccepted: true, enabledMcpjsonServers: [server.name] };
          writeFileSync(
            join(home, ".claude.json"),
            JSON.stringify({ projects: { [project]: approval } }),
          );
          const output = await outputOf(join(bin, "claude"), ["mcp", "list"], {
            cwd: project,
            timeout: 90_000,
            env: { ...env, DISABLE_TELEMETRY: "1", DISABLE_AUTOUPDATER: "1", MCP_TIMEOUT: "60000" },
          });
          if (!output.includes("✔ Connected") || output.includes("diagnostics")) {
            throw new Error(output);
          }
        },
      },
      {
        title: `codex connects with the server.json of ${identifier}`,
        run: async () => {
          const { home, env } = await start();
          writeFileSync(join(home, "config.toml"), snippetFor("codex"));
          const messages = [
            initialize,
            { method: "initialized" },
            { id: 2, method: "mcpServerStatus/list", params: {} },
          ];
          const answers = await askInJsonLines(join(bin, "codex"), ["app-server"], messages, {
            env: { ...env, CODEX_HOME: home, RUST_BACKTRACE: "0" },
            timeout: 60_000,
          });
          if (!JSON.stringify(answers).includes('"serverInfo":{')) {
            throw new Error(JSON.stringify(answers).slice(0, 500));
          }
        },
      },
    ];
  });
}

/** The home's npm is set up as this machine's, and keeps packages for the next test. */
async function useCacheOfNpm(home: string): Promise<void> {
  const options = { env: process.env };
  const path = await outputOf("npm", ["config", "get", "userconfig"], options);
  const config = existsSync(path.trim()) ? readFileSync(path.trim(), "utf8") : "";
  const cache = join(packagesFolder("clients"), "npm-cache");
  writeFileSync(join(home, ".npmrc"), `${config}\ncache=${cache}\nprefer-offline=true\n`);
}
