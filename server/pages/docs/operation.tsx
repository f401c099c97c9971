/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { urlWithInput } from "../../../src/describe-tool.ts";
import type { JsonSchema } from "../../../src/json-schema.ts";
import { curlGet, curlPost } from "../curl.ts";
import { Code, CopyBlock, Inline, Prose } from "../parts.tsx";
import type { Content, MediaType, OpenApiDocument, Operation, Reference } from "./document.ts";

/** An operation with its method and path. */
export interface ApiOperation extends Operation {
  readonly method: "GET" | "POST";
  readonly path: string;
}

/** The operations in the document's order. */
export const listOperations = ({ paths }: OpenApiDocument): readonly ApiOperation[] =>
  Object.entries(paths).flatMap(([path, { get, post }]) => [
    ...(get ? [{ ...get, method: "GET" as const, path }] : []),
    ...(post ? [{ ...post, method: "POST" as const, path }] : []),
  ]);

interface OperationProps {
  readonly document: OpenApiDocument;
  readonly operation: ApiOperation;
}

/** An operation: what goes in, an example, and what comes out. */
export function OperationText({ document, operation }: OperationProps) {
  const { components } = document;
  const { method, path, description, requestBody, parameters = [], responses } = operation;
  const body = mediaOf(requestBody?.content);
  const ok = responses["200"] && resolve(components.responses, responses["200"]);
  const answer = mediaOf(ok?.content);
  const example = examplesOf(document, ok?.content)[0];
  return (
    <>
      <p>
        <span class="method">{method}</span> <Code name={path} />
      </p>
      <Prose text={description} />
      {parameters.length > 0 && (
        <Rows
          label={`Parameters of ${operation.operationId}`}
          columns={["Parameter", "Meaning"]}
          rows={parameters
            .map((parameter) => resolve(components.parameters, parameter))
            .map(({ name, in: place, required, schema, description }) => ({
              name: <Code name={name} />,
              kind: `${place}, ${typeName(schema)}${required ? ", required" : ""}`,
              meaning: <Inline text={description} />,
            }))}
        />
      )}
      {body && (
        <>
          <h3>Body: {typeName(body.schema)}</h3>
          <FieldTable name={typeName(body.schema)} schemas={components.schemas} />
        </>
      )}
      <h3>Example</h3>
      <Examples request={requestOf(document, operation)} />
      {example !== undefined && (
        <details>
          <summary>Its answer</summary>
          <CopyBlock label="JSON" of="the answer" text={JSON.stringify(example, null, 2)} />
        </details>
      )}
      {answer && (
        <>
          <h3>Answer: {typeName(answer.schema)}</h3>
          <p>
            <Inline text={ok?.description ?? ""} /> Other statuses:{" "}
            {Object.keys(responses).slice(1).join(", ")}.
          </p>
          {answer.schema.$ref !== undefined && (
            <FieldTable name={nameOf(answer.schema.$ref)} schemas={components.schemas} />
          )}
        </>
      )}
    </>
  );
}

/** A request in each language, of which the page shows the chosen one. */
export const Examples = ({ request }: { readonly request: ExampleRequest }) => (
  <>
    {LANGUAGES.map(({ name, key, write }) => (
      <div class={`in-${key}`}>
        <CopyBlock label={name} of="the request" text={write(request)} />
      </div>
    ))}
  </>
);

/** The first example of an operation. */
export function requestOf(document: OpenApiDocument, operation: ApiOperation): ExampleRequest {
  const url = `${document.servers[0]?.url}${operation.path}`;
  const [body] = examplesOf(document, operation.requestBody?.content);
  if (body !== undefined) return { url, body };
  const input = operation.parameters
    ?.map((parameter) => resolve(document.components.parameters, parameter))
    .find(({ name }) => name === "input")?.example;
  return { url: input === undefined ? url : urlWithInput(url, JSON.parse(input)) };
}

const examplesOf = ({ components }: OpenApiDocument, content: Content | undefined) =>
  Object.values(mediaOf(content)?.examples ?? {}).map(
    (example) => resolve(components.examples, example).value,
  );

/** A body. Every one in this API has exactly one media type. */
export const mediaOf = (content: Content | undefined): MediaType | undefined =>
  Object.values(content ?? {})[0];

/**
 * A component, or the component that a reference names.
 *
 * @throws for a reference to nothing: the document is wrong.
 */
function resolve<Component extends object>(
  components: Readonly<Record<string, Component>>,
  value: Component | Reference,
): Component {
  if (!isReference(value)) return value;
  const found = components[nameOf(value.$ref)];
  if (!found) throw new Error(`The OpenAPI document has no ${value.$ref}`);
  return found;
}

const isReference = (value: object): value is Reference => "$ref" in value;

/** A request of the API: a GET, or a POST with a body in JSON. */
export interface ExampleRequest {
  readonly url: string;
  readonly body?: unknown;
}

interface Language {
  readonly name: string;
  readonly key: string;
  write(request: ExampleRequest): string;
}

/** The languages of the example requests, with what is to install. */
export const LANGUAGES: readonly Language[] = [
  {
    name: "curl",
    key: "curl",
    write: ({ url, body }) => (body === undefined ? curlGet(url) : curlPost(url, body)),
  },
  {
    name: "JavaScript",
    key: "javascript",
    write: ({ url, body }) => `const response = await fetch(${quote(url)}${
      body === undefined
        ? ""
        : `, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll("\n", "\n  ")}),
}`
    });
console.log(await response.json());`,
  },
  {
    name: "Python",
    key: "python",
    write: ({ url, body }) =>
      body === undefined
        ? `import requests  # pip install requests

print(requests.get(${quote(url)}).json())`
        : `import json, requests  # pip install requests

body = json.loads(r'''${JSON.stringify(body, null, 2)}''')
print(requests.post(${quote(url)}, json=body).json())`,
  },
];

const quote = JSON.stringify;

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
