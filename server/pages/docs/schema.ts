import type { JsonSchema } from "../../../src/json-schema.ts";
import { plural, thousands } from "../../../src/text.ts";
import { type Html, html } from "../html.ts";
import { code, inline } from "../parts.ts";
import { componentName } from "./document.ts";

/** The fields of an object, each followed by the fields nested in it. */
export const fieldTable = (name: string, schema: JsonSchema): Html =>
  twoColumnTable(`Fields of ${name}`, ["Field", "Meaning"], listFields(schema, "").map(toRow));

interface Field {
  /** `filters[].from` is a field of each item of a list. */
  readonly path: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

function listFields(
  { properties = {}, required = [] }: JsonSchema,
  parent: string,
): readonly Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${parent}${name}`;
    return [{ path, required: required.includes(name), schema }, ...fieldsWithin(schema, path)];
  });
}

function fieldsWithin({ items, anyOf, ...schema }: JsonSchema, path: string): readonly Field[] {
  if (items) return fieldsWithin(items, `${path}[]`);
  if (anyOf) return anyOf.flatMap((choice) => fieldsWithin(choice, path));
  return listFields(schema, `${path}.`);
}

const toRow = ({ path, required, schema }: Field): Row => ({
  name: code(path),
  kind: html`${typeName(schema)}${required && REQUIRED}`,
  meaning: inline(schema.description ?? ""),
  details: limitsText(limits(schema)),
});

export const REQUIRED: Html = html`, <strong>required</strong>`;

/** The limits of a value: `Limits: 1 to 20 items`. */
const limitsText = (parts: readonly string[]): Html | undefined =>
  parts.length > 0 ? inline(`Limits: ${parts.join("; ")}`) : undefined;

/** A row: a name, the kind of thing it names, and its meaning. */
export interface Row {
  readonly name: Html;
  readonly kind: Html;
  readonly meaning: Html;
  readonly details?: Html | undefined;
}

/** A table of two columns, which fits a narrow screen. The first names the rows. */
export const twoColumnTable = (
  label: string,
  columns: readonly [string, string],
  rows: readonly Row[],
): Html => html`<table aria-label="${label}">
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${rows.map(row)}</tbody>
</table>
`;

const row = ({ name, kind, meaning, details }: Row): Html =>
  html`<tr><th scope="row">${name} <small>${kind}</small></th><td>${meaning}${details && html` <small>${details}</small>`}</td></tr>\n`;

/** A schema's type in short, `string[]` for a list; a named schema is a link to its table. */
export function typeName({
  $ref,
  const: only,
  anyOf,
  oneOf,
  items,
  contentSchema,
  ...schema
}: JsonSchema): Html {
  if ($ref !== undefined) return schemaLink(componentName({ $ref }));
  if (only !== undefined) return html`${JSON.stringify(only)}`;
  if (contentSchema) return html`JSON of ${typeName(contentSchema)}`;
  const choices = anyOf ?? oneOf;
  if (choices) return html`${choices.map((choice, index) => alternative(choice, index))}`;
  if (items) return html`${typeName(items)}[]`;
  if (typeof schema.additionalProperties === "object") {
    return html`map of ${typeName(schema.additionalProperties)}`;
  }
  return html`${schema.type ?? "any"}`;
}

const alternative = (choice: JsonSchema, index: number): Html =>
  html`${index > 0 && " or "}${typeName(choice)}`;

const schemaLink = (name: string): Html => html`<a href="#${name}">${name}</a>`;

/** The constraints of a schema besides its type, in words; code is in backticks. */
export function limits(schema: JsonSchema): readonly string[] {
  const { items, propertyNames: names, additionalProperties: values } = schema;
  const all: readonly (string | false | undefined)[] = [
    schema.enum && `one of ${schema.enum.map((value) => `\`${value}\``).join(", ")}`,
    range(schema.minItems, schema.maxItems, "item"),
    range(schema.minLength, schema.maxLength, "character"),
    range(schema.minimum, schema.maximum),
    schema.exclusiveMinimum !== undefined && `more than ${thousands(schema.exclusiveMinimum)}`,
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
  return `${thousands(least)} to ${count(most, unit)}`;
}

const count = (value: number, unit?: string): string =>
  unit === undefined ? thousands(value) : plural(value, unit);
