import type { GenericSchema } from "valibot";
import { automationCostContract } from "../schemas/automation-cost.ts";
import { mailFilterContract } from "../schemas/mail-filter.ts";
import { mcpConfigContract } from "../schemas/mcp-config.ts";
import { PriceBookSchema } from "../schemas/price-book.ts";
import type { ToolContract } from "../schemas/tools.ts";
import { type JsonSchema, jsonSchema } from "../src/json-schema.ts";
import { plural, thousands } from "../src/text.ts";

/*
 * The types of inputs and results, written from the schemas, so that an editor shows the schemas'
 * own descriptions and limits. TypeScript computes the same types from the schemas, but without a
 * word about any field. `npm run golden` writes them to schemas/generated/.
 */

/** A type to write: its name, and names for the objects in it by their paths. */
interface NamedSchema {
  readonly name: string;
  readonly doc: string;
  readonly schema: GenericSchema;
  readonly parts: Readonly<Record<string, readonly [name: string, doc: string]>>;
  /** Inputs take lists that may not be changed, such as those of `as const`. */
  readonly readonly?: "lists" | "all";
}

/** The generated files of schemas/generated/, by their names. */
export const typeFiles: Readonly<Record<string, () => string>> = {
  "mail-filter.ts": () =>
    file("mail_filter_generator", [
      {
        name: "MailFilterInput",
        doc: "Mail filters, as `mailFilter()` reads them.",
        schema: mailFilterContract.input,
        readonly: "lists",
        parts: {
          "filters[]": [
            "FilterInput",
            "One filter: conditions that select mail, and actions on it. It needs one of each.",
          ],
        },
      },
      {
        name: "MailFilterResult",
        doc: "The result of `mailFilter()`: the file to import, and its content.",
        schema: mailFilterContract.output,
        parts: {
          "filters[]": ["FilterResult", "The result for one filter of the input."],
          "filters[].entries[]": ["FilterEntry", "One entry of the file: a filter in Gmail."],
          "filters[].entries[].properties": [
            "FilterProperties",
            "The properties of an entry, by the names that Gmail gives them.",
          ],
        },
      },
    ]),
  "automation-cost.ts": () =>
    file("automation_cost_calculator", [
      {
        name: "AutomationCostInput",
        doc: "Automations, as `automationCost()` reads them.",
        schema: automationCostContract.input,
        readonly: "lists",
        parts: { "zaps[]": ["ZapInput", "One automation."] },
      },
      {
        name: "AutomationCostResult",
        doc: "The result of `automationCost()`. Prices are USD per month before tax, with two decimals.",
        schema: automationCostContract.output,
        parts: {
          "automations[]": ["AutomationTasks", "The tasks of one automation."],
          "breakpoints[]": [
            "Breakpoint",
            "A number of tasks a month from which another plan is the cheapest.",
          ],
          cheapest: QUOTE,
          smallest_covering: QUOTE,
          "options[]": QUOTE,
        },
      },
      {
        name: "PriceBook",
        doc: "The prices and limits of Zapier's plans, to replace the built-in ones.",
        schema: PriceBookSchema,
        readonly: "all",
        parts: {
          "professional[]": TIER,
          "team[]": TIER,
          "professional[].annual": PRICE,
          "professional[].monthly": PRICE,
          "team[].annual": PRICE,
          "team[].monthly": PRICE,
        },
      },
    ]),
  "mcp-config.ts": () =>
    file("mcp_config_generator", [
      {
        name: "McpConfigInput",
        doc: "One MCP server, as `mcpConfig()` reads it: `command` for a local one, `url` for a remote one.",
        schema: mcpConfigContract.input,
        readonly: "lists",
        parts: {},
      },
      {
        name: "McpConfigResult",
        doc: "The result of `mcpConfig()`: the config of the server for each client.",
        schema: mcpConfigContract.output,
        parts: {
          "clients[]": ["ClientConfig", "The config of the server for one client."],
          "clients[].locations[]": [
            "ClientLocation",
            "A place where the client looks for its config.",
          ],
        },
      },
    ]),
};

const QUOTE = ["Quote", "The price of a plan for the tasks, in USD per month before tax."] as const;
const TIER = ["PriceTier", "A tier of a plan."] as const;
const PRICE = ["Price", "The price of a tier."] as const;

function file(tool: ToolContract["name"], types: readonly NamedSchema[]): string {
  const written = new Map<string, string>();
  for (const type of types) {
    const { name, doc, schema } = type;
    writeInterface({ type, tool, written }, jsonSchema(schema), "", [name, doc]);
  }
  return `// Written by \`npm run golden\` from the schemas. Change their descriptions, not this file.

import type { WarningCode } from "../codes.ts";
import type { Warning } from "../common.ts";

${[...written.values()].reverse().join("\n")}`;
}

interface Writing {
  readonly type: NamedSchema;
  readonly tool: ToolContract["name"];
  /** The interfaces of the file, by their names. */
  readonly written: Map<string, string>;
}

/** Writes the interface of an object after the interfaces of its parts. */
function writeInterface(
  writing: Writing,
  schema: JsonSchema,
  path: string,
  [name, doc]: readonly [name: string, doc: string],
): void {
  const body = bodyOf(writing, schema, path);
  const text = `${comment(doc, "")}\nexport interface ${name} ${body}\n`;
  const before = writing.written.get(name);
  if (before !== undefined && before !== text) throw new Error(`${name} has two meanings`);
  writing.written.set(name, text);
}

function bodyOf(
  writing: Writing,
  { properties = {}, required = [] }: JsonSchema,
  path: string,
): string {
  const fields = Object.entries(properties).map(([key, schema]) => {
    const isOptional = !required.includes(key);
    const start = `  ${writing.type.readonly === "all" ? "readonly " : ""}${key}${isOptional ? "?" : ""}:`;
    const value = typeOf(writing, schema, path === "" ? key : `${path}.${key}`);
    const line = `${start} ${value}${isOptional ? " | undefined" : ""};`;
    const isLong = schema.enum && line.length > MOST_COLUMNS;
    const lines = isLong
      ? `${start}\n    | ${value.replaceAll(" | ", "\n    | ")};`
      : line.replaceAll("\n", "\n  ");
    return `${comment(fieldText(schema), "  ")}\n${lines}`;
  });
  return `{\n${fields.join("\n")}\n}`;
}

const MOST_COLUMNS = 100;

function typeOf(writing: Writing, schema: JsonSchema, path: string): string {
  if (path === "warnings") return `Warning<WarningCode<"${writing.tool}">>[]`;
  if (schema.anyOf) {
    return schema.anyOf.map((either) => typeOf(writing, either, path)).join(" | ");
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.type === "array") {
    const item = typeOf(writing, schema.items ?? {}, `${path}[]`);
    return `${writing.type.readonly ? "readonly " : ""}${item}[]`;
  }
  if (schema.type === "object") {
    const part = writing.type.parts[path];
    if (part) writeInterface(writing, schema, path, part);
    if (part) return part[0];
    return schema.properties ? bodyOf(writing, schema, path) : "Record<string, string>";
  }
  return schema.type === "integer" ? "number" : (schema.type ?? "unknown");
}

/** The description and the limits of a field. */
function fieldText(schema: JsonSchema): string {
  if (schema.description === undefined) throw new Error("a field has no description");
  const end = schema.default === undefined ? "" : `\n@default ${JSON.stringify(schema.default)}`;
  // A bare @word is a tag of a doc comment.
  const description = schema.description.replaceAll(/(?<=^|\s)@\w+/g, "`$&`");
  return `${[description, ...describeLimits(schema)].join(" ")}${end}`;
}

/** A doc comment, in lines of at most 100 characters. */
function comment(text: string, indent: string): string {
  const oneLine = `${indent}/** ${text} */`;
  if (oneLine.length <= MOST_COLUMNS && !text.includes("\n")) return oneLine;
  const lines = text.split("\n").flatMap((line) => line.match(/.{1,90}(?:\s|$)/g) ?? []);
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line.trim()}\n`).join("")}${indent} */`;
}

/** The limits of a field in words, each a sentence: `At most 50 items.` */
function describeLimits(schema: JsonSchema): readonly string[] {
  return [
    range(schema.minItems, schema.maxItems, (count) => plural(count, "item")),
    range(schema.minLength, schema.maxLength, (count) => plural(count, "character")),
    schema.exclusiveMinimum === undefined
      ? range(schema.minimum, schema.maximum, thousands)
      : `More than ${schema.exclusiveMinimum}, at most ${schema.maximum}.`,
    schema.items?.type === "string"
      ? range(schema.items.minLength, schema.items.maxLength, (count) =>
          plural(count, "character"),
        )?.replace(/^\w/, (letter) => `Each ${letter.toLowerCase()}`)
      : undefined,
  ].filter((limit) => limit !== undefined);
}

function range(
  from: number | undefined,
  to: number | undefined,
  say: (count: number) => string,
): string | undefined {
  if (to === undefined) return undefined;
  return from === undefined ? `At most ${say(to)}.` : `${thousands(from)} to ${say(to)}.`;
}
