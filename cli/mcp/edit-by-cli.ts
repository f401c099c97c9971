import type { ClientConfig } from "../../schemas/mcp-config.ts";
import { clientDefinitions } from "../../src/mcp-config/clients/client-definitions.ts";
import { clientServers, parseConfig } from "../../src/mcp-config/read/config-file.ts";
import { SystemError } from "../errors.ts";
import type { Ended, Io } from "../io.ts";
import type { ClientEdit } from "./apply-edits.ts";
import type { Scope } from "./targets.ts";

/**
 * Changes a file by the client's own program.
 *
 * @returns undefined for a file that other programs may write.
 */
export function editByCli(
  { client, title }: ClientConfig,
  scope: Scope,
  name: string,
  io: Io,
): ClientEdit["run"] {
  const program = clientDefinitions[client].cli;
  if (program?.scope !== scope) return undefined;
  const { command, add, remove } = program;
  const run = async (words: readonly string[]) => {
    const { code, output } = await runProgram(command, title, words, io);
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
  return async ({ change, text: edited }, text) => {
    if (change !== "added") await run(remove(name));
    if (change === "removed") return;
    try {
      await addFrom(edited);
    } catch (error) {
      // The program replaces nothing, and a failure must not lose the old server.
      if (change === "replaced") await addFrom(text);
      throw error;
    }
  };
}

async function runProgram(
  command: string,
  title: string,
  words: readonly string[],
  io: Io,
): Promise<Ended> {
  try {
    return await io.runProgram(command, words);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    const advice = `only the program of ${title} may write this file: install it, or give --scope project`;
    throw new SystemError([...error.problems, advice]);
  }
}
