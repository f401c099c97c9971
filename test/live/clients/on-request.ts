import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "jsonc-parser";
import { installServer, uninstallServer } from "../../../cli/mcp/edit/edit-config.ts";
import type { Client, McpConfigInput } from "../../../schemas/index.ts";
import { type Check, expectSame } from "../runner.ts";
import {
  expectAsked,
  expectStarted,
  forShell,
  generated,
  localCases,
  referenceCase,
  remoteReferenceCase,
  resolved,
  shellVariables,
  TOKEN,
  type Workspace,
} from "./cases.ts";
import type { RemoteProbe } from "./probes.ts";
import { outputOf } from "./programs.ts";

interface Program {
  readonly client: Client;
  readonly command: string;
  /** Its file in the home, with another server and as many comments as it takes. */
  readonly file: string;
  readonly before: string;
  /** The files that `mcp add` writes, the first that is there. */
  readonly written: readonly string[];
}

const PROGRAMS: readonly Program[] = [
  {
    client: "opencode",
    command: "opencode",
    file: ".config/opencode/opencode.json",
    before:
      '{\n  // mine\n  "mcp": {\n    "other": { "type": "local", "command": ["x"], "enabled": false }, // end\n  },\n}\n',
    written: [".config/opencode/opencode.jsonc", ".config/opencode/opencode.json"],
  },
  {
    client: "gemini-cli",
    command: "gemini",
    file: ".gemini/settings.json",
    before: '{\n  // mine\n  "mcpServers": {\n    "other": { "command": "x" } // end\n  }\n}\n',
    written: [".gemini/settings.json"],
  },
  {
    client: "qwen-code",
    command: "qwen",
    file: ".qwen/settings.json",
    before: '{\n  // mine\n  "mcpServers": {\n    "other": { "command": "x" } // end\n  }\n}\n',
    written: [".qwen/settings.json"],
  },
  {
    client: "copilot-cli",
    command: "copilot",
    file: ".copilot/mcp-config.json",
    before: '{\n  // mine\n  "mcpServers": {\n    "other": { "command": "x" }, // end\n  },\n}\n',
    written: [".copilot/mcp-config.json"],
  },
];

/** The clients on request read their entry beside another server, and their commands store it. */
export function onRequestChecks(bin: string, workspace: Workspace, probe: RemoteProbe): Check[] {
  const local = referenceCase(workspace);
  const remote = remoteReferenceCase(probe);
  const [plain, hostile] = localCases(workspace);

  return PROGRAMS.flatMap(({ client, command, file, before, written }): Check[] => {
    const run = async (
      title: string,
      words: readonly string[],
      prepare: (home: string) => void,
    ) => {
      const home = join(workspace.home, `${client}-${title}`);
      const project = join(workspace.project, `${client}-${title}`);
      mkdirSync(join(home, dirname(file)), { recursive: true });
      mkdirSync(project);
      prepare(home);
      const trusted = JSON.stringify({ [project]: "TRUST_FOLDER" });
      if (client === "gemini-cli")
        writeFileSync(join(home, ".gemini/trustedFolders.json"), trusted);
      const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home, TOKEN, NO_COLOR: "1" };
      const [program = "", ...args] = words;
      const output = await outputOf(program, args, {
        cwd: project,
        env: { ...shellVariables(plain ?? local), ...env },
        timeout: 60_000,
      });
      return { home, output };
    };

    const edited = [local, remote].reduce(
      (text, input) => installServer(text, generated(input, client)).text,
      before,
    );
    const list = (title: string, ...options: string[]) =>
      run(title, [command, "mcp", "list", ...options], (home) =>
        writeFileSync(join(home, file), edited),
      );

    const lines = [plain, hostile, remote].flatMap((given) => {
      const input = given && forShell(given);
      const bash = input && generated(input, client).install.bash;
      return input && bash !== undefined ? [{ input, bash }] : [];
    });
    return [
      {
        title: `${client}: an uninstall gives the same bytes again`,
        run: async () => {
          const names = [remote.name, local.name];
          const undone = names.reduce(
            (text, name) => uninstallServer(text, client, name).text,
            edited,
          );
          expectSame(undone, before);
        },
      },
      client === "copilot-cli"
        ? {
            shows: `${client} listed`,
            title: "copilot mcp list --json shows the entries, and the one before them",
            run: async () => {
              const { output } = await list("list", "--json");
              const { mcpServers } = JSON.parse(output);
              expectSame(Object.keys(mcpServers), ["other", local.name, remote.name]);
              expectSame(mcpServers[local.name].args, local.args);
              expectSame(mcpServers[local.name].env, local.env);
              expectSame(mcpServers[remote.name].headers, remote.headers);
            },
          }
        : {
            shows: `${client} listed`,
            title: `${command} mcp list starts and asks the servers, with the references resolved`,
            run: async () => {
              probe.takeRequests();
              await list("list");
              expectStarted(resolved(local));
              expectAsked(resolved(remote), probe);
            },
          },
      ...lines.map(({ input, bash }) => ({
        title: `${command} mcp add, from the bash line, stores ${input.name}`,
        run: async () => {
          const { home } = await run(`add-${input.name}`, ["bash", "-c", bash], () => {});
          const stored = written.flatMap((path) => readServers(join(home, path)));
          expectSame(stored.map(comparable), [comparable(entryOf(input, client))]);
        },
      })),
    ];
  });
}

function entryOf(input: McpConfigInput, client: Client): object {
  const { mcp, mcpServers } = JSON.parse(generated(input, client).snippet);
  return Object.values<object>(mcp?.servers ?? mcpServers)[0] ?? {};
}

function readServers(path: string): object[] {
  try {
    const { mcp, mcpServers } = parse(readFileSync(path, "utf8"));
    return Object.values(mcp ?? mcpServers ?? {});
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** Without what a program writes of its own accord: the kind of a local server, and all tools. */
function comparable(entry: object): object {
  const { type, tools: _, ...rest } = { type: "stdio", tools: [], args: [], ...entry };
  return { ...rest, type: type === "local" && "args" in entry ? "stdio" : type };
}
