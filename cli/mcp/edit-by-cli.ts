import type { ClientConfig } from "../../schemas/mcp-config.ts";
import { clientDefinitions } from "../../src/mcp-config/clients/client-definitions.ts";
import { clientServers, parseConfig } from "../../src/mcp-config/read/config-file.ts";
import { SystemError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { ClientEdit } from "./apply-edits.ts";
import { commandExists } from "./check-server.ts";
import type { Scope } from "./targets.ts";

/**
 * Changes a file by the client's own program.
 *
 * @returns nothing for a file that other programs may write.
 */
export async function editByCli(
  { client, title, locations }: ClientConfig,
  scope: Scope,
  name: string,
  io: Io,
): Promise<Pick<ClientEdit, "run" | "obstacle">> {
  const program = clientDefinitions[client].writer;
  if (program?.scope !== scope) return {};
  const { command, add, remove } = program;
  // Windows starts no other file without a shell.
  const environment = { ...io.environment, PATHEXT: ".COM;.EXE" };
  const isMissing = !(await commandExists({ command, env: {} }, { ...io, environment }));
  const project = locations.find((location) => location.scope === "project");
  const instead = `change the project's file, with --client ${client} alone and --file ${project?.path}`;
  const obstacle = `only the program of ${title} may change it, and ${command} is not on the PATH: install it, or ${instead}`;
  const run = async (words: readonly string[]) => {
    const { code, output } = await io.runProgram(command, words);
    if (code === 0) return;
    const [line = ""] = output.trim().split("\n");
    const action = [command, ...words.slice(0, 2)].join(" ");
    throw new SystemError([`${action}: ended with code ${code}: ${line}`]);
  };
  const addFrom = (text: string) => {
    const server = clientServers(parseConfig(text, client), client).find(
      (one) => one.name === name,
    );
    return run(add(name, JSON.stringify(server?.entry)));
  };
  return {
    ...(isMissing && { obstacle }),
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
