import type { ToolDescription } from "../describe-tool.ts";
import type { JsonSchema } from "../json-schema.ts";
import type { Components, Schema } from "./document.ts";
import { reference } from "./reference.ts";

const url = (description: string): JsonSchema => ({ type: "string", format: "uri", description });
const text = (description: string): JsonSchema => ({ type: "string", description });

const closedObject = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const toolDescription: Readonly<Record<keyof ToolDescription, Schema>> = {
  name: text("Tool identifier, with underscores."),
  title: text("The tool's name for people."),
  description: text("What it does, for people and agents."),
  page: url("The tool's web page."),
  endpoint: url("Where to send an input, by GET or POST."),
  usage: text("How to call it, in a few sentences."),
  input_schema: { type: "object", description: "JSON Schema 2020-12 of the input." },
  example_input: { type: "object", description: "An input that runs." },
  example_request: url("A URL to GET that runs the example."),
};

/** What a tool says of itself, and the list of all tools. */
export const descriptionSchemas: Components["schemas"] = {
  ToolDescription: closedObject(toolDescription),
  ToolList: closedObject({
    tools: { type: "array", items: reference("schemas", "ToolDescription") },
  }),
};
