import { type Command, Option } from "commander";
import type { ClientConfig } from "../../schemas/mcp-config.ts";
import { ConfigFileError, listServers } from "../../src/mcp-config/edit/edit-config.ts";
import { CliError, SystemError } from "../errors.ts";
import { readEditable } from "../files/edit-file.ts";
import type { Io } from "../io.ts";
import { exampleHelp, isGiven } from "../options.ts";
import { forTerminal, tableText, toJsonText } from "../output.ts";
import {
  clientConfigs,
  clientFile,
  readTarget,
  scopesOf,
  type Target,
  targetOptions,
} from "./targets.ts";

/** `handtools mcp-list`: the servers in the files of clients. */
export function defineMcpListCommand(command: Command, io: Io): void {
  const options = targetOptions();
  const json = new Option("--json", "print the list as JSON");
  command
    .description("List the MCP servers in the config files of all clients, or of those given.")
    .addHelpText(
      "after",
      exampleHelp(["handtools mcp-list", "handtools mcp-list --client codex --json"]),
    );
  for (const option of [...options.all, json]) command.addOption(option);
  command.action(async () => {
    const target = readTarget(command, options);
    const servers: ListedServer[] = [];
    const problems: string[] = [];
    for (const { config, path } of await filesOf(target, io)) {
      try {
        servers.push(...(await serversIn(config, path, io)));
      } catch (error) {
        // The other files are listed all the same.
        if (!(error instanceof CliError)) throw error;
        problems.push(...error.problems);
      }
    }
    await io.writeOut(isGiven(command, json) ? toJsonText({ servers }) : serverTable(servers));
    if (problems.length > 0) throw new SystemError(problems);
  });
}

interface ListedServer {
  readonly client: string;
  readonly name: string;
  readonly transport: string;
  readonly file: string;
}

async function filesOf(
  { clients, scope, file }: Target,
  io: Io,
): Promise<{ config: ClientConfig; path: string }[]> {
  const files: { config: ClientConfig; path: string }[] = [];
  for (const config of clientConfigs(clients)) {
    if (file !== undefined) files.push({ config, path: file });
    else {
      for (const known of scopesOf(config, io)) {
        if (scope === undefined || scope === known) {
          files.push({ config, path: await clientFile(config, known, io) });
        }
      }
    }
  }
  return files;
}

/** @throws {CliError} for a file that cannot be read. */
async function serversIn({ client }: ClientConfig, path: string, io: Io): Promise<ListedServer[]> {
  try {
    const text = await readEditable(path, io);
    return listServers(text, client).map(({ name, transport }) => ({
      client,
      name,
      transport,
      file: path,
    }));
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    throw new SystemError([`${path}: ${error.message}`]);
  }
}

const serverTable = (servers: readonly ListedServer[]): string => {
  const column = (heading: string, key: keyof ListedServer) =>
    ({ heading, align: "left", cells: servers.map((server) => forTerminal(server[key])) }) as const;
  return tableText([
    column("CLIENT", "client"),
    column("SERVER", "name"),
    column("TRANSPORT", "transport"),
    column("FILE", "file"),
  ]);
};
