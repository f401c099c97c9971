import { type Command, Option } from "commander";
import type { Warning } from "../../schemas/common.ts";
import type { Transport } from "../../schemas/inputs/mcp-config.ts";
import {
  ALL_CLIENTS,
  type Client,
  type McpConfigInput,
  mcpConfigContract,
} from "../../schemas/mcp-config.ts";
import { mcpConfigTool } from "../../src/mcp-config/mcp-config.ts";
import {
  ReadmeMarkerError,
  replaceInstallBlock,
} from "../../src/mcp-config/readme/install-block.ts";
import { mcpReadme } from "../../src/mcp-config/readme/mcp-readme.ts";
import type { ServerInput } from "../../src/mcp-config/server-json/inputs.ts";
import { visibleLine } from "../../src/text.ts";
import { validInput } from "../../src/tool.ts";
import { UsageError } from "../errors.ts";
import { readExisting } from "../files/edit-file.ts";
import { type Input, namingPlaces, readInput, warningMessages } from "../input/input.ts";
import { givenSource, readSourceOf, requireNoSourceFlags } from "../input/source.ts";
import type { Io } from "../io.ts";
import { addReporting, isHeard, requireNoWarnings, writeMessages } from "../messages/message.ts";
import {
  allChoices,
  allValues,
  choiceOption,
  exampleHelp,
  isGiven,
  onlyPath,
  onlyValue,
  valueOption,
} from "../options.ts";
import { outOfDate } from "../output.ts";
import { type SourceFlags, sourceFlags } from "../tool-options.ts";
import { readTransport, transportOption } from "./transport.ts";

/** `handtools mcp-readme`: writes the install section of a README. */
export function defineMcpReadmeCommand(command: Command, io: Io): void {
  const names = [...ALL_CLIENTS, "all"] as const;
  const clients = choiceOption(
    "--clients <names...>",
    "the clients of the section, separated by spaces or commas",
    names,
  );
  const readme = valueOption(
    "--file <path>",
    "the README; its section between the two comments is replaced",
  );
  const check = new Option(
    "--check",
    "write nothing; fail when the section of --file is not up to date",
  );
  const source = sourceFlags(mcpConfigContract);
  const name = valueOption("--name <name>", "another name for the server").helpGroup("Input:");
  const transport = transportOption();
  command
    .description(
      "Write the install section of a README: buttons whose links GitHub keeps, and the config for each client.",
    )
    .argument(
      "[file]",
      `a JSON file with the server, ${mcpConfigContract.source.file}, or ${mcpConfigContract.source.others}; - is standard input`,
    )
    .addHelpText(
      "after",
      exampleHelp([
        `handtools example ${mcpConfigContract.command} | handtools mcp-readme -`,
        `handtools example ${mcpConfigContract.command} | handtools mcp-readme - --clients cursor,codex`,
      ]),
    );
  for (const option of [
    clients,
    ...(source ? [source.choice, source.values] : []),
    name,
    transport,
    readme,
    check,
  ]) {
    command.addOption(option);
  }
  addReporting(command, io);
  command.action(async (file: string | undefined = fileBehind(command, clients)) => {
    const path = onlyPath(command, readme);
    const isCheck = isGiven(command, check);
    if (path === undefined && isCheck) throw new UsageError(["--check: needs --file README.md"]);
    if (file === undefined) {
      throw new UsageError([
        "give a FILE with the server, or - for standard input; see handtools mcp-readme --help",
      ]);
    }
    const given = await readInput(command, { files: [file], isAnyText: true }, io);
    const server = await readServer(given, command, source, onlyValue(command, name), io);
    // A writer of the section wants to know what is left out, a check only what is wrong.
    const isShown = ({ severity }: Warning) => severity !== "info" || !isCheck;
    await writeMessages(io, await warningMessages(server.warnings.filter(isShown), given));
    const chosen = allChoices(command, clients, names);
    const { markdown, left_out } = await namingPlaces(given, undefined, () =>
      mcpReadme(server.input, {
        inputs: server.inputs,
        clients: clientsOf(chosen),
        transport: readTransport(command, transport) ?? server.transport,
      }),
    );
    await writeMessages(
      io,
      left_out.map(({ client, reason }) => ({
        severity: "warning",
        text: `${client} has no button: ${reason}`,
      })),
    );
    requireNoWarnings(io);
    if (path === undefined) return io.writeOut(markdown);
    await updateFile(path, markdown, isCheck, io);
  });
}

/** FILE, where it follows the names of a list, which takes every word behind it. */
function fileBehind(command: Command, list: Option): string | undefined {
  const values = allValues(command, list) ?? [];
  const last = values.at(-1) ?? "";
  if (values.length < 2 || !/[./\\]|^-$/.test(last)) return undefined;
  command.setOptionValue(list.attributeName(), values.slice(0, -1));
  return last;
}

/** Undefined for the usual ones. */
function clientsOf(names: readonly (Client | "all")[]): readonly Client[] | undefined {
  if (names.includes("all")) return ALL_CLIENTS;
  return names.length === 0 ? undefined : names.filter((name) => name !== "all");
}

/** @throws {UsageError} for a file that is neither an input nor another that gives one. */
async function readServer(
  given: Input,
  command: Command,
  flags: SourceFlags | undefined,
  name: string | undefined,
  io: Io,
): Promise<{
  readonly input: McpConfigInput;
  readonly inputs: readonly ServerInput[];
  readonly transport?: Transport | undefined;
  readonly warnings: readonly Warning[];
}> {
  const { contract, readSource, furtherIssues } = mcpConfigTool;
  const fields = name === undefined ? {} : { name };
  const completion = { ...givenSource(command, contract, flags, io), fields };
  const source = await readSourceOf(given, readSource, completion);
  if (!source) requireNoSourceFlags(command, contract, flags);
  const { input, ...read } = source ?? { input: given.value, inputs: [], warnings: [] };
  return namingPlaces(given, undefined, () => ({
    ...read,
    input: validInput(
      contract.local_input,
      name === undefined ? input : { ...Object(input), name },
      furtherIssues,
    ),
  }));
}

async function updateFile(path: string, markdown: string, isCheck: boolean, io: Io): Promise<void> {
  const before = await readExisting(path, io);
  const after = withSection(path, before, markdown);
  if (after === before) return isCheck ? undefined : say(`${path} is up to date`, io);
  if (isCheck) {
    throw await outOfDate(path, before, after, "run this without --check", io);
  }
  await io.replaceFile(path, after, { secret: false });
  await say(`wrote ${path}`, io);
}

const say = async (line: string, io: Io): Promise<void> => {
  if (isHeard(io)) await io.writeError(`${visibleLine(line)}\n`);
};

function withSection(path: string, readme: string, markdown: string): string {
  try {
    return replaceInstallBlock(readme, markdown);
  } catch (error) {
    if (!(error instanceof ReadmeMarkerError)) throw error;
    throw new UsageError([{ place: { file: path }, text: error.message }]);
  }
}
