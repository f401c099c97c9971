import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { McpConfigInput } from "../../../schemas/index.ts";
import { type Check, expectSame } from "../runner.ts";
import {
  type LocalInput,
  localCases,
  type RemoteInput,
  remoteCases,
  type Workspace,
} from "./cases.ts";
import type { RemoteProbe } from "./probes.ts";
import { outputOf, quietEnvironment } from "./programs.ts";

const main = join(import.meta.dir, "../../../cli/main.ts");

/** A config of Codex's user, with what an editor of TOML may lose. */
const CODEX_CONFIG = `# mine
model = "o5" # not a server

[mcp_servers.other]
command = "other"
args = [
  "a", # the first
]

[projects."/home/me"]
trust_level = "trusted"
`;

/** The clients read what `mcp-install` writes, and nothing is left of it after `mcp-uninstall`. */
export function installChecks(bin: string, workspace: Workspace, probe: RemoteProbe): Check[] {
  const newHome = () => mkdtempSync(join(workspace.home, "install-"));
  const handtools = (home: string, ...argv: string[]) =>
    outputOf(process.execPath, [main, ...argv], { env: quietEnvironment(bin, home), cwd: home });
  const install = (home: string, input: McpConfigInput, ...argv: string[]) => {
    const file = join(home, "in.json");
    writeFileSync(file, JSON.stringify(input));
    return handtools(home, "mcp-install", file, ...argv);
  };

  // A name that starts with a dash is not an option of its programs.
  const servers: (LocalInput | RemoteInput)[] = [
    ...localCases(workspace).filter(({ name }) => !name.startsWith("-")),
    ...remoteCases(probe),
  ];
  return servers.flatMap((input) => [
    {
      title: `codex reads ${input.name} after mcp-install, and its file is as before after mcp-uninstall`,
      run: async () => {
        const home = newHome();
        const file = join(home, ".codex/config.toml");
        mkdirSync(join(home, ".codex"));
        writeFileSync(file, CODEX_CONFIG);
        await install(home, input, "--client", "codex");
        const options = { env: quietEnvironment(bin, home) };
        const shown = await outputOf(
          join(bin, "codex"),
          ["mcp", "get", "--json", input.name],
          options,
        );
        const { command, args, url } = JSON.parse(shown).transport;
        expectSame(
          { command, args, url },
          { command: input.command, args: input.args, url: input.url },
        );
        await outputOf(join(bin, "codex"), ["mcp", "get", "--json", "other"], options);
        await handtools(home, "mcp-uninstall", input.name, "--client", "codex");
        expectSame(readFileSync(file, "utf8").trimEnd(), CODEX_CONFIG.trimEnd());
      },
    },
    {
      title: `claude has ${input.name} after mcp-install, and not after mcp-uninstall`,
      run: async () => {
        const home = newHome();
        const file = join(home, ".claude.json");
        writeFileSync(file, JSON.stringify({ numStartups: 1 }));
        const serversIn = () => JSON.parse(readFileSync(file, "utf8")).mcpServers ?? {};
        await install(home, input, "--client", "claude-code");
        const { type, headers = {}, ...entry } = serversIn()[input.name];
        const { name, ...wanted } = input;
        const isRemote = wanted.url !== undefined;
        expectSame({ ...entry, ...(isRemote && { headers }) }, wanted);
        expectSame(type, isRemote ? "http" : "stdio");
        // The same again is nothing to do.
        const again = await install(home, input, "--client", "claude-code");
        if (!again.includes("already")) throw new Error(again);
        await handtools(home, "mcp-uninstall", input.name, "--client", "claude-code");
        expectSame(serversIn()[input.name], undefined);
      },
    },
  ]);
}
