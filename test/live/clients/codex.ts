import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
import { askInJsonLines, initialize, type RemoteProbe } from "./probes.ts";
import { outputOf } from "./programs.ts";

/** Codex reads its snippet, starts and asks the servers, and `codex mcp add` stores the same. */
export function codexChecks(bin: string, workspace: Workspace, probe: RemoteProbe): Check[] {
  const codex = join(bin, "codex");
  /** An environment in which Codex's home is a new folder, with this config. */
  const environment = (config = "") => {
    const home = mkdtempSync(join(workspace.home, "codex-"));
    writeFileSync(join(home, "config.toml"), config);
    const PATH = `${bin}:${process.env.PATH}`;
    return { PATH, HOME: workspace.home, CODEX_HOME: home, RUST_BACKTRACE: "0" };
  };
  const read = async (name: string, env: Record<string, string>) => {
    const json = await outputOf(codex, ["mcp", "get", "--json", "--", name], { env });
    return JSON.parse(json).transport;
  };
  const connect = async (env: Record<string, string>) => {
    const messages = [
      initialize,
      { method: "initialized" },
      { id: 2, method: "mcpServerStatus/list", params: {} },
    ];
    await askInJsonLines(codex, ["app-server"], messages, { env });
  };

  // Codex alone passes variables on as they are.
  const local = [...localCases(workspace), variableCase(workspace)];
  const remote = remoteCases(probe);
  return [
    ...[...local, ...remote].map((input) => ({
      title: `codex mcp get reads ${input.name}`,
      run: async () => {
        const env = environment(generated(input, "codex").snippet);
        expectTransport(await read(input.name, env), input);
      },
    })),
    ...local.map((input) => ({
      title: `codex starts ${input.name} with its arguments and environment`,
      shows: "codex listed",
      run: async () => {
        await connect(environment(generated(input, "codex").snippet));
        expectStarted(input);
      },
    })),
    ...remote.map((input) => ({
      title: `codex asks ${input.name} with its headers`,
      run: async () => {
        probe.takeRequests();
        await connect(environment(generated(input, "codex").snippet));
        expectAsked(input, probe);
      },
    })),
    ...[...localCases(workspace), ...remote.slice(0, 1)].map(forShell).map((input) => ({
      title: `codex mcp add, from the bash line, stores ${input.name}`,
      run: async () => {
        const env = environment();
        const line = generated(input, "codex").install.bash ?? "";
        await outputOf("bash", ["-c", line], { env: { ...shellVariables(input), ...env } });
        expectTransport(await read(input.name, env), input);
      },
    })),
  ];
}

function expectTransport(
  transport: Record<string, unknown>,
  input: LocalInput | RemoteInput,
): void {
  const { type, command, args, env, url, http_headers } = transport;
  if (input.command !== undefined) {
    const wanted = { type: "stdio", command: input.command, args: input.args, env: input.env };
    expectSame({ type, command, args, env }, wanted);
  } else {
    const headers = input.headers ?? {};
    const wanted = { type: "streamable_http", url: input.url, http_headers: headers };
    expectSame({ type, url, http_headers: http_headers ?? {} }, wanted);
  }
}
