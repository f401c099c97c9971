import { Option } from "commander";
import type { Client } from "../../schemas/mcp-config.ts";
import { formatPath } from "../../src/issues.ts";
import { ConfigFileError } from "../../src/mcp-config/read/config-file.ts";
import { visibleLine } from "../../src/text.ts";
import { CliError, type Problem } from "../errors.ts";
import { readTextIfExists } from "../files/read.ts";
import type { Io } from "../io.ts";
import { addExamples, addOptions, type Define } from "../options.ts";
import { type Message, toJsonText, writeMessages, writeTable } from "../output.ts";
import { type ListedServer, listServers } from "./edit/edit-config.ts";
import {
  behindLinks,
  clientConfigs,
  clientFiles,
  listScopes,
  readTarget,
  type Scope,
  type Target,
  type TargetFlags,
  targetOptions,
} from "./targets.ts";

/** `handtools mcp-list`: the servers in the files of clients. */
const defineMcpList: Define = (command, io) => {
  const json = new Option("--json", "print the list as JSON");
  const check = new Option(
    "--check",
    "start nothing, but fail where a command or a path does not exist, a variable is not set or a URL is wrong",
  );
  command.description(
    "List the MCP servers in the config files of all clients, or of those given.",
  );
  addExamples(command, [
    "handtools mcp-list",
    "handtools mcp-list --client codex --json",
    "handtools mcp-list --check",
  ]);
  addOptions(command, ...targetOptions(), json, check);
  command.action(async (options: ListFlags) => {
    const target = readTarget(options);
    const { servers, problems, paths } = await installedServers(target, io);
    const rows: Row[] = [];
    for (const { client, name, transport, file, project, ...found } of servers) {
      const row = { client, name, transport, file, ...(project !== undefined && { project }) };
      if (!options.check) rows.push(row);
      else {
        const { serverProblems } = await import("./check-server.ts");
        const texts = await serverProblems({ name, ...found }, client, io);
        rows.push({ ...row, problems: texts });
        problems.push(
          ...texts.map((text) => ({ place: { file }, path: formatPath(found.path), text })),
        );
      }
    }
    if (options.json) await io.writeOut(toJsonText({ servers: rows }));
    else if (rows.length > 0) await writeTable(serverColumns(rows), io);
    else if (problems.length === 0) await writeMessages(io, [nothingIn(paths)]);
    if (problems.length > 0) throw new CliError(problems);
  });
};

export const commands = { "mcp-list": defineMcpList };

interface ListFlags extends TargetFlags {
  readonly json?: true;
  readonly check?: true;
}

/** A server in a client's file. */
interface InstalledServer extends ListedServer {
  readonly client: Client;
  /** The scope of the file; undefined for a file that the user names. */
  readonly scope: Scope | undefined;
  readonly file: string;
}

/** The servers in the files of clients, the paths of these files, and each problem with them once. */
export async function installedServers(target: Target, io: Io) {
  const servers: InstalledServer[] = [];
  const problems: Problem[] = [];
  // Clients may share a file.
  const paths = new Set<string>();
  const seen = new Set<string>();
  for (const { client, scope, locate } of listClientFiles(target, io)) {
    try {
      for (const file of await locate()) {
        // In the home folder, the project's file is the user's file.
        const ofClient = `${client} ${await io.realPath(file)}`;
        if (seen.has(ofClient)) continue;
        seen.add(ofClient);
        paths.add(file);
        const found = await serversInFile(client, file, io);
        servers.push(...found.map((server) => ({ ...server, client, scope, file })));
      }
    } catch (error) {
      // The other files are listed all the same.
      if (!(error instanceof CliError)) throw error;
      const known = new Set(problems.map(({ text }) => text));
      problems.push(...error.problems.filter(({ text }) => !known.has(text)));
    }
  }
  return { servers, problems, paths };
}

/** A server as it is printed. */
interface Row {
  readonly client: string;
  readonly name: string;
  readonly transport: string;
  readonly file: string;
  /** The project's path, for a server that the user's file has for one project. */
  readonly project?: string;
  readonly problems?: readonly string[];
}

interface ClientFiles {
  readonly client: Client;
  readonly scope: Scope | undefined;
  readonly locate: () => Promise<readonly string[]>;
}

function listClientFiles({ clients, scope, file }: Target, io: Io): readonly ClientFiles[] {
  return clientConfigs(clients).flatMap((config): ClientFiles[] => {
    const { client } = config;
    if (file !== undefined) {
      return [{ client, scope, locate: async () => [await behindLinks(file, io)] }];
    }
    return listScopes(config, io)
      .filter((known) => scope === undefined || scope === known)
      .map((known) => ({
        client,
        scope: known,
        locate: () => clientFiles(config, known, io),
      }));
  });
}

function nothingIn(paths: ReadonlySet<string>): Message {
  const text =
    paths.size > 0
      ? `there are no servers in ${[...paths].join(", ")}`
      : "there is no file of this client and scope";
  return { severity: "info", text };
}

/** @throws {CliError} for a file that cannot be read. */
async function serversInFile(client: Client, path: string, io: Io): Promise<ListedServer[]> {
  try {
    return listServers(await readTextIfExists(path, io), client);
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    throw new CliError([`${path}: ${error.message}`]);
  }
}

function serverColumns(servers: readonly Row[]) {
  const cells = (key: Exclude<keyof Row, "problems">) =>
    servers.map((server) => visibleLine(server[key] ?? ""));
  return {
    CLIENT: cells("client"),
    SERVER: cells("name"),
    TRANSPORT: cells("transport"),
    FILE: cells("file"),
    ...(servers.some(({ project }) => project !== undefined) && { PROJECT: cells("project") }),
  };
}
