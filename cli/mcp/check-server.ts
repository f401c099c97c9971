import { posix, win32 } from "node:path";
import type { Client } from "../../schemas/mcp-config.ts";
import { replacesReferences } from "../../src/mcp-config/client.ts";
import { analyseServer } from "../../src/mcp-config/client-config.ts";
import { clientDefinitions } from "../../src/mcp-config/clients/client-definitions.ts";
import type { FoundServer } from "../../src/mcp-config/read/config-file.ts";
import { flatEntry, isWebSocket } from "../../src/mcp-config/read/entry.ts";
import { readServers } from "../../src/mcp-config/read/read-config.ts";
import { promptVariables } from "../../src/mcp-config/read/read-references.ts";
import { startsShell } from "../../src/mcp-config/references.ts";
import { type Server, type StdioServer, toServer } from "../../src/mcp-config/server.ts";
import { type ConfigValues, isPlainObject } from "../../src/mcp-config/values.ts";
import type { Io } from "../io.ts";

/**
 * What keeps a client from starting or reaching a server, as far as it can be seen without trying.
 * A relative path and one with a variable are not looked at: only the client knows where they lead.
 */
export async function serverProblems(
  found: FoundServer,
  client: Client,
  io: Io,
): Promise<readonly string[]> {
  const entry = isPlainObject(found.entry) ? flatEntry(found.entry) : {};
  const accepted = clientDefinitions[client].accepts?.(entry);
  if (typeof accepted === "string") return [accepted];
  if (accepted || isWebSocket(entry)) return [];
  const { servers, transports, left_out } = readServers([found], client).config;
  const [input] = servers;
  if (!input) return left_out.map(({ reason }) => reason);
  const server = toServer(input, transports[0]);
  return [
    ...(server.transport === "stdio" ? await programProblems(server, entry, io) : []),
    ...variableProblems(server, found, client, io),
  ];
}

async function programProblems(
  server: StdioServer,
  { cwd, envFile }: ConfigValues,
  io: Io,
): Promise<string[]> {
  const { command, args } = server;
  const isElsewhere = startsShell(server) || RUNS_ELSEWHERE.test(command);
  const paths = [
    ...(isElsewhere ? [] : args.map((word) => word.replace(/^--?[\w-]+=/, ""))),
    ...[cwd, envFile].filter((value) => typeof value === "string"),
  ];
  const missing: string[] = [];
  for (const path of new Set(paths)) {
    if (isPath(path, io) && !(await io.exists(path))) missing.push(path);
  }
  return [
    ...((await commandExists(server, io)) ? [] : [`the command ${command} does not exist`]),
    ...missing.map((path) => `the path ${path} does not exist`),
  ];
}

/** Programs whose arguments name paths of another system. */
const RUNS_ELSEWHERE = /(?:^|[\\/])(?:docker|podman|nerdctl|ssh|wsl)(?:\.exe)?$/i;

/** True for an absolute path; `/mcp` alone may be part of a URL, and `*` stands for several. */
const isPath = (text: string, io: Io): boolean =>
  rulesOf(io).isAbsolute(text) &&
  !/[$%{}*?\n]/.test(text) &&
  (isWindows(io) ? /^(?:[A-Za-z]:|\\\\)/ : /^\/[^/]+\/[^/]/).test(text);

const isWindows = ({ platform }: Io): boolean => platform === "win32";

const rulesOf = (io: Io) => (isWindows(io) ? win32 : posix);

/** True if the command exists, or if nobody can tell without starting it. */
export async function commandExists(
  { command, env }: Pick<StdioServer, "command" | "env">,
  io: Io,
): Promise<boolean> {
  const { isAbsolute, join, delimiter } = rulesOf(io);
  const hasOwnPath = Object.keys(env).some((name) => name.toUpperCase() === "PATH");
  if (/[$%{}~]/.test(command) || hasOwnPath) return true;
  const isBare = !/[\\/]/.test(command);
  if (!isBare && !isAbsolute(command)) return true;
  const { PATH = "", PATHEXT = ".COM;.EXE;.BAT;.CMD" } = io.environment;
  const ends = ["", ...(isWindows(io) ? PATHEXT.split(";") : [])];
  const folders = isBare ? PATH.split(delimiter).filter((folder) => folder !== "") : [""];
  for (const folder of folders) {
    for (const end of ends) if (await io.exists(join(folder, command + end))) return true;
  }
  return false;
}

/** The variables that an entry refers to and that are not set, without those that VS Code asks for. */
function variableProblems(
  server: Server,
  { name, entry }: FoundServer,
  client: Client,
  io: Io,
): string[] {
  const definition = clientDefinitions[client];
  const nameFor = promptVariables();
  const asked = Array.from(
    definition.prompts ? JSON.stringify(entry).matchAll(/\$\{input:([^{}]+)\}/g) : [],
    ([, id = ""]) => nameFor(id, name),
  );
  const isBridged = isPlainObject(entry) && "command" in entry && server.transport !== "stdio";
  const missing = analyseServer(server)
    .references.filter(
      (text) => replacesReferences(definition, text) || (isBridged && text.path[0] === "headers"),
    )
    .flatMap(({ names }) => names)
    .filter((variable) => io.environment[variable] === undefined && !asked.includes(variable));
  return [...new Set(missing)].map((variable) => `the variable ${variable} is not set here`);
}
