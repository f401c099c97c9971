import type { GenericSchema } from "valibot";
import { automationCostContract, PriceBookSchema, tools } from "../schemas/index.ts";
import { filterTestsSchema } from "../schemas/mail-tests.ts";
import { PRICE_BOOK_MEANING } from "../schemas/price-book.ts";
import { type JsonSchema, toJsonSchema } from "./json-schema.ts";

/** A JSON Schema for editors, for a file that the command line reads. */
export interface FileSchema {
  /** Such as `mail-filter` for `mail-filter.json`. */
  readonly name: string;
  readonly compose: () => JsonSchema;
}

export const fileSchemas: readonly FileSchema[] = [
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
      description: "Messages, and the expected actions of the filters on each.",
    },
    filterTestsSchema,
  ),
];

function fileSchema(name: string, about: JsonSchema, schema: GenericSchema): FileSchema {
  const compose = () => {
    const { $schema, properties, ...rest } = toJsonSchema(schema);
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
