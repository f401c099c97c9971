import { Argument } from "commander";
import { type Explanation, errorCodes, warningCodes } from "../schemas/codes.ts";
import { closestName } from "../schemas/common.ts";
import { tools as contracts } from "../schemas/index.ts";
import { ORIGIN_REQUIRED, parseOrigin } from "../src/url.ts";
import { UsageError } from "./cli-error.ts";
import { addExamples, addOptions, type DefineCommand, valueOption } from "./options.ts";
import { toJsonText, writeTable } from "./output.ts";

const defineTools: DefineCommand = (command, io) => {
  command
    .description("List the tools.")
    .option("--json", "print all details of each tool, with its input schema")
    .action(async ({ json = false }: { json?: boolean }) => {
      if (json) await io.writeOut(toJsonText({ tools: await toolDescriptions() }));
      else {
        const columns = {
          COMMAND: contracts.map((tool) => tool.command),
          LIBRARY: contracts.map((tool) => `${tool.function}()`),
          "WHAT IT IS": contracts.map((tool) => tool.title),
        };
        await writeTable(columns, io);
      }
    });
  addExamples(command, ["handtools tools", "handtools tools --json"]);
};

async function toolDescriptions(): Promise<readonly object[]> {
  const { toJsonSchema } = await import("../src/json-schema.ts");
  return contracts.map((contract) => ({
    name: contract.name,
    title: contract.title,
    description: contract.description,
    command: `handtools ${contract.command}`,
    function: contract.function,
    input_schema: toJsonSchema(contract.input),
    example_input: contract.example_input,
  }));
}

const defineSchema: DefineCommand = async (command, io) => {
  const { fileSchemas } = await import("../src/file-schemas.ts");
  const names = fileSchemas.map(({ name }) => name);
  command
    .description("Print the JSON Schema (2020-12) of a tool's input, or of another file.")
    .addArgument(new Argument("<name>", "the tool's command, or the file").choices(names))
    .action(async (fileName: string) => {
      await io.writeOut(toJsonText(fileSchemas.find(({ name }) => name === fileName)?.compose()));
    });
  addExamples(
    command,
    names.map((name) => `handtools schema ${name}`),
  );
};

const defineExample: DefineCommand = (command, io) => {
  const names = contracts.map((tool) => tool.command);
  command
    .description("Print an example input to start from.")
    .addArgument(new Argument("<command>", "the tool's command").choices(names))
    .action(async (commandName: string) => {
      const contract = contracts.find((tool) => tool.command === commandName);
      await io.writeOut(toJsonText(contract?.example_input));
    });
  addExamples(
    command,
    names.map((name) => `handtools example ${name}`),
  );
};

const defineOpenapi: DefineCommand = (command, io) => {
  const baseUrl = valueOption(
    "--base-url <url>",
    `the origin of the service (default: ${DEFAULT_BASE_URL})`,
    (text) => (parseOrigin(text) === undefined ? ORIGIN_REQUIRED : undefined),
  );
  addOptions(command, baseUrl)
    .description("Print the OpenAPI 3.1 document of the HTTP service.")
    .action(async ({ baseUrl = DEFAULT_BASE_URL }: { baseUrl?: string }) => {
      const { createOpenApiDocument } = await import("../src/openapi.ts");
      await io.writeOut(
        toJsonText(createOpenApiDocument({ baseUrl: parseOrigin(baseUrl) ?? DEFAULT_BASE_URL })),
      );
    });
  addExamples(command, [
    "handtools openapi",
    "handtools openapi --base-url https://tools.example.com",
  ]);
};

const DEFAULT_BASE_URL = "http://localhost:3000";

/** Error codes have no command. */
type ExplainedCode = Explanation & { readonly code: string; readonly command: string | undefined };

const defineExplain: DefineCommand = (command, io) => {
  command
    .description(
      "Explain the code of a warning or an error: what it means, why it matters and what to do. Without a code, list all.",
    )
    .argument("[code]", "the code in brackets at the end of a warning")
    .option("--json", "print the explanations as JSON")
    .action(async (query: string | undefined, { json = false }: { json?: boolean }) => {
      const codes = explainedCodes();
      if (json) {
        const found = query === undefined ? codes : findCodes(codes, query);
        return io.writeOut(toJsonText({ codes: found }));
      }
      if (query === undefined) {
        const columns = {
          CODE: codes.map(({ code }) => code),
          OF: codes.map(({ command = "errors" }) => command),
          MEANING: codes.map(({ meaning }) => meaning),
        };
        return writeTable(columns, io);
      }
      await io.writeOut(findCodes(codes, query).map(explanation).join("\n"));
    });
  addExamples(command, ["handtools explain", "handtools explain plain-http"]);
};

/** Lists the codes of the tools' warnings, then of errors. */
function explainedCodes(): readonly ExplainedCode[] {
  const ofTools: Readonly<Record<string, Readonly<Record<string, Explanation>>>> = warningCodes;
  const withCommand = (codes: Readonly<Record<string, Explanation>> = {}, command?: string) =>
    Object.entries(codes).map(([code, text]) => ({ code, command, ...text }));
  return [
    ...contracts.flatMap(({ name, command }) => withCommand(ofTools[name], command)),
    ...withCommand(errorCodes),
  ];
}

/**
 * Finds the explanations of a code, which two tools may share.
 *
 * @throws {UsageError} for an unknown code.
 */
function findCodes(codes: readonly ExplainedCode[], query: string): readonly ExplainedCode[] {
  // Diagnostics print codes in brackets, and people may type capitals.
  const name = query.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  const found = codes.filter(({ code }) => code === name);
  if (found.length > 0) return found;
  const near = closestName(
    name,
    codes.map(({ code }) => code),
  );
  const advice = near === undefined ? "handtools explain lists all" : `did you mean ${near}?`;
  throw new UsageError([`there is no code ${JSON.stringify(query)}; ${advice}`]);
}

const explanation = ({ code, command, meaning, why, remedy }: ExplainedCode): string =>
  `${code} (${command === undefined ? "an error" : `handtools ${command}`})\n\n${meaning}\n\nWhy it matters: ${why}\n\nWhat to do: ${remedy}\n`;

export const commands = {
  tools: defineTools,
  schema: defineSchema,
  example: defineExample,
  explain: defineExplain,
  openapi: defineOpenapi,
};
