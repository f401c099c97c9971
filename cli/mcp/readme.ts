import { type Command, Option } from "commander";
import { mcpConfigContract } from "../../schemas/mcp-config.ts";
import {
  ReadmeMarkerError,
  replaceInstallBlock,
} from "../../src/mcp-config/readme/install-block.ts";
import { mcpReadme } from "../../src/mcp-config/readme/mcp-readme.ts";
import { furtherIssues } from "../../src/mcp-config/server.ts";
import { visibleLine } from "../../src/text.ts";
import { validInput } from "../../src/tool.ts";
import { UsageError } from "../errors.ts";
import { readExisting } from "../files/edit-file.ts";
import { namingPlaces } from "../input/input.ts";
import type { Io } from "../io.ts";
import {
  addReporting,
  type Message,
  printsForPeople,
  requireNoWarnings,
  writeMessages,
} from "../messages/message.ts";
import {
  addExamples,
  choiceOption,
  isGiven,
  onlyEditedPath,
  onlyValue,
  takeFileFromList,
  valueOption,
} from "../options.ts";
import { outOfDateError } from "../output.ts";
import {
  CLIENT_NAMES,
  readAnswers,
  readClients,
  readServerAt,
  readTransport,
  SERVER_FILE,
  serverOptions,
} from "./read-server.ts";

/** `handtools mcp-readme`: writes the install section of a README. */
export function defineMcpReadmeCommand(command: Command, io: Io): void {
  const clients = choiceOption(
    "--clients <names...>",
    "the clients of the section, separated by spaces or commas",
    CLIENT_NAMES,
  );
  const readme = valueOption(
    "--file <path>",
    "the README; its section between the two comments is replaced",
  );
  const check = new Option(
    "--check",
    "write nothing; fail when the section of --file is not up to date",
  );
  const pinned = new Option(
    "--pinned",
    "keep the version of a server.json in the section; without it, the newest one is started",
  ).helpGroup("Input:");
  const server = serverOptions();
  const name = valueOption("--name <name>", "another name for the server").helpGroup("Input:");
  command
    .description(
      "Write the install section of a README: buttons whose links GitHub keeps, and the config for each client.",
    )
    .argument(...SERVER_FILE);
  addExamples(command, [
    `handtools example ${mcpConfigContract.command} | handtools mcp-readme -`,
    `handtools example ${mcpConfigContract.command} | handtools mcp-readme - --clients cursor,codex`,
  ]);
  const { kind, set, transport } = server;
  for (const option of [clients, kind, set, name, pinned, transport, readme, check]) {
    command.addOption(option);
  }
  addReporting(command, io);
  command.action(async (file: string | undefined = takeFileFromList(command, clients)) => {
    const path = onlyEditedPath(command, readme);
    const isCheck = isGiven(command, check);
    if (path === undefined && isCheck) throw new UsageError(["--check: needs --file README.md"]);
    if (file === undefined) {
      throw new UsageError([
        "give a FILE with the server, or - for standard input; see handtools mcp-readme --help",
      ]);
    }
    const answers = {
      ...readAnswers(command, server, io),
      name: onlyValue(command, name),
      pinned: isGiven(command, pinned),
    };
    const { input, inputs, messages, ...known } = await readServerAt(file, answers, io);
    // A writer of the section wants to know what is left out, a check only what is wrong.
    const isShown = ({ severity }: Message) => severity !== "info" || !isCheck;
    await writeMessages(io, messages.filter(isShown));
    const { markdown, left_out } = await namingPlaces(input, () =>
      mcpReadme(validInput(mcpConfigContract.local_input, input.value, furtherIssues), {
        inputs,
        clients: readClients(command, clients),
        transport: readTransport(command, server) ?? known.transport,
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

async function updateFile(path: string, markdown: string, isCheck: boolean, io: Io): Promise<void> {
  const before = await readExisting(path, io);
  const after = withSection(path, before, markdown);
  if (after === before) return isCheck ? undefined : say(`${path} is up to date`, io);
  if (isCheck) {
    throw await outOfDateError(path, before, after, "run this without --check", io);
  }
  await io.replaceFile(path, after, { isSecret: false });
  await say(`wrote ${path}`, io);
}

const say = async (line: string, io: Io): Promise<void> => {
  if (printsForPeople(io)) await io.writeError(`${visibleLine(line)}\n`);
};

function withSection(path: string, readme: string, markdown: string): string {
  try {
    return replaceInstallBlock(readme, markdown);
  } catch (error) {
    if (!(error instanceof ReadmeMarkerError)) throw error;
    throw new UsageError([{ place: { file: path }, text: error.message }]);
  }
}
