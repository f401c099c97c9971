import * as v from "valibot";
import { PRICE_BOOK_MEANING } from "../schemas/price-book.ts";
import type { Variable } from "../schemas/variables.ts";
import { ConfigSchema } from "../server/config.ts";
import { VariablesSchema } from "../server/signup/signup-config.ts";

/** Lists the environment variables by section, from the schemas of the configuration. */
export const variablesByPart = (): Readonly<Record<string, readonly Variable[]>> => ({
  "The server": variablesOf(ConfigSchema),
  "The tools": [{ name: "PRICE_BOOK", meaning: `A JSON file of ${PRICE_BOOK_MEANING}.` }],
  "The newsletter signup": variablesOf(VariablesSchema),
});

/** Composes `schemas/generated/variables.json`, which `npm run golden` writes. */
export const variablesFile = (): string =>
  `${JSON.stringify(Object.values(variablesByPart()).flat(), null, 2)}\n`;

type ConfigurationSchema = v.ObjectSchema<
  Readonly<Record<string, v.OptionalSchema<v.GenericSchema, unknown>>>,
  undefined
>;

const variablesOf = ({ entries }: ConfigurationSchema): readonly Variable[] =>
  Object.entries(entries).map(([name, { wrapped, default: value }]) => {
    const meaning = v.getDescription(wrapped);
    if (meaning === undefined) throw new Error(`${name} has no meaning`);
    const { unset } = v.getMetadata(wrapped);
    return {
      name,
      meaning,
      ...(typeof value === "string" && { default: value }),
      ...(typeof unset === "string" && { unset }),
    };
  });
