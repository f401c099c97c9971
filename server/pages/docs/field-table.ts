import type { Schema } from "../../../src/openapi/document.ts";
import { type Html, html } from "../html.ts";
import { code, inline } from "../prose.ts";
import { limits } from "./limits.ts";
import { type Row, table } from "./table.ts";
import { typeName } from "./type-name.ts";

interface Field {
  /** `filters[].from` is a field of each item of a list. */
  readonly path: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/** The fields of an object, and below each the fields of what is in it. */
export const fieldTable = (name: string, schema: Schema): Html =>
  table(`Fields of ${name}`, ["Field", "Meaning"], fieldsOf(schema, "").map(toRow));

const toRow = ({ path, required, schema }: Field): Row => ({
  name: code(path),
  kind: html`${typeName(schema)}${required && REQUIRED}`,
  meaning: inline(schema.description ?? ""),
  details: sentence(limits(schema)),
});

export const REQUIRED: Html = html`, <strong>required</strong>`;

/** What a field may hold, `Limits: 1 to 20 items`. */
const sentence = (parts: readonly string[]): Html | undefined =>
  parts.length > 0 ? inline(`Limits: ${parts.join("; ")}`) : undefined;

function fieldsOf({ properties = {}, required = [] }: Schema, parent: string): readonly Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${parent}${name}`;
    return [{ path, required: required.includes(name), schema }, ...fieldsWithin(schema, path)];
  });
}

function fieldsWithin({ items, anyOf, ...schema }: Schema, path: string): readonly Field[] {
  if (items) return fieldsWithin(items, `${path}[]`);
  if (anyOf) return anyOf.flatMap((choice) => fieldsWithin(choice, path));
  return fieldsOf(schema, `${path}.`);
}
