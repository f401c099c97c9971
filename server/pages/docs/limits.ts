import type { JsonSchema } from "../../../src/json-schema.ts";

/** What a schema asks of a value beyond its type, in words; code stands in backticks. */
export function limits(schema: JsonSchema): readonly string[] {
  const { items, propertyNames: names, additionalProperties: values } = schema;
  const all: readonly (string | false | undefined)[] = [
    schema.enum && `one of ${schema.enum.map((value) => `\`${value}\``).join(", ")}`,
    range(schema.minItems, schema.maxItems, "item"),
    range(schema.minLength, schema.maxLength, "character"),
    range(schema.minimum, schema.maximum),
    schema.exclusiveMinimum !== undefined && `more than ${figure(schema.exclusiveMinimum)}`,
    schema.format && `format ${schema.format}`,
    schema.pattern && `matches \`${schema.pattern}\``,
    schema.default !== undefined && `\`${schema.default}\` by default`,
    ...(items ? limits(items).map((limit) => `each ${limit}`) : []),
    ...(names ? limits(names).map((limit) => `name ${limit}`) : []),
    ...(typeof values === "object" ? limits(values).map((limit) => `value ${limit}`) : []),
  ];
  return all.filter((limit) => typeof limit === "string");
}

function range(least: number | undefined, most: number | undefined, unit?: string) {
  if (most === undefined) return least !== undefined && `at least ${count(least, unit)}`;
  if (least === undefined) return `at most ${count(most, unit)}`;
  return `${figure(least)} to ${count(most, unit)}`;
}

const count = (value: number, unit?: string): string =>
  unit === undefined ? figure(value) : `${figure(value)} ${unit}${value === 1 ? "" : "s"}`;

const figure = (value: number): string => value.toLocaleString("en-US");
