import { posix, win32 } from "node:path";
import { ALL_CLIENTS, type Client } from "../../schemas/mcp-config.ts";
import type { ClientDefinition } from "../../src/mcp-config/client-definition.ts";
import { clientDefinitions } from "../../src/mcp-config/clients/all-clients.ts";
import { joinWithConjunction, posixQuote } from "../../src/text.ts";
import { UsageError } from "../cli-error.ts";
import type { Io } from "../io.ts";
import { listScopes, rejectConflictingFlags, type TargetFlags, userPaths } from "./client-files.ts";

export interface ClientChoice extends TargetFlags {
  readonly yes?: true;
}

/**
 * Returns the clients from the flags. Without flags, suggests the clients on this machine.
 *
 * @param servers names of the servers to add.
 * @param args the arguments after `handtools mcp add`.
 * @returns undefined if the user declines.
 * @throws {UsageError} if there is no client, or the terminal is not interactive.
 */
export async function chooseClients(
  choice: ClientChoice,
  servers: readonly string[],
  args: readonly string[],
  io: Io,
): Promise<readonly Client[] | undefined> {
  rejectConflictingFlags(choice);
  if (choice.client) return choice.client;
  const found: Client[] = [];
  for (const id of ALL_CLIENTS) {
    if (await isOnMachine(clientDefinitions[id], choice, io)) found.push(id);
  }
  if (found.length === 0) {
    throw new UsageError([
      "--client: found no client on this machine; name one, such as --client cursor",
    ]);
  }
  if (choice.yes) return found;
  const titles = joinWithConjunction(
    found.map((id) => clientDefinitions[id].title),
    "and",
  );
  const answer = await io.ask(`Add ${joinWithConjunction(servers, "and")} to ${titles}? [Y/n] `);
  if (answer !== undefined) return /^(?:y|yes)?$/i.test(answer.trim()) ? found : undefined;
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const flags = found.flatMap((id) => ["--client", id]);
  const line = [...args.slice(0, end), ...flags, ...args.slice(end)].map(posixQuote).join(" ");
  throw new UsageError([
    `--client: name a client, or use --yes for the clients found on this machine (${titles}): handtools mcp add ${line}`,
  ]);
}

/** Whether the client's program is on the PATH, or its file or the file's folder exists. */
async function isOnMachine(
  client: ClientDefinition,
  target: TargetFlags,
  io: Io,
): Promise<boolean> {
  const [scope] = listScopes(client, target, io);
  if (scope === undefined) return false;
  const { program, file: { writer } = {} } = client;
  if (program !== undefined && (await programExists(program, io))) return true;
  // Only its program may change the file.
  if (writer?.scope === scope) return false;
  const homes = [io.environment.HOME, io.environment.USERPROFILE];
  for (const path of userPaths(client, io)) {
    const folder = path.replace(/[\\/][^\\/]*$/, "");
    if (await io.exists(homes.includes(folder) ? path : folder)) return true;
  }
  return false;
}

/** Whether the program exists at its absolute path or on the PATH. */
export async function programExists(program: string, io: Io): Promise<boolean> {
  const isWindows = io.platform === "win32";
  const { join, delimiter } = isWindows ? win32 : posix;
  const isBare = !/[\\/]/.test(program);
  const { PATH = "", PATHEXT = ".COM;.EXE;.BAT;.CMD" } = io.environment;
  const ends = ["", ...(isWindows ? PATHEXT.split(";") : [])];
  const folders = isBare ? PATH.split(delimiter).filter((folder) => folder !== "") : [""];
  for (const folder of folders) {
    for (const end of ends) if (await io.exists(join(folder, program + end))) return true;
  }
  return false;
}
