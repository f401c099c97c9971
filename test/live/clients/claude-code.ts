import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mcpConfig } from "../../../src/index.ts";
import { type Check, expectSame } from "../runner.ts";
import {
  expectAsked,
  expectStarted,
  forShell,
  generated,
  type LocalInput,
  localCases,
  type RemoteInput,
  remoteCases,
  shellVariables,
  variableCase,
  type Workspace,
} from "./cases.ts";
import type { RemoteProbe } from "./probes.ts";
import { outputOf, quietEnvironment } from "./programs.ts";

/** Claude Code connects with its snippet, and `claude mcp add` stores the same. */
export function claudeCodeChecks(bin: string, workspace: Workspace, probe: RemoteProbe): Check[] {
  /** `claude mcp list` in a project with this snippet, which is approved of; the home it had. */
  const list = async (input: LocalInput | RemoteInput): Promise<string> => {
    const home = join(workspace.home, `claude-${input.name}`);
    const project = join(workspace.project, `claude-${input.name}`);
    mkdirSync(home);
    mkdirSync(project);
    writeFileSync(join(project, ".mcp.json"), generated(input, "claude-code").snippet);
    const approval = { hasTrustDialogAccepted: true, enabledMcpjsonServers: [input.name] };
    writeFileSync(
      join(home, ".claude.json"),
      JSON.stringify({ projects: { [project]: approval } }),
    );
    const output = await outputOf(join(bin, "claude"), ["mcp", "list"], {
      cwd: project,
      env: quietEnvironment(bin, home),
    });
    // Its exit code is 0 whatever it finds.
    const connected = new RegExp(`^${input.name}: .* ✔ Connected$`, "ms").test(output);
    if (!connected || output.includes("diagnostics")) throw new Error(output);
    return home;
  };

  const local = localCases(workspace);
  const remote = remoteCases(probe);
  return [
    ...local.map((input) => ({
      title: `claude mcp list starts ${input.name} with its arguments and environment`,
      shows: "claude-code listed",
      run: async () => {
        await list(input);
        expectStarted(input);
      },
    })),
    ...remote.map((input) => ({
      title: `claude mcp list asks ${input.name} with its headers`,
      run: async () => {
        probe.takeRequests();
        await list(input);
        expectAsked(input, probe);
      },
    })),
    {
      title:
        "claude mcp list keeps the variables that the generator warns of, and replaces the others",
      run: async () => {
        const input = variableCase(workspace);
        const { warnings } = mcpConfig(input, { clients: ["claude-code"] });
        expectSame(
          warnings.map(({ path }) => path),
          ["args[4]", "args[5]"],
        );

        const home = await list(input);
        const args = [...input.args.slice(0, 2), home, "a default", "${env:HOME}", "$HOME"];
        expectStarted({ ...input, args, env: { REFERENCE: home } });
      },
    },
    ...[...local, ...remote].map(forShell).map((input) => ({
      title: `claude mcp add, from the bash line, stores ${input.name}`,
      run: async () => {
        const home = join(workspace.home, `claude-add-${input.name}`);
        mkdirSync(home);
        const { install, snippet } = generated(input, "claude-code");
        const env = { ...shellVariables(input), ...quietEnvironment(bin, home) };
        await outputOf("bash", ["-c", install.bash ?? ""], { cwd: workspace.project, env });
        const stored = JSON.parse(readFileSync(join(home, ".claude.json"), "utf8"));
        expectSame(withDefaults(stored), withDefaults(JSON.parse(snippet)));
      },
    })),
  ];
}

/** `claude mcp add` writes empty maps that the snippet leaves out. */
const withDefaults = ({ mcpServers }: { mcpServers: Record<string, object> }) =>
  Object.entries(mcpServers).map(([name, entry]) => [
    name,
    { args: [], env: {}, headers: {}, ...entry },
  ]);
