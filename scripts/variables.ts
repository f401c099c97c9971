import * as v from "valibot";
import { type Contract, tools } from "../schemas/index.ts";
import type { Variable } from "../schemas/variables.ts";
import { ConfigSchema } from "../server/config.ts";
import { VariablesSchema } from "../server/signup/config.ts";

/** The environment variables of the server by its parts, as the schemas of its configuration say. */
export const variablesByPart = (): Readonly<Record<string, readonly Variable[]>> => ({
  "The server": variablesOf(ConfigSchema),
  "The tools": tools.flatMap(variableOfSetting),
  "The newsletter signup": variablesOf(VariablesSchema),
});

/** `schemas/generated/variables.json`, which `npm run golden` writes. */
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

/** The variable that names the file of a tool's setting. */
const variableOfSetting = ({ setting }: Contract): readonly Variable[] =>
  setting
    ? [{ name: setting.name.toUpperCase(), meaning: `A JSON file of ${setting.description}.` }]
    : [];
