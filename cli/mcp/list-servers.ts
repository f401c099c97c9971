import { Option } from "commander";
import { ALL_CLIENTS, type Client } from "../../schemas/mcp-config.ts";
import { formatPath } from "../../src/issues.ts";
import { clientDefinitions } from "../../src/mcp-config/clients/all-clients.ts";
import { detectTransport, isDisabled } from "../../src/mcp-config/parse/entry-fields.ts";
import {
  ConfigFileError,
  describeMisplacedServers,
  listClientServers,
  listProjectServers,
  parseConfig,
} from "../../src/mcp-config/parse/find-servers.ts";
import { escapeLine } from "../../src/text.ts";
import { CliError, type LocatedProblem } from "../cli-error.ts";
import { readTextIfExists } from "../files/read-file.ts";
import type { Io } from "../io.ts";
import { addExamples, addOptions, type DefineCommand } from "../options.ts";
import { toJsonText, writeDiagnostics, writeTable } from "../output.ts";
import {
  clientFiles,
  listScopes,
  rejectConflictingFlags,
  resolveLinks,
  type Scope,
  type TargetFlags,
  targetOptions,
} from "./client-files.ts";
import type { findServerProblems } from "./diagnose-server.ts";

/** `handtools mcp list`: lists the servers in clients' files. */
const defineList: DefineCommand = (command, io) => {
  command.description(
    "List the MCP servers in the config files of all clients, or of the named clients.",
  );
  addExamples(command, ["handtools mcp list", "handtools mcp list --client codex --json"]);
  addOptions(command, ...targetOptions(), listJsonOption());
  command.action((options: ListFlags) => printServers(options, io));
};

/** `handtools mcp doctor`: the same list, with the problems that stop a client from starting a server. */
const defineDoctor: DefineCommand = (command, io) => {
  command.description(
    "List the MCP servers in the config files of all clients, or of the named clients, and fail if the client would skip a server, a command does not exist, a variable is not set or a URL is wrong. It starts nothing.",
  );
  addExamples(command, ["handtools mcp doctor", "handtools mcp doctor --client codex"]);
  addOptions(command, ...targetOptions(), listJsonOption());
  command.action(async (options: ListFlags) => {
    const { findServerProblems } = await import("./diagnose-server.ts");
    await printServers(options, io, findServerProblems);
  });
};

export const commands = { list: defineList, doctor: defineDoctor };

const listJsonOption = () => new Option("--json", "print the list as JSON");

interface ListFlags extends TargetFlags {
  readonly json?: true;
}

/**
 * Prints the servers in clients' files.
 *
 * @param diagnose finds problems that stop a client from starting a server.
 * @throws {CliError} if files cannot be read, or for the problems found.
 */
async function printServers(options: ListFlags, io: Io, diagnose?: typeof findServerProblems) {
  rejectConflictingFlags(options);
  const problems: LocatedProblem[] = [];
  const files = await findFiles(options, problems, io);
  const rows: ListedServer[] = [];
  for (const { client, file, scope } of files) {
    const readServers = async () => {
      const content = parseConfig(await readTextIfExists(file, io), client, scope);
      const servers = [
        ...listClientServers(content, client),
        ...listProjectServers(content, client),
      ];
      for (const text of describeMisplacedServers(content, client)) {
        const problem = { location: { file }, text };
        // Beside other servers they may be for another program that reads the same file.
        if (diagnose && servers.length === 0) problems.push(problem);
        else await writeDiagnostics(io, [{ ...problem, severity: "warning" }]);
      }
      return servers;
    };
    for (const server of await collect(problems, readServers, file)) {
      const { name, entry, path, project } = server;
      const where = { location: { file }, path: formatPath(path) };
      const disabled = isDisabled(entry);
      if (disabled) {
        await writeDiagnostics(io, [{ severity: "info", ...where, text: "is marked as disabled" }]);
      }
      const found = await diagnose?.(server, client, io);
      problems.push(...(found ?? []).map((text) => ({ ...where, text })));
      rows.push({
        ...{ client, name, transport: detectTransport(entry, client), file },
        ...(project !== undefined && { project }),
        ...(disabled && { disabled }),
        ...(found && { problems: found }),
      });
    }
  }
  if (options.json) await io.writeOut(toJsonText({ servers: rows }));
  else if (rows.length > 0) await writeTable(serverColumns(rows), io);
  else if (problems.length === 0) {
    const paths = [...new Set(files.map(({ file }) => file))].join(", ");
    const text =
      paths === ""
        ? "this client has no config file in this scope"
        : `there are no servers in ${paths}`;
    await writeDiagnostics(io, [{ severity: "info", text }]);
  }
  if (problems.length > 0) throw new CliError(problems);
}

/** A printed server. */
interface ListedServer {
  readonly client: string;
  readonly name: string;
  readonly transport: string;
  readonly file: string;
  /** The project's path, if a user config holds the server for one project. */
  readonly project?: string;
  /** Whether the client keeps the server but does not start it. */
  readonly disabled?: boolean;
  readonly problems?: readonly string[];
}

interface ListedFile {
  readonly client: Client;
  readonly file: string;
  readonly scope: Scope | undefined;
}

/** Finds each client's files once. In the home folder, a project file may be the user file. */
async function findFiles(target: TargetFlags, problems: LocatedProblem[], io: Io) {
  const { client, configFile } = target;
  const files = new Map<string, ListedFile>();
  for (const id of client ?? ALL_CLIENTS) {
    const definition = clientDefinitions[id];
    const scopes = configFile === undefined ? listScopes(definition, target, io) : [undefined];
    for (const scope of scopes) {
      const paths = () =>
        scope === undefined
          ? resolveLinks(configFile ?? "", io).then((path) => [path])
          : clientFiles(definition, scope, io);
      for (const path of await collect(problems, paths)) {
        const key = `${id} ${await io.realPath(path)}`;
        if (!files.has(key)) files.set(key, { client: id, file: path, scope });
      }
    }
  }
  return [...files.values()];
}

/** Reads a file or location. Collects each error once, so that the others are still listed. */
async function collect<Item>(
  problems: LocatedProblem[],
  work: () => Promise<readonly Item[]>,
  file = "",
): Promise<readonly Item[]> {
  try {
    return await work();
  } catch (error) {
    const isBroken = error instanceof ConfigFileError;
    if (!isBroken && !(error instanceof CliError)) throw error;
    const found = isBroken ? [{ text: `${file}: ${error.message}` }] : error.problems;
    const reported = new Set(problems.map(({ text }) => text));
    problems.push(...found.filter(({ text }) => !reported.has(text)));
    return [];
  }
}

function serverColumns(servers: readonly ListedServer[]) {
  const cells = (key: Exclude<keyof ListedServer, "problems" | "disabled">) =>
    servers.map((server) => escapeLine(server[key] ?? ""));
  return {
    CLIENT: cells("client"),
    SERVER: cells("name"),
    TRANSPORT: cells("transport"),
    FILE: cells("file"),
    ...(servers.some(({ project }) => project !== undefined) && { PROJECT: cells("project") }),
  };
}
