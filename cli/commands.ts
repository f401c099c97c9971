import { Argument, type Command } from "commander";
import { closestName } from "../schemas/common.ts";
import type { Contract } from "../schemas/index.ts";
import { variableHelp, variables } from "../schemas/variables.ts";
import type { Column } from "../src/text.ts";
import { parseOrigin } from "../src/url.ts";
import { type CliError, SystemError, UsageError } from "./errors.ts";
import { readText } from "./files/read-file.ts";
import type { Io } from "./io.ts";
import { addExamples, onlyPath, onlyValue, valueOption } from "./options.ts";
import { toJsonText, writeTable } from "./output.ts";

/** `handtools tools`: the tools, for people and for agents. */
export function defineToolsCommand(command: Command, contracts: readonly Contract[], io: Io): void {
  command
    .description("List the tools.")
    .option("--json", "print everything about each tool, with its input schema")
    .action(async ({ json = false }: { json?: boolean }) => {
      if (json) await io.writeOut(toJsonText({ tools: await toolDescriptions(contracts) }));
      else await writeTable(toolColumns(contracts), io);
    });
  addExamples(command, ["handtools tools", "handtools tools --json"]);
}

async function toolDescriptions(contracts: readonly Contract[]): Promise<readonly object[]> {
  const { jsonSchema } = await import("../src/json-schema.ts");
  return contracts.map((contract) => ({
    name: contract.name,
    title: contract.title,
    description: contract.description,
    command: `handtools ${contract.command}`,
    function: contract.function,
    input_schema: jsonSchema(contract.input),
    example_input: contract.example_input,
  }));
}

const toolColumns = (contracts: readonly Contract[]): readonly Column[] => [
  { heading: "COMMAND", align: "left", cells: contracts.map((tool) => tool.command) },
  { heading: "LIBRARY", align: "left", cells: contracts.map((tool) => `${tool.function}()`) },
  { heading: "WHAT IT IS", align: "left", cells: contracts.map((tool) => tool.title) },
];

/** `handtools schema <command>`: the bare JSON Schema of a tool's input, or of another file. */
export async function defineSchemaCommand(
  command: Command,
  contracts: readonly Contract[],
  io: Io,
): Promise<void> {
  const { fileSchemas } = await import("../src/file-schemas.ts");
  const commands = contracts.map((tool) => tool.command);
  const others = fileSchemas.filter(({ name }) => !commands.includes(name));
  const otherNames = others.map(({ name }) => name);
  command
    .description(
      `Print the JSON Schema (2020-12) of a tool's input, or of another file: ${otherNames.join(", ")}.`,
    )
    .addArgument(toolArgument(contracts, otherNames))
    .action(async (wanted: string) => {
      const other = others.find(({ name }) => name === wanted);
      if (other) return io.writeOut(toJsonText(other.compose()));
      const { jsonSchema } = await import("../src/json-schema.ts");
      const { input } = findContract(contracts, wanted, otherNames);
      await io.writeOut(toJsonText(jsonSchema(input)));
    });
  addExamples(
    command,
    contracts.map((tool) => `handtools schema ${tool.command}`),
  );
}

/** `handtools example <command>`: a bare input that runs, to change and use. */
export function defineExampleCommand(
  command: Command,
  contracts: readonly Contract[],
  io: Io,
): void {
  command
    .description("Print an example input to start from.")
    .addArgument(toolArgument(contracts))
    .action(async (wanted: string) => {
      await io.writeOut(toJsonText(findContract(contracts, wanted).example_input));
    });
  addExamples(
    command,
    contracts.map((tool) => `handtools example ${tool.command}`),
  );
}

function toolArgument(
  contracts: readonly Contract[],
  otherNames: readonly string[] = [],
): Argument {
  const argument = new Argument("<command>", "the tool, by its command or its name");
  argument.argChoices = [...contracts.map(({ command }) => command), ...otherNames];
  return argument;
}

/**
 * The contract with this command, tool name or path segment.
 *
 * @throws {UsageError} when no contract has it.
 */
function findContract(
  contracts: readonly Contract[],
  wanted: string,
  otherNames: readonly string[] = [],
): Contract {
  const found = contracts.find(({ command, name, segment }) =>
    [command, name, segment].includes(wanted),
  );
  if (found) return found;
  const names = contracts.flatMap(({ command, name, segment }) => [command, name, segment]);
  const commands = [...contracts.map(({ command }) => command), ...otherNames].join(", ");
  throw unknownName("tool", wanted, [...names, ...otherNames], `there are ${commands}`);
}

export const unknownName = (
  kind: string,
  wanted: string,
  known: readonly string[],
  advice: string,
) => {
  const near = closestName(wanted, known);
  const help = near === undefined ? advice : `did you mean ${near}?`;
  return new UsageError([`there is no ${kind} ${JSON.stringify(wanted)}; ${help}`]);
};

/** `handtools openapi`: the OpenAPI document of the HTTP service. */
export function defineOpenapiCommand(command: Command, io: Io): void {
  const baseUrl = valueOption(
    "--base-url <url>",
    `the origin of the service (default: ${DEFAULT_BASE_URL})`,
  );
  command
    .description("Print the OpenAPI 3.1 document of the HTTP service.")
    .addOption(baseUrl)
    .action(async () => {
      const { openApi } = await import("../src/openapi/openapi.ts");
      const given = onlyValue(command, baseUrl) ?? DEFAULT_BASE_URL;
      await io.writeOut(toJsonText(openApi({ baseUrl: toOrigin(given) })));
    });
  addExamples(command, [
    "handtools openapi",
    "handtools openapi --base-url https://tools.example.com",
  ]);
}

const DEFAULT_BASE_URL = "http://localhost:3000";

/** @throws {UsageError} for anything but the origin of an HTTP service. */
function toOrigin(text: string): string {
  const origin = parseOrigin(text);
  if (origin !== undefined) return origin;
  throw new UsageError([
    "--base-url: must be an origin without a path, such as https://tools.example.com",
  ]);
}

/** `handtools serve`: the HTTP server. On Node and Deno it starts itself again on Bun. */
export function defineServeCommand(command: Command, io: Io): void {
  const port = valueOption("--port <number>", "the port to listen on; 0 chooses a free one (PORT)");
  const host = valueOption("--host <address>", "the address to listen on (HOST)");
  const envFile = envFileOption();
  command
    .description(
      "Run the HTTP server until SIGTERM or Ctrl-C. It needs Bun. The environment configures it; a wrong value stops the start.",
    )
    .addOption(port)
    .addOption(host)
    .addOption(envFile)
    .addHelpText("after", () => environmentHelp(command))
    .action(async () => {
      const flags = { PORT: onlyValue(command, port), HOST: onlyValue(command, host) };
      if (process.versions.bun === undefined) {
        const { runOnBun } = await import("./spawn.ts");
        return runOnBun(process.argv.slice(1));
      }
      const environment = await withEnvFile(onlyPath(command, envFile), io);
      await startServer({ ...environment, ...withoutUndefined(flags) });
    });
  addExamples(command, ["handtools serve", "BASE_URL=https://tools.example.com handtools serve"]);
}

function environmentHelp(command: Command): string {
  const help = command.createHelp();
  help.prepareContext({});
  const width = Math.max(...variables.map(({ name }) => name.length));
  const lines = variables.map((variable) =>
    help.formatItem(variable.name, width, variableHelp(variable), help),
  );
  return `\nEnvironment:\n${lines.join("\n")}`;
}

export const envFileOption = () =>
  valueOption("--env-file <path>", "read variables from a file; the environment takes precedence");

/** The environment, completed by a file that the user names. */
export async function withEnvFile(path: string | undefined, io: Io): Promise<Io["environment"]> {
  if (path === undefined) return io.environment;
  const { parseEnv } = await import("node:util");
  const text = await readText(path, io);
  const variables = parseEnv(text);
  if (Object.keys(variables).length === 0) {
    throw new UsageError([`${path}: has no line of the form NAME=VALUE`]);
  }
  const [, cut = ""] = CUT_VALUE.exec(text) ?? [];
  if (cut !== "") {
    throw new UsageError([`${path}: ${cut.trim()}: is cut at the #; put the value in quotes`]);
  }
  const [open] = Object.entries(variables).find(([, value]) => value?.includes("\n")) ?? [];
  if (open !== undefined) {
    throw new UsageError([`${path}: ${open}: has a line break; close its quote`]);
  }
  return { ...variables, ...io.environment };
}

/** The name before a value that the parser ends at a `#`, of which systemd reads the rest too. */
const CUT_VALUE = /^([^#=\n]*)=(?!\s*["'`])[^#\n]*[^\s#]#/m;

/** `handtools mcp`: the tools for AI clients. */
export function defineMcpCommand(command: Command): void {
  command
    .description(
      "Serve the tools to an AI client by the Model Context Protocol, over standard input and output.",
    )
    .action(async () => {
      const { serveTools } = await import("../server/mcp/stdio.ts");
      await serveTools();
    });
  addExamples(command, ["handtools mcp"]);
}

const withoutUndefined = (flags: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));

async function startServer(environment: Io["environment"]): Promise<void> {
  const { serve, OperatorError } = await import("../server/main.ts");
  try {
    await serve(environment);
  } catch (error) {
    throw error instanceof OperatorError ? toCliError(error) : error;
  }
}

/** An error of the server's start, or of `signups`, in the terms of the command line. */
export const toCliError = ({
  exitCode,
  problems,
}: {
  readonly exitCode: 1 | 2;
  readonly problems: readonly string[];
}): CliError => (exitCode === 2 ? new UsageError(problems) : new SystemError(problems));
