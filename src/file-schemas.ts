import type { GenericSchema } from "valibot";
import { automationCostContract, PriceBookSchema, tools } from "../schemas/index.ts";
import { filterTestsSchema } from "../schemas/mail-tests.ts";
import { PRICE_BOOK_MEANING } from "../schemas/price-book.ts";
import { type JsonSchema, toJsonSchema } from "./json-schema.ts";

/** A JSON Schema of a kind of file that the command line reads, for editors. */
export interface FileSchema {
  /** Such as `mail-filter`, of `mail-filter.json`. */
  readonly name: string;
  readonly compose: () => JsonSchema;
}

export const fileSchemas: readonly FileSchema[] = [
  // The inputs of the tools, with the limits of the command line.
  ...tools.map(({ command, title, description, input, extended_input = input, example_input }) =>
    fileSchema(command, { title, description, examples: [example_input] }, extended_input),
  ),
  fileSchema(
    "price-book",
    { title: automationCostContract.title, description: PRICE_BOOK_MEANING },
    PriceBookSchema,
  ),
  fileSchema(
    "mail-tests",
    {
      title: "Tests of Gmail filters",
      description: "Messages, and what the filters must do with each.",
    },
    filterTestsSchema,
  ),
];

function fileSchema(name: string, about: JsonSchema, schema: GenericSchema): FileSchema {
  const compose = () => {
    const { $schema, properties, ...rest } = toJsonSchema(schema);
    // The field in which a file names its schema.
    const url = { type: "string", description: "The URL of this schema, for editors." };
    return {
      ...($schema && { $schema }),
      ...about,
      ...rest,
      properties: { $schema: url, ...properties },
    };
  };
  return { name, compose };
}
