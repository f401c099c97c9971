import type { ClientConfig } from "../../schemas/mcp-config.ts";
import { clientDefinitions } from "../../src/mcp-config/clients/client-definitions.ts";
import { clientServers, parseConfig } from "../../src/mcp-config/read/config-file.ts";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { ClientEdit } from "./apply-edits.ts";
import { commandExists } from "./check-server.ts";
import type { Scope } from "./targets.ts";

/** How the client's own program changes a file; nothing for a file that other programs may write. */
export function editByProgram(
  { client, title, locations }: ClientConfig,
  scope: Scope,
  name: string,
  io: Io,
): Pick<ClientEdit, "run" | "findObstacle"> {
  const program = clientDefinitions[client].writer;
  if (program?.scope !== scope) return {};
  const { command, add, remove } = program;
  const run = async (words: readonly string[]) => {
    const { code, output } = await io.runProgram(command, words);
    if (code === 0) return;
    const [line = ""] = output.trim().split("\n");
    const action = [command, ...words.slice(0, 2)].join(" ");
    throw new CliError([`${action}: ended with code ${code}: ${line}`]);
  };
  const addFrom = (text: string) => {
    const server = clientServers(parseConfig(text, client), client).find(
      (one) => one.name === name,
    );
    return run(add(name, JSON.stringify(server?.entry)));
  };
  return {
    async findObstacle() {
      // Windows starts no other file without a shell.
      const environment = { ...io.environment, PATHEXT: ".COM;.EXE" };
      if (await commandExists({ command, env: {} }, { ...io, environment })) return undefined;
      const project = locations.find((location) => location.scope === "project");
      const instead = `change the project's file, with --client ${client} alone and --file ${project?.path}`;
      return `only the program of ${title} may change it, and ${command} is not on the PATH: install it, or ${instead}`;
    },
    async run({ change, text: edited }, text) {
      if (change !== "added") await run(remove(name));
      if (change === "removed") return;
      try {
        await addFrom(edited);
      } catch (error) {
        // The program replaces nothing, and a failure must not lose the old server.
        if (change === "replaced") await addFrom(text);
        throw error;
      }
    },
  };
}
