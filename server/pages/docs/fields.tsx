/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import type { JsonSchema } from "../../../src/json-schema.ts";
import { Code, Inline } from "../parts.tsx";

type Schemas = Readonly<Record<string, JsonSchema>>;

interface FieldTableProps {
  readonly name: string;
  /** The schemas of the document, by their names. */
  readonly schemas: Schemas;
}

/** The fields of an object, each followed by the fields nested in it. */
export const FieldTable = ({ name, schemas }: FieldTableProps) => (
  <Rows
    label={`Fields of ${name}`}
    columns={["Field", "Meaning"]}
    rows={fieldsWithin(schemas[name] ?? {}, "", schemas).map(({ path, isRequired, schema }) => ({
      name: <Code name={path} />,
      kind: `${typeName(schema)}${isRequired ? ", required" : ""}`,
      meaning: <Inline text={schema.description ?? ""} />,
      details: limits(schema),
    }))}
  />
);

interface Field {
  /** `filters[].from` is a field of each item of a list. */
  readonly path: string;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
}

function fieldsWithin(schema: JsonSchema, path: string, schemas: Schemas): readonly Field[] {
  const { $ref, items, anyOf = [], properties = {}, required = [] } = schema;
  if ($ref !== undefined) return fieldsWithin(schemas[nameOf($ref)] ?? {}, path, schemas);
  if (items) return fieldsWithin(items, `${path}[]`, schemas);
  return [
    ...anyOf.flatMap((choice) => fieldsWithin(choice, path, schemas)),
    ...Object.entries(properties).flatMap(([name, schema]) => {
      const at = path === "" ? name : `${path}.${name}`;
      const field = { path: at, isRequired: required.includes(name), schema };
      return [field, ...fieldsWithin(schema, at, schemas)];
    }),
  ];
}

interface RowsProps {
  readonly label: string;
  readonly columns: readonly [string, string];
  readonly rows: readonly {
    readonly name: ComponentChildren;
    readonly kind: string;
    readonly meaning: ComponentChildren;
    readonly details?: string;
  }[];
}

/** A table of two columns, which fits a narrow screen: a name with its kind, and its meaning. */
export const Rows = ({ label, columns, rows }: RowsProps) => (
  <table aria-label={label}>
    <thead>
      <tr>
        {columns.map((column) => (
          <th scope="col">{column}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ name, kind, meaning, details }) => (
        <tr>
          <th scope="row">
            {name} <small>{kind}</small>
          </th>
          <td>
            {meaning} {details && <small>{details}</small>}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** A schema's type in short: `string[]` for a list, the name of a named schema. */
export function typeName(schema: JsonSchema): string {
  const { $ref, anyOf, oneOf, items, contentSchema, additionalProperties: values, type } = schema;
  if ($ref !== undefined) return nameOf($ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (contentSchema) return `JSON of ${typeName(contentSchema)}`;
  if (items) return `${typeName(items)}[]`;
  if (typeof values === "object") return `map of ${typeName(values)}`;
  return (anyOf ?? oneOf)?.map(typeName).join(" or ") ?? type ?? "any";
}

/** The name of the component that a reference names. */
export const nameOf = (reference: string): string =>
  reference.slice(reference.lastIndexOf("/") + 1);

/** The constraints of a value, in the words of JSON Schema: `minItems 1, maxItems 20`. */
const limits = (schema: JsonSchema): string =>
  Object.entries(schema)
    .filter(([keyword]) =>
      /^(?:min|max|exclusiveMin|enum$|default$|pattern$|format$)/.test(keyword),
    )
    .map(([keyword, value]) => `${keyword} ${Array.isArray(value) ? value.join(" | ") : value}`)
    .join(", ");
