import type { Schema } from "../../../src/openapi/document.ts";
import { type Html, html } from "../html.ts";
import { nameOf } from "./resolve.ts";

/** A schema's type in short, `string[]` for a list; a named schema is a link to its table. */
export function typeName({ $ref, const: only, anyOf, oneOf, items, ...schema }: Schema): Html {
  if ($ref !== undefined) return schemaLink(nameOf({ $ref }));
  if (only !== undefined) return html`${JSON.stringify(only)}`;
  const choices = anyOf ?? oneOf;
  if (choices) return html`${choices.map((choice, index) => alternative(choice, index))}`;
  if (items) return html`${typeName(items)}[]`;
  if (typeof schema.additionalProperties === "object") {
    return html`map of ${typeName(schema.additionalProperties)}`;
  }
  return html`${schema.type ?? "any"}`;
}

const alternative = (choice: Schema, index: number): Html =>
  html`${index > 0 && " or "}${typeName(choice)}`;

const schemaLink = (name: string): Html => html`<a href="#${name}">${name}</a>`;
