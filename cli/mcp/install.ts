import { Option } from "commander";
import type { Transport } from "../../schemas/mcp-config.ts";
import { ALL_CLIENTS, type Client, mcpConfigContract } from "../../schemas/mcp-config.ts";
import { mcpConfigTool } from "../../src/mcp-config/mcp-config.ts";
import { runTool, withLocalLimits } from "../../src/tool.ts";
import { UsageError } from "../errors.ts";
import { flagInput } from "../input/flag-input.ts";
import { namingPlaces, unplacedInput, warningMessages } from "../input/input.ts";
import type { Io } from "../io.ts";
import { addExamples, addOptions, type Define } from "../options.ts";
import { writeMessages } from "../output.ts";
import { applyEdits, type ClientEdit } from "./apply-edits.ts";
import { installServer, uninstallServer } from "./edit/edit-config.ts";
import { editByProgram } from "./edit-by-program.ts";
import { installedServers } from "./list.ts";
import {
  chosenServers,
  type GivenServers,
  nameOf,
  readServers,
  SERVER_FILE,
  SERVER_USAGE,
  type ServerFlags,
  serverOptions,
} from "./read-server.ts";
import {
  behindLinks,
  chooseScope,
  clientConfigs,
  fileToEdit,
  foundClients,
  pathInProject,
  readTarget,
  type Target,
  type TargetFlags,
  targetOptions,
} from "./targets.ts";

const tool = withLocalLimits(mcpConfigTool);

interface InstallFlags extends TargetFlags, ServerFlags {
  readonly self?: true;
  readonly from?: Client;
  readonly server?: readonly string[];
  readonly force?: true;
  readonly dryRun?: true;
  readonly check?: true;
}

/** `handtools mcp-install`: writes servers into the files of clients. */
const defineMcpInstall: Define = (command, io) => {
  const flags = flagInput(tool.contract, io);
  const server = serverOptions(io);
  const self = new Option("--self", "install handtools' own server, by the path it runs from");
  const from = new Option(
    "--from <client>",
    "take the servers of another client's own file, that of --scope",
  ).choices(ALL_CLIENTS);
  const chosen = new Option(
    "--server <names...>",
    "only these servers of the FILE or of --from, separated by spaces",
  );
  for (const option of [self, from, chosen]) option.helpGroup("Input:");
  const described = [...flags.options, ...server].map((option) => option.attributeName());
  self.conflicts([...described, "server"]);
  from.conflicts([...described, "self"]);
  command
    .description(
      "Write MCP servers into the config files of clients. Nothing else in a file changes, and the old file is kept beside the new one.",
    )
    .argument(
      SERVER_FILE[0],
      "a JSON file with a server (comments allowed), a server.json, or a client's own file with any number of servers; - is standard input. Or a URL, or a package: @scope/name, npm:name, uvx:name.",
    )
    .usage(SERVER_USAGE);
  addExamples(command, [
    "handtools mcp-install --client cursor --self",
    "handtools mcp-install --client cursor --name docs --url https://docs.example.com/mcp",
    "handtools mcp-install --client cursor --client codex --name files -- npx -y @modelcontextprotocol/server-filesystem /home/me/notes",
    "handtools mcp-install --from cursor --client codex --client vscode --dry-run",
    `handtools example ${mcpConfigContract.command} | handtools mcp-install - --client vscode --scope project`,
    `handtools example ${mcpConfigContract.command} | handtools mcp-install - --client codex --dry-run`,
  ]);
  addOptions(command, ...flags.options, ...server, self, from, chosen, ...targetOptions());
  addOptions(
    command,
    new Option("--force", "replace other servers of the same names"),
    dryRunOption(),
    new Option(
      "--check",
      "write nothing; print what would change, with secrets masked, and fail if something would",
    ).conflicts("dryRun"),
  );
  command.action(async (argument: string | undefined, options: InstallFlags) => {
    const { file = argument, names } = separateFile(argument, options.server);
    const target = readTarget(options);
    await requireClients(target, options.from, io);
    const readGiven = async () => {
      if (options.from) return readClientServers(options.from, file, names, target, io);
      if (options.self) return handtoolsServer(file, io);
      if (file === undefined && names) throw new UsageError(["--server: needs a FILE or --from"]);
      const sources = { command, files: file === undefined ? [] : [file], flags };
      const given = await readServers(sources, { ...options, servers: names }, io);
      if (given.servers.length > 1 && flags.given(command).length > 0) throw nameError(given);
      return given;
    };
    const given = await readGiven();
    const configs = await makeConfigs(given, target.clients, options.transport, io);
    const edits = configs.map(({ config, name }) => ({
      config,
      name,
      edit: (text: string) => installServer(text, config, { replace: options.force === true }),
      already: `has ${name} already`,
    }));
    const mode = options.check ? "check" : options.dryRun ? "dry-run" : "write";
    await applyEdits(await withPaths(edits, target, io), mode, io);
  });
};

/** The argument FILE, which the list of `--server` before it has swallowed. */
function separateFile(file: string | undefined, names: readonly string[] | undefined) {
  const last = names?.at(-1) ?? "";
  const isFile = file === undefined && names && names.length > 1 && /[./\\]|^-$/.test(last);
  return isFile ? { file: last, names: names.slice(0, -1) } : { file, names };
}

/** The error for a name that several servers would have. */
function nameError({ source, servers }: GivenServers): UsageError {
  const names = servers.map(nameOf).join(", ");
  return new UsageError([
    `--name: is for one server, and ${source} has ${names}; choose one with --server`,
  ]);
}

/**
 * The servers of another client.
 *
 * @throws {UsageError} beside a FILE, and for a client that would get its own servers.
 */
async function readClientServers(
  client: Client,
  file: string | undefined,
  names: readonly string[] | undefined,
  { clients, scope }: Target,
  io: Io,
): Promise<GivenServers> {
  if (file !== undefined) throw new UsageError(["--from: cannot be used with FILE"]);
  if (clients.includes(client)) {
    throw new UsageError([`--from: ${client} is among the clients of --client`]);
  }
  const { readClient } = await import("./read-client.ts");
  return chosenServers(await readClient(client, scope, io), names);
}

/** The configs of all servers for all clients. Their warnings are written. */
async function makeConfigs(
  { servers, messages }: GivenServers,
  clients: readonly Client[],
  transport: Transport | undefined,
  io: Io,
) {
  await writeMessages(io, messages);
  const configs: Pick<ClientEdit, "config" | "name">[] = [];
  for (const server of servers) {
    const { input, inputs, messages } = server;
    const options = { inputs, clients, transport: transport ?? server.transport };
    const result = await namingPlaces(input, () => runTool(tool, input.value, options));
    const { name } = result;
    const { warnings } = tool.render(result);
    // A warning about a client has no path; of several servers, it gets the place and name of its own.
    const placed = warnings.map((warning) =>
      warning.path === "" && servers.length > 1 ? { ...warning, path: "name" } : warning,
    );
    const named = (await warningMessages(placed, input)).map((message, index) =>
      warnings[index] === placed[index] ? message : { ...message, path: name },
    );
    await writeMessages(io, [...messages, ...named]);
    configs.push(...result.clients.map((config) => ({ config, name })));
  }
  return configs;
}

/**
 * The server of this program.
 *
 * @throws {UsageError} beside a FILE, and for a program in a temporary cache.
 */
function handtoolsServer(file: string | undefined, { ownWords }: Io): GivenServers {
  if (file !== undefined) throw new UsageError(["--self: cannot be used with FILE"]);
  const cached = ownWords.find((word) => PACKAGE_CACHE.test(word));
  if (cached !== undefined) {
    throw new UsageError([
      `--self: ${cached} is in a temporary cache; install handtools in a permanent folder and run it from there`,
    ]);
  }
  const [command, ...words] = ownWords;
  const input = unplacedInput({ name: "handtools", command, args: [...words, "mcp"] });
  return { source: "--self", servers: [{ input, inputs: [], messages: [] }], messages: [] };
}

/** The folders where npx, bunx, pnpm dlx, yarn dlx and Deno put a package to run it once. */
const PACKAGE_CACHE =
  /[\\/](?:_npx|bunx-[^\\/]+|dlx(?:-[^\\/]+)?|deno[\\/]npm|npm[\\/]registry\.npmjs\.org)[\\/]/;

const dryRunOption = () =>
  new Option("--dry-run", "write nothing; print what would change, with secrets masked");

/** @throws {UsageError} when no client is named, with those on this machine. */
async function requireClients(target: Target, from: Client | undefined, io: Io): Promise<void> {
  if (target.clients.length > 0) return;
  const found = (await foundClients(io)).filter((client) => client !== from);
  const which =
    found.length === 0
      ? ", such as --client cursor"
      : `; found on this machine: ${found.map((client) => `--client ${client}`).join(" ")}`;
  throw new UsageError([`--client: name a client${which}`]);
}

/** @throws {UsageError} when no client is named, with those that have one of the servers. */
async function requireHolder(target: Target, names: readonly string[], io: Io): Promise<void> {
  if (target.clients.length > 0) return;
  const { servers, problems } = await installedServers(target, io);
  const holders = servers
    .filter(({ name, project }) => names.includes(name) && project === undefined)
    .map(({ client, scope, file }) => `--client ${client} --scope ${scope} (${file})`);
  const known =
    holders.length === 0
      ? `no file of a client has ${names.join(", ")}`
      : `${names.join(", ")}: ${[...new Set(holders)].join(", ")}`;
  throw new UsageError([`--client: name a client; ${known}`, ...problems]);
}

/** The edits with the files that they change. */
const withPaths = (
  edits: readonly Omit<ClientEdit, "path" | "inProject" | "run" | "findObstacle">[],
  { scope, file }: Target,
  io: Io,
): Promise<readonly ClientEdit[]> =>
  Promise.all(
    edits.map(async (edit) => {
      if (file !== undefined) {
        const path = await behindLinks(file, io);
        return { ...edit, path, inProject: (await pathInProject(path, io)) !== undefined };
      }
      const { config, name } = edit;
      const chosen = chooseScope(config, scope, io);
      const path = await fileToEdit(config, chosen, io);
      const inProject = chosen === "project";
      return { ...edit, path, inProject, ...editByProgram(config, chosen, name, io) };
    }),
  );

/** `handtools mcp-uninstall`: removes a server from the files of clients. */
const defineMcpUninstall: Define = (command, io) => {
  command
    .description(
      "Remove MCP servers from the config files of clients. The old file is kept beside the new one.",
    )
    .argument("<names...>", "the servers' names in the file");
  addExamples(command, ["handtools mcp-uninstall docs --client cursor"]);
  addOptions(command, ...targetOptions(), dryRunOption());
  command.action(async (names: readonly string[], options: InstallFlags) => {
    const target = readTarget(options);
    await requireHolder(target, names, io);
    const edits = clientConfigs(target.clients).flatMap((config) =>
      [...new Set(names)].map((name) => ({
        config,
        name,
        edit: (text: string, backup: string | undefined) =>
          uninstallServer(text, config.client, name, backup),
        already: `has no ${name}`,
      })),
    );
    const mode = options.dryRun ? "dry-run" : "write";
    await applyEdits(await withPaths(edits, target, io), mode, io);
  });
};

export const commands = {
  "mcp-install": defineMcpInstall,
  "mcp-uninstall": defineMcpUninstall,
};
