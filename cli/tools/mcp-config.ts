import { type Command, Option } from "commander";
import type { Client, ClientConfig, McpConfigInput } from "../../schemas/mcp-config.ts";
import { formatWarnings } from "../../src/findings.ts";
import { validate } from "../../src/issues.ts";
import { mcpConfigTool, writeConfigsInParts } from "../../src/mcp-config/mcp-config.ts";
import { parseServer, type RawServer } from "../../src/mcp-config/mcp-server.ts";
import { renderMcpConfig } from "../../src/mcp-config/render-config.ts";
import { findSecrets } from "../../src/mcp-config/secrets.ts";
import { variableForKey } from "../../src/mcp-config/variable-references.ts";
import { withExtendedLimits } from "../../src/tool.ts";
import { CliError, UsageError } from "../cli-error.ts";
import { decodeExactly, readText, sourceName } from "../files/read-file.ts";
import { fileInput, type InputFlags, toDiagnostics, withLocations } from "../input/read-input.ts";
import type { CommonFlags, Io } from "../io.ts";
import {
  clientOption,
  readClients,
  readSingleServer,
  rejectManifestFlags,
  SERVER_ARGUMENT,
  SERVER_USAGE,
  type ServerFlags,
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
import { formatToolDescription, loadInputFlags, requireFiles } from "./input-files.ts";

const configTool = withExtendedLimits(mcpConfigTool);

/** The flags of the command and its subcommands. */
interface ConfigFlags extends CommonFlags, ServerFlags {
  readonly client?: readonly (Client | "all")[];
  readonly block?: string;
}

const defineMcpConfig: DefineCommand = async (command, io, args) => {
  const client = clientOption("print this client's file alone; with several, the entries of these");
  const server = serverOptions(io);
  const printing = [client.helpGroup("Output:"), jsonOption(), ...outputOptions()];
  const flags = await loadInputFlags(configTool.contract, args, [...server, ...printing], io);

  command
    .description(formatToolDescription(configTool.contract))
    .argument(...SERVER_ARGUMENT)
    .usage(SERVER_USAGE);
  addExamples(command, [
    "handtools mcp-config --name files -- npx -y @modelcontextprotocol/server-filesystem /home/me/notes",
    "handtools example mcp-config | handtools mcp-config -",
    "handtools example mcp-config > input.json && handtools mcp-config input.json",
  ]);
  addOptions(command, ...(flags?.options ?? []), ...server, ...printing);
  command.action(async (file: string | undefined, options: ConfigFlags) => {
    const { input, ...facts } = await readSingleServer({ command, file, flags }, options, io);
    const transport = options.transport ?? facts.transport;
    const clients = readClients(options.client);
    const { config, valid } = await withLocations(input, () => {
      const valid = validate(configTool.contract.input, input.value);
      return { valid, config: writeConfigsInParts(valid, { ...facts, clients, transport }) };
    });
    const { parts: _, ...result } = config;
    const warnings = withoutClientPaths(result.warnings);
    const secrets = secretWarnings(valid, result.clients);
    await writeDiagnostics(io, await toDiagnostics([...warnings, ...secrets], input));
    const text = options.json ? toJsonText(formatWarnings(result)) : renderMcpConfig(config);
    const approve = (existing: string) => requireNoLostContent(existing, text, options.output);
    await writeOutput({ text, isSecret: true, approve }, options, io);
  });

  defineReadServers(command.command("read"), io);
  defineReadme(command.command("readme"), flags, io);
};

export const commands = { "mcp-config": defineMcpConfig };

/** Warns about secrets in files that may be committed with a project. */
function secretWarnings(input: McpConfigInput, clients: readonly ClientConfig[]) {
  const paths = clients.flatMap(
    ({ locations }) => locations.findLast(({ scope }) => scope === "project")?.path ?? [],
  );
  if (paths.length === 0) return [];
  const server = parseServer(input);
  const field = server.transport === "stdio" ? "env" : "headers";
  return findSecrets(server).secretNames.map((name) => ({
    severity: "warning" as const,
    path: [field, name],
    message: `seems to be a secret: keep ${[...new Set(paths)].join(", ")} out of version control, or replace the secret with \${${variableForKey(server, name)}}`,
  }));
}

/**
 * Prevents `-o` from overwriting a client's file with other servers or settings.
 *
 * @throws {UsageError} if content would be lost.
 */
async function requireNoLostContent(existing: string, text: string, file = "") {
  const { describeLostContent } = await import("../mcp/overwrite-guard.ts");
  const lost = describeLostContent(existing, text);
  if (lost === undefined) return;
  throw new UsageError([
    `${file}: contains ${lost}; add the server with handtools mcp add, or choose another file`,
  ]);
}

function defineReadServers(command: Command, io: Io): void {
  command
    .summary("print the servers of a client's config as inputs")
    .description(
      "Print the servers of any client's config, of a README, of a command that adds one or of a server.json as inputs.",
    )
    .argument("<file>", "the file; - is standard input");
  addExamples(command, [
    "handtools example mcp-config | handtools mcp-config - --client cursor | handtools mcp-config read -",
  ]);
  const block = valueOption(
    "--block <number>",
    "which block of the README, if several have servers",
    (text) => (/^[1-9]\d{0,5}$/.test(text) ? undefined : "must be a whole number from 1"),
  ).helpGroup("Input:");
  const manifestOptions = serverOptions(io).filter((option) => option.long !== "--transport");
  addOptions(command, ...manifestOptions, block, ...outputOptions());
  command.action(async (file: string, options: ConfigFlags) => {
    await requireFiles(command, [file], io);
    const [{ chooseConfigBlock }, { readIfServerJson }] = await Promise.all([
      import("../../src/mcp-config/parse/parse-config.ts"),
      import("../../src/mcp-config/server-json/parse-server-json.ts"),
    ]);
    const source = sourceName(file);
    const location = { file: source };
    const content = await readText(file, io);
    const { servers, warnings } = await withLocations(fileInput({ source, value: content }), () => {
      const manifest = readIfServerJson(content, { ...options, variables: options.var });
      if (manifest) return manifest;
      rejectManifestFlags(options);
      const { block } = options;
      return chooseConfigBlock(content, block === undefined ? block : Number(block));
    });
    const inputs = servers.map(({ input }) => input);
    // The paths of the warnings are locations in the file.
    const all = [
      ...warnings,
      ...servers.filter(({ transport }) => transport === "sse").map(transportLostWarning),
      ...servers.filter(({ cwd }) => cwd !== undefined).map(cwdLostWarning),
    ];
    await writeDiagnostics(io, await toDiagnostics(all, fileInput({ source, value: inputs })));
    const [only, ...others] = inputs;
    if (only === undefined) {
      throw new UsageError([{ location, text: "must contain a server that can be read" }]);
    }
    if (others.length > 0) {
      const text = `holds ${inputs.length} inputs, printed as a list; pass one at a time`;
      await writeDiagnostics(io, [{ severity: "info", location, text }]);
    }
    const text = toJsonText(others.length > 0 ? inputs : only);
    await writeOutput({ text, isSecret: true }, options, io);
  });
}

const cwdLostWarning = ({ path }: RawServer) => ({
  code: "left-out",
  severity: "warning" as const,
  path,
  message: "has a cwd; an input has no field for it, but mcp-config FILE and mcp add FILE keep it",
});

const transportLostWarning = ({ path }: RawServer) => ({
  code: "sse-transport",
  severity: "info" as const,
  path,
  message: "uses SSE; an input has no field for it, so add --transport sse",
});

function defineReadme(command: Command, flags: InputFlags | undefined, io: Io): void {
  command
    .summary("print the install section of a README")
    .description(
      "Print the install section of a README: buttons with links that GitHub keeps, and the config for each client. -o README.md puts it between its markers.",
    )
    .argument(...SERVER_ARGUMENT)
    .usage(SERVER_USAGE);
  addExamples(command, [
    "handtools example mcp-config | handtools mcp-config readme -",
    "handtools mcp-config readme --client cursor --client codex --name files -- npx -y my-server",
    "handtools mcp-config readme --name files -- npx -y my-server > README.md",
    "handtools mcp-config readme --name files -o README.md -- npx -y my-server",
    "handtools mcp-config readme --name files -o README.md --check -- npx -y my-server",
  ]);
  const client = clientOption("a client in the section. Repeatable.").helpGroup("Output:");
  const pinVersion = new Option(
    "--pin-version",
    "keep the version of a server.json in the section; without it, clients start the newest",
  ).helpGroup("Input:");
  const input = [...(flags?.options ?? []), ...serverOptions(io), pinVersion];
  const output = outputOptions("put the section between its markers in this README");
  addOptions(command, ...input, client, ...output);
  command.action(async (file: string | undefined, options: ConfigFlags) => {
    const sectionFlags = { ...options, pinVersion: options.pinVersion === true };
    const sources = { command, file, flags };
    const { input, variables, transport } = await readSingleServer(sources, sectionFlags, io);
    const { createReadmeSection } = await import("../../src/mcp-config/readme-section.ts");
    const { markdown, left_out } = await withLocations(input, () =>
      createReadmeSection(validate(configTool.contract.input, input.value), {
        ...{ variables, clients: readClients(options.client) },
        transport: options.transport ?? transport,
      }),
    );
    const withoutButton = left_out.map(
      ({ name, reason }): Diagnostic => ({ severity: "info", text: `${name} ${reason}` }),
    );
    await writeDiagnostics(io, withoutButton);
    await writeReadmeSection(markdown, options, io);
  });
}

const START_MARKER = "<!-- handtools:install -->";
const END_MARKER = "<!-- /handtools:install -->";

/** A section from its first to its last marker, each on its own line. */
const MARKED_SECTION = new RegExp(`^${START_MARKER}(\r?\n)[^]*?^${END_MARKER}(?=\r?\n|$)`, "m");

/**
 * Prints an install section with its markers, or replaces the section in a README. Nothing else in
 * the README changes.
 *
 * @throws {CliError} if the README has no markers.
 */
async function writeReadmeSection(markdown: string, flags: CommonFlags, io: Io): Promise<void> {
  const { output = "-" } = flags;
  const section = `${START_MARKER}\n\n${markdown}\n${END_MARKER}`;
  if (output === "-") return writeOutput({ text: `${section}\n` }, {}, io);
  const readme = decodeExactly(output, await io.readFile(output));
  const [, lineEnd = ""] = MARKED_SECTION.exec(readme) ?? [];
  if (lineEnd === "") {
    const text = `has no markers; put these two lines where the section belongs: ${START_MARKER} and ${END_MARKER}`;
    throw new CliError([{ location: { file: output }, text }]);
  }
  const text = readme.replace(MARKED_SECTION, () => section.replaceAll("\n", lineEnd));
  await writeOutput({ text }, flags, io);
}
