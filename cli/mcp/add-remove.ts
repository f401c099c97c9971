import { Option } from "commander";
import { mcpConfigContract } from "../../schemas/mcp-config.ts";
import { type Path, validate } from "../../src/issues.ts";
import { findEntryProblem } from "../../src/mcp-config/check-entry.ts";
import { clientDefinitions } from "../../src/mcp-config/clients/all-clients.ts";
import { asString } from "../../src/mcp-config/json-values.ts";
import { mcpConfigTool, writeConfigsInParts } from "../../src/mcp-config/mcp-config.ts";
import { withExtendedLimits } from "../../src/tool.ts";
import { UsageError } from "../cli-error.ts";
import { inputWithoutLocations, toDiagnostics, withLocations } from "../input/read-input.ts";
import type { Io } from "../io.ts";
import { addExamples, addOptions, type DefineCommand, repeatableOption } from "../options.ts";
import { writeDiagnostics } from "../output.ts";
import { loadInputFlags } from "../tools/input-files.ts";
import { requireClients, type Scope, targetOptions } from "./client-files.ts";
import { addServerToText, removeServerFromText } from "./edit/edit-config.ts";
import { type ChangeFlags, editClientFiles, type ServerEdit } from "./edit-client-files.ts";
import { type ClientChoice, chooseClients } from "./find-clients.ts";
import {
  readServers,
  SERVER_ARGUMENT,
  SERVER_USAGE,
  type ServerFlags,
  type SourceServers,
  serverOptions,
  withoutClientPaths,
} from "./servers-from-arguments.ts";

const tool = withExtendedLimits(mcpConfigTool);

interface AddFlags extends ChangeFlags, ClientChoice, ServerFlags {
  readonly self?: true;
  readonly force?: true;
}

/** `handtools mcp add`: writes servers into clients' files. */
const defineAdd: DefineCommand = async (command, io, args) => {
  const serverFlags = serverOptions(io);
  const self = new Option("--self", "add handtools' own server, by the path it runs from");
  const onlyServer = repeatableOption(
    "--server <name>",
    "only this server of the FILE. Repeatable.",
  );
  for (const option of [self, onlyServer]) option.helpGroup("Input:");
  const otherOptions = [
    ...[self, onlyServer, ...targetOptions()],
    new Option(
      "-y, --yes",
      "without --client: all clients found on this machine, without a question",
    ).helpGroup("Files:"),
    new Option("--force", "replace other servers of the same names"),
    createCheckOption(),
  ];
  const flags = await loadInputFlags(tool.contract, args, [...serverFlags, ...otherOptions], io);
  const inputOptions = [...(flags?.options ?? []), ...serverFlags];
  const described = inputOptions.map((option) => option.attributeName());
  self.conflicts([...described, "server"]);
  command
    .description("Add MCP servers to the config files of clients. Nothing else in a file changes.")
    .argument(
      SERVER_ARGUMENT[0],
      "a JSON file with a server (comments allowed), a server.json, or a client's own file with any number of servers; - is standard input. Or a URL, or a package: @scope/name, npm:name, uvx:name.",
    )
    .usage(SERVER_USAGE);
  addExamples(command, [
    "handtools mcp add https://mcp.linear.app/mcp --yes",
    "handtools mcp add --client cursor --self",
    "handtools mcp add --client cursor --name docs --url https://docs.example.com/mcp",
    "handtools mcp add --client cursor --client codex --name files -- npx -y @modelcontextprotocol/server-filesystem /home/me/notes",
    "handtools mcp add ~/.cursor/mcp.json --client codex --client vscode",
    "handtools mcp add ~/.cursor/mcp.json --client codex --client vscode --check",
    `handtools example ${mcpConfigContract.command} | handtools mcp add - --client vscode --scope project`,
  ]);
  addOptions(command, ...inputOptions, ...otherOptions);
  command.action(async (file: string | undefined, options: AddFlags) => {
    if (options.self && file !== undefined) {
      throw new UsageError(["--self: cannot be used with FILE"]);
    }
    const { servers, messages } = options.self
      ? handtoolsServer(io)
      : await readServers({ command, file, flags }, options, io);
    await writeDiagnostics(io, messages);
    const names = servers.map(({ input }) => asString(Object(input.value).name));
    const clients = await chooseClients(options, names, args, io);
    if (!clients) return;
    const edits = [];
    for (const { input, transport, ...others } of servers) {
      const clientOptions = { ...others, clients, transport: options.transport ?? transport };
      const configs = await withLocations(input, () =>
        writeConfigsInParts(validate(tool.contract.input, input.value), clientOptions),
      );
      // Warnings about a client have no path. With several servers, use the location of the server.
      const warnings = withoutClientPaths(configs.warnings, servers.length > 1 ? ["name"] : []);
      const origin = (path: Path) => input.origin(path[0] === "name" ? [] : path);
      await writeDiagnostics(io, await toDiagnostics(warnings, { ...input, origin }));
      for (const part of configs.parts) {
        const { client, name, entry } = part;
        const problem = findEntryProblem(entry, client.id);
        if (problem !== undefined) {
          const advice = "use the value itself, or omit this client";
          throw new UsageError([`${client.title}: ${name} ${problem}; ${advice}`]);
        }
        const edit: ServerEdit["edit"] = (text, scope) =>
          addServerToText(text, part, { replace: options.force === true, scope });
        edits.push({ client, name, edit, whenUnchanged: `has ${name} already` });
      }
    }
    await editClientFiles(edits, options, io);
  });
};

/**
 * Returns the server that this program provides.
 *
 * @throws {UsageError} if the program is in a temporary cache.
 */
function handtoolsServer({ ownCommand }: Io): SourceServers {
  const cached = ownCommand.find((word) => PACKAGE_CACHE.test(word));
  if (cached !== undefined) {
    throw new UsageError([
      `--self: ${cached} is in a temporary cache; install handtools in a permanent folder and run it from there`,
    ]);
  }
  const [command, ...args] = ownCommand;
  const input = inputWithoutLocations({
    name: "handtools",
    command,
    args: [...args, "mcp", "serve"],
  });
  return { servers: [{ input }], messages: [] };
}

/** Folders where npx, bunx, pnpm dlx, yarn dlx and Deno put packages that run only once. */
const PACKAGE_CACHE =
  /[\\/](?:_npx|bunx-[^\\/]+|dlx(?:-[^\\/]+)?|deno[\\/]npm|npm[\\/]registry\.npmjs\.org)[\\/]/;

const createCheckOption = () =>
  new Option(
    "--check",
    "write nothing; print what would change, with secrets masked, and fail if something would",
  );

/** `handtools mcp remove`: removes servers from clients' files. */
const defineRemove: DefineCommand = (command, io) => {
  command
    .description("Remove MCP servers from the config files of clients.")
    .argument("<names...>", "the servers' names in the file");
  addExamples(command, ["handtools mcp remove docs --client cursor"]);
  addOptions(command, ...targetOptions(), createCheckOption());
  command.action(async (names: readonly string[], options: ChangeFlags) => {
    const edits = requireClients(options).flatMap((id) =>
      Array.from(new Set(names), (name) => ({
        ...{ client: clientDefinitions[id], name, whenUnchanged: `has no ${name}` },
        edit: (text: string, scope?: Scope) => removeServerFromText(text, id, name, scope),
      })),
    );
    await editClientFiles(edits, options, io);
  });
};

export const commands = { add: defineAdd, remove: defineRemove };
