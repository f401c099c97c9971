import type { Contract } from "../schemas/index.ts";
import { automationCostContract, PriceBookSchema, tools } from "../schemas/index.ts";
import { mailTestsSchema } from "../schemas/mail-tests.ts";
import { PRICE_BOOK_MEANING } from "../schemas/price-book.ts";
import { type JsonSchema, jsonSchema } from "./json-schema.ts";

/** A JSON Schema of a kind of file that the command line reads, for editors. */
export interface FileSchema {
  /** Such as `mail-filter`, of `mail-filter.json`. */
  readonly name: string;
  readonly compose: () => JsonSchema;
}

/** The schemas of the tools' inputs, with the limits of the command line. */
const inputSchemas: readonly FileSchema[] = tools.map((contract: Contract) => ({
  name: contract.command,
  compose: () => ({
    title: contract.title,
    description: contract.description,
    ...forEditors(jsonSchema(contract.local_input ?? contract.input), contract.example_input),
    examples: [contract.example_input],
  }),
}));

export const fileSchemas: readonly FileSchema[] = [
  ...inputSchemas,
  {
    name: "price-book",
    compose: () => ({
      title: automationCostContract.title,
      description: PRICE_BOOK_MEANING,
      ...forEditors(jsonSchema(PriceBookSchema)),
    }),
  },
  {
    name: "mail-tests",
    compose: () => ({
      title: "Tests of Gmail filters",
      description: "Mails, and what the filters must do with each.",
      ...forEditors(jsonSchema(mailTestsSchema)),
    }),
  },
];

/** Adds examples, and allows `$schema`, the field by which a file names its schema. */
function forEditors(schema: JsonSchema, example?: unknown): JsonSchema {
  const { $schema, properties, ...rest } = withExamples(schema, example);
  const address = { type: "string", description: "The address of this schema, for editors." };
  return { ...($schema && { $schema }), ...rest, properties: { $schema: address, ...properties } };
}

/** A schema whose fields have examples. */
function withExamples(schema: JsonSchema, example: unknown): JsonSchema {
  const { description, properties, items } = schema;
  return {
    ...schema,
    ...(description !== undefined && example !== undefined && { examples: [example] }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [
          name,
          withExamples(part, Object(example)[name]),
        ]),
      ),
    }),
    ...(items && { items: withExamples(items, itemExample(example)) }),
  };
}

/** An example of an item: the fields of all items together, or the first text. */
function itemExample(example: unknown): unknown {
  if (!Array.isArray(example)) return undefined;
  const [first] = example;
  return typeof first === "object" ? Object.assign({}, ...example.toReversed()) : first;
}
