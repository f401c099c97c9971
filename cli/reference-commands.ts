import { Argument, type Command } from "commander";
import type { Contract } from "../schemas/index.ts";
import type { Column } from "../src/text.ts";
import { parseOrigin } from "../src/url.ts";
import { UsageError } from "./errors.ts";
import type { Io } from "./io.ts";
import { addExamples, onlyValue, unknownName, valueOption } from "./options.ts";
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
