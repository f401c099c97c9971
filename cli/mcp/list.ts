import { Option } from "commander";
import { ALL_CLIENTS, type Client } from "../../schemas/mcp-config.ts";
import { formatPath } from "../../src/issues.ts";
import { clientDefinitions } from "../../src/mcp-config/clients/client-definitions.ts";
import {
  ConfigFileError,
  listServers,
  parseConfig,
  strayServers,
} from "../../src/mcp-config/read/config-file.ts";
import { detectTransport, isDisabled } from "../../src/mcp-config/read/entry.ts";
import { visibleLine } from "../../src/text.ts";
import { CliError, type Problem } from "../errors.ts";
import { readTextIfExists } from "../files/read.ts";
import type { Io } from "../io.ts";
import { addExamples, addOptions, type Define } from "../options.ts";
import { toJsonText, writeMessages, writeTable } from "../output.ts";
import {
  behindLinks,
  checkTarget,
  clientFiles,
  listScopes,
  type Target,
  targetOptions,
} from "./targets.ts";

/** `handtools mcp-list`: the servers in the files of clients. */
const defineMcpList: Define = (command, io) => {
  const json = new Option("--json", "print the list as JSON");
  const check = new Option(
    "--check",
    "start nothing, but fail where the client would skip a server, a command does not exist, a variable is not set or a URL is wrong",
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
    checkTarget(options);
    const problems: Problem[] = [];
    const files = await findFiles(options, problems, io);
    const rows: Row[] = [];
    for (const { client, file } of files) {
      const read = async () => {
        const content = parseConfig(await readTextIfExists(file, io), client);
        for (const text of strayServers(content, client)) {
          await writeMessages(io, [{ severity: "warning", place: { file }, text }]);
        }
        return listServers(content, client);
      };
      const found = await collect(problems, read, file);
      for (const { name, entry, path, project } of found) {
        const transport = detectTransport(entry, client);
        const disabled = isDisabled(entry);
        const row = {
          ...{ client, name, transport, file },
          ...(project !== undefined && { project }),
          ...(disabled && { disabled }),
        };
        if (disabled) {
          const text = "is marked as disabled";
          await writeMessages(io, [
            { severity: "info", place: { file }, path: formatPath(path), text },
          ]);
        }
        if (!options.check) rows.push(row);
        else {
          const { serverProblems } = await import("./check-server.ts");
          const texts = await serverProblems({ name, entry, path }, client, io);
          rows.push({ ...row, problems: texts });
          problems.push(
            ...texts.map((text) => ({ place: { file }, path: formatPath(path), text })),
          );
        }
      }
    }
    if (options.json) await io.writeOut(toJsonText({ servers: rows }));
    else if (rows.length > 0) await writeTable(serverColumns(rows), io);
    else if (problems.length === 0) {
      const paths = [...new Set(files.map(({ file }) => file))].join(", ");
      const none =
        paths === "" ? "is no file of this client and scope" : `are no servers in ${paths}`;
      await writeMessages(io, [{ severity: "info", text: `there ${none}` }]);
    }
    if (problems.length > 0) throw new CliError(problems);
  });
};

export const commands = { "mcp-list": defineMcpList };

interface ListFlags extends Target {
  readonly json?: true;
  readonly check?: true;
}

/** A server as it is printed. */
interface Row {
  readonly client: string;
  readonly name: string;
  readonly transport: string;
  readonly file: string;
  /** The project's path, for a server that the user's file has for one project. */
  readonly project?: string;
  /** The client keeps the server and does not start it. */
  readonly disabled?: boolean;
  readonly problems?: readonly string[];
}

/** The files of each client, once: in the home folder, the project's file is the user's file. */
async function findFiles({ client, scope: wanted, file }: Target, problems: Problem[], io: Io) {
  const files = new Map<string, { readonly client: Client; readonly file: string }>();
  for (const id of client ?? ALL_CLIENTS) {
    const definition = clientDefinitions[id];
    const known = listScopes(definition, io).filter(
      (scope) => wanted === undefined || scope === wanted,
    );
    const found =
      file !== undefined
        ? [await behindLinks(file, io)]
        : (
            await Promise.all(
              known.map((scope) => collect(problems, () => clientFiles(definition, scope, io))),
            )
          ).flat();
    for (const path of found) {
      const key = `${id} ${await io.realPath(path)}`;
      if (!files.has(key)) files.set(key, { client: id, file: path });
    }
  }
  return [...files.values()];
}

/** What a file or a place has. A problem with it is kept, once, and the others are listed all the same. */
async function collect<Item>(
  problems: Problem[],
  work: () => Promise<readonly Item[]>,
  file = "",
): Promise<readonly Item[]> {
  try {
    return await work();
  } catch (error) {
    const isBroken = error instanceof ConfigFileError;
    if (!isBroken && !(error instanceof CliError)) throw error;
    const found = isBroken ? [{ text: `${file}: ${error.message}` }] : error.problems;
    const known = new Set(problems.map(({ text }) => text));
    problems.push(...found.filter(({ text }) => !known.has(text)));
    return [];
  }
}

function serverColumns(servers: readonly Row[]) {
  const cells = (key: Exclude<keyof Row, "problems" | "disabled">) =>
    servers.map((server) => visibleLine(server[key] ?? ""));
  return {
    CLIENT: cells("client"),
    SERVER: cells("name"),
    TRANSPORT: cells("transport"),
    FILE: cells("file"),
    ...(servers.some(({ project }) => project !== undefined) && { PROJECT: cells("project") }),
  };
}
