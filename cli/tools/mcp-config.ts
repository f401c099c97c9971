import type { Warning } from "../../schemas/common.ts";
import { type McpConfigInput, mcpConfigContract } from "../../schemas/mcp-config.ts";
import { InvalidInputError, issueAt } from "../../src/issues.ts";
import { type McpConfigOptions, mcpConfigTool } from "../../src/mcp-config/mcp-config.ts";
import { withLocalLimits } from "../../src/tool.ts";
import { validate } from "../../src/validate.ts";
import { UsageError } from "../errors.ts";
import { warningMessages } from "../input/input.ts";
import type { Io } from "../io.ts";
import {
  CLIENT_NAMES,
  type FileAnswers,
  readAnswers,
  readClients,
  readServer,
  readTransport,
  requireNoManifestAnswers,
  SERVER_FILE,
  SERVER_USAGE,
  serverOptions,
} from "../mcp/read-server.ts";
import { writeMessages } from "../messages/message.ts";
import { choiceOption, onlyValue, valueOption } from "../options.ts";
import { deliver, toJsonText } from "../output.ts";
import {
  addToolFlags,
  exclude,
  onRun,
  type Run,
  runForInput,
  type ToolCommand,
} from "../tool-command.ts";

const tool = withLocalLimits(mcpConfigTool);

/** `handtools mcp-config`: writes the config of a server; reads those of clients' own files. */
export const mcpConfigCommand: ToolCommand = {
  contract: mcpConfigContract,
  async define(command, words, io) {
    const server = serverOptions();
    const read = valueOption(
      "--read <file>",
      "read the servers of any client's config, of a README or of a line that adds one, and print their input",
    );
    const block = valueOption(
      "--block <number>",
      "which block of the README, where several have servers",
    );
    for (const option of [read, block]) option.helpGroup("Existing files:");
    const client = choiceOption(
      "--client <name>",
      "print this client's file alone; with several, the entries of these",
      CLIENT_NAMES,
    );
    const input = [server.kind, server.set, server.transport, read, block];
    const own = { input, output: [client], files: [read] };
    command.argument(...SERVER_FILE).usage(SERVER_USAGE);
    const flags = await addToolFlags(command, tool.contract, own, words);
    const others = flags.fields.filter((option) => option.attributeName() !== "name");
    exclude(read, [...others, client, server.transport, flags.json]);

    onRun(command, flags, io, async (run) => {
      const answers = readAnswers(command, server, io);
      const readFile = onlyValue(command, read);
      const blockNumber = toBlockNumber(onlyValue(command, block));
      if (readFile !== undefined) return printServers(readFile, blockNumber, answers, run, io);
      if (blockNumber !== undefined) throw new UsageError(["--block: needs --read"]);
      const wanted = {
        clients: readClients(command, client),
        transport: readTransport(command, server),
      };
      await writeConfigs(wanted, answers, run, io);
    });
  },
};

async function writeConfigs(
  { clients, transport }: McpConfigOptions,
  answers: FileAnswers,
  { sources, destination, isJson }: Run,
  io: Io,
): Promise<void> {
  const { input, messages, ...known } = await readServer(sources, answers, io);
  await writeMessages(io, messages);
  const options = { ...known, clients, transport: transport ?? known.transport };
  const result = await runForInput(tool, input, options);
  const rendering = tool.render(result);
  await writeMessages(io, await warningMessages(rendering.warnings, input));
  const text = isJson ? toJsonText(result) : rendering.text;
  const approve = (path: string, existing: string) =>
    requireNothingLost(path, existing, text, isJson ? 1 : 2);
  await deliver({ text, isSecret: true, approve }, destination, io);
}

/**
 * Keeps `-o` from overwriting a client's file that has other servers or settings.
 *
 * @param depth of the keys that count, so that a changed value is not a loss.
 * @throws {UsageError} when the file holds more than the text.
 */
async function requireNothingLost(path: string, existing: string, text: string, depth: number) {
  const { lostContent } = await import("../files/lost-content.ts");
  const lost = lostContent(existing, text, depth);
  if (lost === undefined) return;
  throw new UsageError([
    `${path}: holds ${lost}; add the server to it with handtools mcp-install, or name another file`,
  ]);
}

/** Prints the inputs of the servers in a file; `--name` renames a single one. */
async function printServers(
  file: string,
  block: number | undefined,
  answers: FileAnswers,
  run: Run,
  io: Io,
): Promise<void> {
  const [{ printInputs }, { readMcpConfig }, { readIfServerJson }] = await Promise.all([
    import("../input/other-format.ts"),
    import("../../src/mcp-config/read/read-config.ts"),
    import("../../src/mcp-config/server-json/read-server-json.ts"),
  ]);
  // --read allows no other flag of the input.
  const [flag] = run.sources.flags?.given ?? [];
  const name = flag && String(flag.value());
  const read = async (text: string) => {
    const manifest = readIfServerJson(text, { ...answers, name });
    if (!manifest) requireNoManifestAnswers(answers);
    const { servers, transports, warnings } = manifest ?? readMcpConfig(text, { block });
    const sse = servers.filter((_, index) => transports[index] === "sse");
    return { inputs: renamed(servers, name), warnings: [...warnings, ...sse.map(transportLost)] };
  };
  await printInputs(file, read, run, io, true);
}

/** @throws {InvalidInputError} for a name that is wrong, or that several servers would have. */
function renamed(servers: readonly McpConfigInput[], name: string | undefined) {
  if (name === undefined) return servers;
  if (servers.length === 1) {
    return servers.map((server) => validate(tool.contract.input, { ...server, name }));
  }
  const message = `has ${servers.length} servers; a name is for one`;
  throw new InvalidInputError([issueAt([], message)]);
}

/** Warns that the input of an SSE server needs `--transport sse`. */
const transportLost = ({ name }: McpConfigInput): Warning => ({
  code: "sse-url",
  severity: "info",
  path: name,
  message: "speaks SSE, which its input cannot say: give --transport sse with it",
});

function toBlockNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(["--block: must be a whole number from 1"]);
}
