import { type Command, Option } from "commander";
import type { ClientConfig } from "../../schemas/mcp-config.ts";
import { type Column, visibleLine } from "../../src/text.ts";
import { CliError, type Problem, SystemError } from "../errors.ts";
import { readTextIfExists } from "../files/edit-file.ts";
import type { Io } from "../io.ts";
import { type Message, writeMessages } from "../messages/message.ts";
import { addExamples, isGiven } from "../options.ts";
import { toJsonText, writeTable } from "../output.ts";
import { ConfigFileError, listServers } from "./edit/edit-config.ts";
import {
  behindLinks,
  clientConfigs,
  existingFiles,
  readTarget,
  scopesOf,
  type Target,
  targetOptions,
} from "./targets.ts";

/** `handtools mcp-list`: the servers in the files of clients. */
export function defineMcpListCommand(command: Command, io: Io): void {
  const options = targetOptions();
  const json = new Option("--json", "print the list as JSON");
  command.description(
    "List the MCP servers in the config files of all clients, or of those given.",
  );
  addExamples(command, ["handtools mcp-list", "handtools mcp-list --client codex --json"]);
  for (const option of [...options.all, json]) command.addOption(option);
  command.action(async () => {
    const target = readTarget(command, options);
    const servers: ListedServer[] = [];
    const problems: Problem[] = [];
    // Clients may share a file.
    const paths = new Set<string>();
    for (const { config, locate } of filesOf(target, io)) {
      try {
        for (const path of await locate()) {
          paths.add(path);
          servers.push(...(await listedServers(config, path, io)));
        }
      } catch (error) {
        // The other files are listed all the same.
        if (!(error instanceof CliError)) throw error;
        problems.push(...error.problems);
      }
    }
    if (isGiven(command, json)) await io.writeOut(toJsonText({ servers }));
    else if (servers.length > 0) await writeTable(serverColumns(servers), io);
    else if (problems.length === 0) await writeMessages(io, [nothingIn(paths)]);
    if (problems.length > 0) throw new SystemError(problems);
  });
}

interface ListedServer {
  readonly client: string;
  readonly name: string;
  readonly transport: string;
  readonly file: string;
  /** The project's path, for a server that the user's file has for one project. */
  readonly project?: string;
}

interface ClientFile {
  readonly config: ClientConfig;
  readonly locate: () => Promise<readonly string[]>;
}

function filesOf({ clients, scope, file }: Target, io: Io): readonly ClientFile[] {
  const configs = clientConfigs(clients);
  if (file !== undefined) {
    return configs.map((config) => ({ config, locate: async () => [await behindLinks(file, io)] }));
  }
  return configs.flatMap((config) =>
    scopesOf(config, io)
      .filter((known) => scope === undefined || scope === known)
      .map((known) => ({ config, locate: () => existingFiles(config, known, io) })),
  );
}

function nothingIn(paths: ReadonlySet<string>): Message {
  const text =
    paths.size > 0
      ? `there are no servers in ${[...paths].join(", ")}`
      : "there is no file of this client and scope";
  return { severity: "info", text };
}

/** @throws {CliError} for a file that cannot be read. */
async function listedServers(
  { client }: ClientConfig,
  path: string,
  io: Io,
): Promise<ListedServer[]> {
  try {
    const text = await readTextIfExists(path, io);
    return listServers(text, client).map(({ name, transport, project }) => ({
      ...{ client, name, transport, file: path },
      ...(project !== undefined && { project }),
    }));
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    throw new SystemError([`${path}: ${error.message}`]);
  }
}

const serverColumns = (servers: readonly ListedServer[]): readonly Column[] => {
  const column = (heading: string, key: keyof ListedServer) =>
    ({
      heading,
      align: "left",
      cells: servers.map((server) => visibleLine(server[key] ?? "")),
    }) as const;
  return [
    column("CLIENT", "client"),
    column("SERVER", "name"),
    column("TRANSPORT", "transport"),
    column("FILE", "file"),
    ...(servers.some(({ project }) => project !== undefined) ? [column("PROJECT", "project")] : []),
  ];
};
