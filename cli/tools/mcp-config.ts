import { type Command, Option } from "commander";
import type { Warning } from "../../schemas/index.ts";
import type { Client, ClientConfig, McpConfigInput } from "../../schemas/mcp-config.ts";
import { formatPath, validate } from "../../src/issues.ts";
import { mcpConfigTool } from "../../src/mcp-config/mcp-config.ts";
import { type ParsedServer, parseServer } from "../../src/mcp-config/mcp-server.ts";
import { renderMcpConfig } from "../../src/mcp-config/render-config.ts";
import { findSecrets } from "../../src/mcp-config/secrets.ts";
import { variableForValue } from "../../src/mcp-config/variable-references.ts";
import { withExtendedLimits } from "../../src/tool.ts";
import { UsageError } from "../cli-error.ts";
import { type InputFlags, warningMessages, withLocations } from "../input/read-input.ts";
import type { CommonFlags, Io } from "../io.ts";
import {
  clientOption,
  readClients,
  rejectManifestFlags,
  SERVER_FILE,
  SERVER_USAGE,
  type ServerFlags,
  serverFromArguments,
  serverOptions,
  withoutClientPaths,
} from "../mcp/servers-from-arguments.ts";
import {
  addExamples,
  addOptions,
  type DefineCommand,
  jsonOption,
  outputOptions,
  valueOption,
} from "../options.ts";
import { type Diagnostic, toJsonText, writeDiagnostics, writeOutput } from "../output.ts";
import { formatToolDescription, loadInputFlags, requireFiles, writeInputs } from "./input-files.ts";

const tool = withExtendedLimits(mcpConfigTool);

/** The flags of the command and its modes. */
interface Flags extends CommonFlags, ServerFlags {
  readonly client?: readonly (Client | "all")[];
  readonly block?: string;
}

/** `handtools mcp-config`: writes the config of a server; its modes read configs, and write for a README. */
const defineMcpConfig: DefineCommand = async (command, io, words) => {
  const client = clientOption("print this client's file alone; with several, the entries of these");
  const server = serverOptions(io);
  const printing = [client.helpGroup("Output:"), jsonOption(), ...outputOptions()];
  const flags = await loadInputFlags(tool.contract, words, [...server, ...printing], io);

  command
    .description(formatToolDescription(tool.contract))
    .argument(...SERVER_FILE)
    .usage(SERVER_USAGE);
  addExamples(command, [
    "handtools mcp-config --name files -- npx -y @modelcontextprotocol/server-filesystem /home/me/notes",
    "handtools example mcp-config | handtools mcp-config -",
    "handtools example mcp-config > input.json && handtools mcp-config input.json",
  ]);
  addOptions(command, ...(flags?.options ?? []), ...server, ...printing);
  command.action(async (file: string | undefined, options: Flags) => {
    const files = file === undefined ? [] : [file];
    await requireFiles(command, files, io);
    const { input, messages, ...known } = await serverFromArguments(
      { command, files, flags },
      options,
      io,
    );
    await writeDiagnostics(io, messages);
    const transport = options.transport ?? known.transport;
    const clients = readClients(options.client);
    const { result, valid } = await withLocations(input, () => {
      const valid = validate(tool.contract.input, input.value);
      return { valid, result: tool.run(valid, { ...known, clients, transport }) };
    });
    const warnings = withoutClientPaths(result.warnings);
    const secrets = secretWarnings(valid, result.clients);
    await writeDiagnostics(io, await warningMessages([...warnings, ...secrets], input));
    const text = options.json ? toJsonText(result) : renderMcpConfig(result);
    const approve = (existing: string) => requireNoLostContent(existing, text, options.output);
    await writeOutput({ text, isSecret: true, approve }, options, io);
  });

  defineRead(command.command("read"), io);
  defineReadme(command.command("readme"), flags, io);
};

export const commands = { "mcp-config": defineMcpConfig };

/** Warns of secrets that the text holds, for clients whose file may be committed with a project. */
function secretWarnings(input: McpConfigInput, clients: readonly ClientConfig[]) {
  const paths = clients.flatMap(
    ({ locations }) => locations.findLast(({ scope }) => scope === "project")?.path ?? [],
  );
  if (paths.length === 0) return [];
  const server = parseServer(input);
  const field = server.transport === "stdio" ? "env" : "headers";
  return findSecrets(server).filled.map((name) => ({
    severity: "warning" as const,
    path: formatPath([field, name]),
    message: `seems to hold a secret: keep ${[...new Set(paths)].join(", ")} out of version control while it is in there, or write it as \${${variableForValue(server, name)}}`,
  }));
}

/**
 * Keeps `-o` from overwriting a client's file that has other servers or settings.
 *
 * @throws {UsageError} when the file holds more than the text.
 */
async function requireNoLostContent(existing: string, text: string, file = "") {
  const { lostContent } = await import("../mcp/overwrite-guard.ts");
  const lost = lostContent(existing, text);
  if (lost === undefined) return;
  throw new UsageError([
    `${file}: holds ${lost}; add the server to it with handtools mcp add, or name another file`,
  ]);
}

function defineRead(command: Command, io: Io): void {
  command
    .summary("print the servers of a client's config as inputs")
    .description(
      "Print the servers of any client's config, of a README, of a line that adds one or of a server.json as inputs.",
    )
    .argument("<file>", "the file; - is standard input");
  addExamples(command, [
    "handtools example mcp-config | handtools mcp-config - --client cursor | handtools mcp-config read -",
  ]);
  const block = valueOption(
    "--block <number>",
    "which block of the README, where several have servers",
    (text) => (/^[1-9]\d{0,5}$/.test(text) ? undefined : "must be a whole number from 1"),
  ).helpGroup("Input:");
  const known = serverOptions(io).filter((option) => option.long !== "--transport");
  addOptions(command, ...known, block, ...outputOptions());
  command.action(async (file: string, options: Flags) => {
    await requireFiles(command, [file], io);
    const { block } = options;
    const [{ parseMcpConfig }, { readIfServerJson }] = await Promise.all([
      import("../../src/mcp-config/parse/parse-config.ts"),
      import("../../src/mcp-config/server-json/parse-server-json.ts"),
    ]);
    const read = async (text: string) => {
      const manifest = readIfServerJson(text, { ...options, variables: options.var });
      if (!manifest) rejectManifestFlags(options);
      const known = { block: block === undefined ? undefined : Number(block) };
      const { servers, warnings } = manifest ?? parseMcpConfig(text, known);
      const lost = [
        ...servers.filter(({ transport }) => transport === "sse").map(transportLostWarning),
        ...servers.filter(({ cwd }) => cwd !== undefined).map(cwdLostWarning),
      ];
      return { inputs: servers.map(({ input }) => input), warnings: [...warnings, ...lost] };
    };
    await writeInputs(file, read, options, io, true);
  });
}

/** Warns that the input of a server loses the folder that it starts in. */
const cwdLostWarning = ({ input: { name } }: ParsedServer): Warning => ({
  code: "left-out",
  severity: "warning",
  path: name,
  message: "has a cwd, which its input cannot say; mcp-config FILE and mcp add FILE keep it",
});

/** Warns that the input of an SSE server needs `--transport sse`. */
const transportLostWarning = ({ input: { name } }: ParsedServer): Warning => ({
  code: "sse-transport",
  severity: "info",
  path: name,
  message: "speaks SSE, which its input cannot say: give --transport sse with it",
});

function defineReadme(command: Command, flags: InputFlags | undefined, io: Io): void {
  command
    .summary("print the install section of a README")
    .description(
      "Print the install section of a README: buttons whose links GitHub keeps, and the config for each client. -o README.md puts it between its markers there.",
    )
    .argument(...SERVER_FILE)
    .usage(SERVER_USAGE);
  addExamples(command, [
    "handtools example mcp-config | handtools mcp-config readme -",
    "handtools mcp-config readme --client cursor --client codex --name files -- npx -y my-server",
    "handtools mcp-config readme --name files -- npx -y my-server > README.md",
    "handtools mcp-config readme --name files -o README.md -- npx -y my-server",
    "handtools mcp-config readme --name files -o README.md --check -- npx -y my-server",
  ]);
  const client = clientOption("a client of the section. Repeatable.").helpGroup("Output:");
  const pinVersion = new Option(
    "--pin-version",
    "keep the version of a server.json in the section; without it, the newest one is started",
  ).helpGroup("Input:");
  const input = [...(flags?.options ?? []), ...serverOptions(io), pinVersion];
  const output = outputOptions("put the section between its markers in this README");
  addOptions(command, ...input, client, ...output);
  command.action(async (file: string | undefined, options: Flags) => {
    const files = file === undefined ? [] : [file];
    await requireFiles(command, files, io);
    const answers = { ...options, pinVersion: options.pinVersion === true };
    const given = await serverFromArguments({ command, files, flags }, answers, io);
    await writeDiagnostics(io, given.messages);
    const [{ createReadmeSection }, { writeReadmeSection }] = await Promise.all([
      import("../../src/mcp-config/readme-section.ts"),
      import("../mcp/write-readme-section.ts"),
    ]);
    const { input, variables } = given;
    const { markdown, left_out } = await withLocations(input, () =>
      createReadmeSection(validate(tool.contract.input, input.value), {
        ...{ variables, clients: readClients(options.client) },
        transport: options.transport ?? given.transport,
      }),
    );
    const withoutButton = left_out.map(
      ({ name, reason }): Diagnostic => ({ severity: "info", text: `${name} ${reason}` }),
    );
    await writeDiagnostics(io, withoutButton);
    await writeReadmeSection(markdown, options, io);
  });
}
