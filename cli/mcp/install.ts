import { type Command, Option } from "commander";
import { mcpConfigContract } from "../../schemas/mcp-config.ts";
import { mcpConfigTool } from "../../src/mcp-config/mcp-config.ts";
import { withLocalLimits } from "../../src/tool.ts";
import { UsageError } from "../errors.ts";
import { flagInput } from "../input/flag-input.ts";
import { inputOf, warningMessages } from "../input/input.ts";
import type { Io } from "../io.ts";
import { writeMessages } from "../messages/message.ts";
import { addExamples, isGiven } from "../options.ts";
import { resultFor } from "../tool-command.ts";
import { applyEdits, type ClientEdit } from "./apply-edits.ts";
import { SERVER_USAGE } from "./command-line.ts";
import { installServer, uninstallServer } from "./edit/edit-config.ts";
import { editByCli } from "./edit-by-cli.ts";
import {
  type GivenServer,
  readAnswers,
  readServer,
  readTransport,
  SERVER_FILE,
  serverOptions,
} from "./read-server.ts";
import {
  behindLinks,
  clientConfigs,
  clientFile,
  readTarget,
  scopesOf,
  type Target,
  targetOptions,
} from "./targets.ts";

const tool = withLocalLimits(mcpConfigTool);

/** `handtools mcp-install`: writes a server into the files of clients. */
export function defineMcpInstallCommand(command: Command, io: Io): void {
  const flags = flagInput(tool.contract);
  const server = serverOptions();
  const options = targetOptions();
  const force = new Option("--force", "replace another server of the same name");
  const self = new Option("--self", "install handtools' own server, by the path it runs from");
  self.conflicts(flags.options.map((option) => option.attributeName()));
  server.transport.conflicts("self");
  const dryRun = dryRunOption();
  command
    .description(
      "Write an MCP server into the config files of clients. Nothing else in a file changes, and the old file is kept beside the new one.",
    )
    .argument(...SERVER_FILE)
    .usage(SERVER_USAGE);
  addExamples(command, [
    "handtools mcp-install --client cursor --self",
    "handtools mcp-install --client cursor --name docs --url https://docs.example.com/mcp",
    "handtools mcp-install --client cursor --client codex --name files -- npx -y @modelcontextprotocol/server-filesystem /home/me/notes",
    `handtools example ${mcpConfigContract.command} | handtools mcp-install - --client vscode --scope project`,
    `handtools example ${mcpConfigContract.command} | handtools mcp-install - --client codex --dry-run`,
  ]);
  const inputOptions = [...flags.options, ...Object.values(server), self.helpGroup("Input:")];
  for (const option of [...inputOptions, ...options.all, force, dryRun]) {
    command.addOption(option);
  }
  command.action(async (file?: string) => {
    const target = requireClients(readTarget(command, options));
    const sources = {
      command: command.name(),
      files: file === undefined ? [] : [file],
      flags: flags.given(command, io),
    };
    const { input, messages, ...known } = isGiven(command, self)
      ? ownServer(file, io)
      : await readServer(sources, readAnswers(command, server, io), io);
    await writeMessages(io, messages);
    const transport = readTransport(command, server) ?? known.transport;
    const { clients } = target;
    const result = await resultFor(tool, input, { ...known, clients, transport });
    const { name } = result;
    await writeMessages(io, await warningMessages(tool.render(result).warnings, input));
    const replace = isGiven(command, force);
    const edits = result.clients.map((config) => ({
      config,
      name,
      edit: (text: string) => installServer(text, config, { replace }),
      already: `has ${name} already`,
    }));
    await applyEdits(await withPaths(edits, target, io), isGiven(command, dryRun), io);
  });
}

/**
 * The server of this program.
 *
 * @throws {UsageError} beside a FILE, and where the program would not stay.
 */
function ownServer(file: string | undefined, { ownWords }: Io): GivenServer {
  if (file !== undefined) throw new UsageError(["--self: cannot be used with FILE"]);
  const cached = ownWords.find((word) => PACKAGE_CACHE.test(word));
  if (cached !== undefined) {
    throw new UsageError([
      `--self: ${cached} is in a temporary cache; install handtools in a permanent folder and run it from there`,
    ]);
  }
  const [command, ...words] = ownWords;
  const input = inputOf({ name: "handtools", command, args: [...words, "mcp"] });
  return { input, inputs: [], messages: [] };
}

/** The folders into which npx, bunx, pnpm dlx, yarn dlx and Deno put a package to run it once. */
const PACKAGE_CACHE =
  /[\\/](?:_npx|bunx-[^\\/]+|dlx(?:-[^\\/]+)?|deno[\\/]npm|npm[\\/]registry\.npmjs\.org)[\\/]/;

const dryRunOption = () =>
  new Option("--dry-run", "write nothing; print what would change, with secrets masked");

/** @throws {UsageError} when no client is named. */
function requireClients(target: Target): Target {
  if (target.clients.length > 0) return target;
  throw new UsageError(["--client: name a client, such as --client cursor"]);
}

/** The edits with the files that they change. */
const withPaths = (
  edits: readonly Omit<ClientEdit, "path" | "run">[],
  { scope, file }: Target,
  io: Io,
): Promise<readonly ClientEdit[]> =>
  Promise.all(
    edits.map(async (edit) => {
      if (file !== undefined) return { ...edit, path: await behindLinks(file, io) };
      const { config, name } = edit;
      const chosen = scope ?? scopesOf(config, io)[0] ?? "user";
      const path = await clientFile(config, chosen, io);
      const run = editByCli(config, chosen, name, io);
      return { ...edit, path, ...(run && { run }) };
    }),
  );

/** `handtools mcp-uninstall`: removes a server from the files of clients. */
export function defineMcpUninstallCommand(command: Command, io: Io): void {
  const options = targetOptions();
  const dryRun = dryRunOption();
  command
    .description(
      "Remove an MCP server from the config files of clients. The old file is kept beside the new one.",
    )
    .argument("<name>", "the server's name in the file");
  addExamples(command, ["handtools mcp-uninstall docs --client cursor"]);
  for (const option of [...options.all, dryRun]) command.addOption(option);
  command.action(async (name: string) => {
    const target = requireClients(readTarget(command, options));
    const edits = clientConfigs(target.clients).map((config) => ({
      config,
      name,
      edit: (text: string, backup: string | undefined) =>
        uninstallServer(text, config.client, name, backup),
      already: `has no ${name}`,
    }));
    await applyEdits(await withPaths(edits, target, io), isGiven(command, dryRun), io);
  });
}
