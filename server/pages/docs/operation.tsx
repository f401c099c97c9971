/** @jsxImportSource preact */
import { urlWithInput } from "../../../src/describe-tool.ts";
import type { JsonSchema } from "../../../src/json-schema.ts";
import { Code, CopyBlock, Inline, Prose } from "../components.tsx";
import { curlGet, curlPost } from "../curl.ts";
import type { CodeLanguage } from "../highlight.tsx";
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

/** An operation: what goes in, and what comes out. */
export function OperationText({ document, operation }: OperationProps) {
  const { components } = document;
  const { method, path, description, requestBody, parameters = [] } = operation;
  const body = getMediaType(requestBody?.content);
  const result = getMediaType(findSuccess(document, operation)?.content)?.schema;
  const errors = listErrors(document, [operation]);
  return (
    <>
      <p>
        <span class="tag">{method}</span> <Code name={path} />
      </p>
      <Prose text={description} />
      {parameters.length > 0 && (
        <>
          <h3>Parameters</h3>
          <Facts
            facts={parameters
              .map((parameter) => resolve(components.parameters, parameter))
              .map(({ name, in: location, required, schema, description }) => ({
                name,
                kind: `${location}, ${formatSchemaType(schema)}${required ? ", required" : ""}`,
                meaning: description,
              }))}
          />
        </>
      )}
      {body && (
        <>
          <h3>Body</h3>
          <FieldFacts name={formatSchemaType(body.schema)} schemas={components.schemas} />
        </>
      )}
      <div>
        {result?.$ref !== undefined && (
          <details class="fold">
            <summary>
              Fields of the response <small>{getComponentName(result.$ref)}</small>
            </summary>
            <Facts facts={listFields(getComponentName(result.$ref), components.schemas)} />
          </details>
        )}
        <details class="fold">
          <summary>
            Errors <small>{[...new Set(errors.map(({ kind }) => kind))].join(", ")}</small>
          </summary>
          <Facts facts={errors} />
        </details>
      </div>
    </>
  );
}

/** An example of an operation, with its response. */
export function OperationCode({ document, operation }: OperationProps) {
  const [example] = listExamples(document, findSuccess(document, operation)?.content);
  return (
    <>
      <Examples request={findExampleRequest(document, operation)} />
      {example !== undefined && (
        <CopyBlock label="Response" language="json" text={JSON.stringify(example, null, 2)} />
      )}
    </>
  );
}

const findSuccess = ({ components }: OpenApiDocument, { responses }: ApiOperation) =>
  responses["200"] && resolve(components.responses, responses["200"]);

/** The errors of some operations, by their codes. */
export function listErrors(
  { components }: OpenApiDocument,
  operations: readonly ApiOperation[],
): readonly Fact[] {
  const statuses = operations.flatMap(({ responses }) => Object.entries(responses));
  const errors = statuses.flatMap(([kind, response]) => {
    const { description, content } = resolve(components.responses, response);
    const isError = getMediaType(content)?.schema.$ref?.endsWith("/Error");
    const codes = Object.keys(getMediaType(content)?.examples ?? {});
    return isError ? codes.map((name) => ({ name, kind, meaning: description })) : [];
  });
  const rateLimit = operations.some(({ operationId }) => operationId === "createBetaSignup")
    ? [RATE_LIMITED]
    : [];
  const byCode = new Map([...errors, ...rateLimit].map((error) => [error.name, error]));
  return [...byCode.values()].sort((one, other) => Number(one.kind) - Number(other.kind));
}

/** An extension of this server, which the API's description does not have. */
const RATE_LIMITED: Fact = {
  name: "rate_limited",
  kind: "429",
  meaning:
    "More signups came from this network than the operator allows. `Retry-After` has the seconds to wait.",
};

/** A request in each language; the page shows the selected one. */
export const Examples = ({ request }: { readonly request: ExampleRequest }) => (
  <>
    {LANGUAGES.map(({ name, key, language, write }) => (
      <div class={`in-${key}`}>
        <CopyBlock label="Request" subject={name} language={language} text={write(request)} />
      </div>
    ))}
  </>
);

/** The first example of an operation. */
export function findExampleRequest(
  document: OpenApiDocument,
  operation: ApiOperation,
): ExampleRequest {
  const url = `${document.servers[0]?.url}${operation.path}`;
  const [body] = listExamples(document, operation.requestBody?.content);
  if (body !== undefined) return { url, body };
  const input = operation.parameters
    ?.map((parameter) => resolve(document.components.parameters, parameter))
    .find(({ name }) => name === "input")?.example;
  return { url: input === undefined ? url : urlWithInput(url, JSON.parse(input)) };
}

const listExamples = ({ components }: OpenApiDocument, content: Content | undefined) =>
  Object.values(getMediaType(content)?.examples ?? {}).map(
    (example) => resolve(components.examples, example).value,
  );

/** A body. Every one in this API has exactly one media type. */
const getMediaType = (content: Content | undefined): MediaType | undefined =>
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
  if (!isOpenApiReference(value)) return value;
  const found = components[getComponentName(value.$ref)];
  if (!found) throw new Error(`The OpenAPI document has no ${value.$ref}`);
  return found;
}

const isOpenApiReference = (value: object): value is Reference => "$ref" in value;

/** A request of the API: a GET, or a POST with a body in JSON. */
export interface ExampleRequest {
  readonly url: string;
  readonly body?: unknown;
}

interface Language {
  readonly name: string;
  readonly key: string;
  /** The tokens of its code. */
  readonly language: CodeLanguage;
  write(request: ExampleRequest): string;
}

/** The languages of the example requests, with the packages to install. */
export const LANGUAGES: readonly Language[] = [
  {
    name: "curl",
    key: "curl",
    language: "shell",
    write: ({ url, body }) => (body === undefined ? curlGet(url) : curlPost(url, body)),
  },
  {
    name: "JavaScript",
    key: "javascript",
    language: "json",
    write: ({ url, body }) => `const response = await fetch(${quoteForScript(url)}${
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
    language: "json",
    write: ({ url, body }) =>
      body === undefined
        ? `import requests  # pip install requests

print(requests.get(${quoteForScript(url)}).json())`
        : `import json, requests  # pip install requests

body = json.loads(r'''${JSON.stringify(body, null, 2)}''')
print(requests.post(${quoteForScript(url)}, json=body).json())`,
  },
];

const quoteForScript = JSON.stringify;

/** The schemas of the document, by their names. */
type Schemas = Readonly<Record<string, JsonSchema>>;

/** As many are shown when there are more, but not if only one or two would be folded. */
const MAX_SHOWN = 7;

/** The fields of an object, each followed by the fields nested in it. */
export function FieldFacts({
  name,
  schemas,
}: {
  readonly name: string;
  readonly schemas: Schemas;
}) {
  const fields = listFields(name, schemas);
  const count = fields.length <= MAX_SHOWN + 2 ? fields.length : MAX_SHOWN;
  return (
    <>
      <Facts facts={fields.slice(0, count)} />
      {count < fields.length && (
        <details class="fold">
          <summary>{fields.length - count} more fields</summary>
          <Facts facts={fields.slice(count)} />
        </details>
      )}
    </>
  );
}

const listFields = (name: string, schemas: Schemas): readonly Fact[] =>
  flattenFields(schemas[name] ?? {}, "", schemas).map(({ path, isRequired, schema }) => ({
    name: path,
    kind: [formatSchemaType(schema), isRequired && "required", formatLimits(schema)]
      .filter(Boolean)
      .join(", "),
    meaning: [schema.description, ...listRules(schema)].filter(Boolean).join(" "),
  }));

interface DocumentedField {
  /** `filters[].from` is a field of each item of a list. */
  readonly path: string;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
}

function flattenFields(
  schema: JsonSchema,
  path: string,
  schemas: Schemas,
): readonly DocumentedField[] {
  const { $ref, items, anyOf = [], properties = {}, required = [] } = schema;
  if ($ref !== undefined)
    return flattenFields(schemas[getComponentName($ref)] ?? {}, path, schemas);
  if (items) return flattenFields(items, `${path}[]`, schemas);
  return [
    ...anyOf.flatMap((choice) => flattenFields(choice, path, schemas)),
    ...Object.entries(properties).flatMap(([name, schema]) => {
      const fieldPath = path === "" ? name : `${path}.${name}`;
      const field = { path: fieldPath, isRequired: required.includes(name), schema };
      return [field, ...flattenFields(schema, fieldPath, schemas)];
    }),
  ];
}

/** A name with its kind and its meaning. */
interface Fact {
  readonly name: string;
  readonly kind: string;
  readonly meaning: string;
}

export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts.map(({ name, kind, meaning }) => (
      <div>
        <dt>
          <Code name={name} />
        </dt>
        <dd>
          <small>{kind}</small>
        </dd>
        {meaning !== "" && (
          <dd>
            <Inline text={meaning} />
          </dd>
        )}
      </div>
    ))}
  </dl>
);

/** A schema's type in short: `string[]` for a list, the name of a named schema. */
export function formatSchemaType(schema: JsonSchema): string {
  const { $ref, anyOf, oneOf, items, contentSchema, additionalProperties: values, type } = schema;
  if ($ref !== undefined) return getComponentName($ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (contentSchema) return `JSON of ${formatSchemaType(contentSchema)}`;
  if (items) return `${formatSchemaType(items)}[]`;
  if (typeof values === "object") return `map of ${formatSchemaType(values)}`;
  return (anyOf ?? oneOf)?.map(formatSchemaType).join(" or ") ?? type ?? "any";
}

/** The name of the component that a reference names. */
const getComponentName = (reference: string): string =>
  reference.slice(reference.lastIndexOf("/") + 1);

/** The limits of a value: "1 to 20, default 3". */
function formatLimits(schema: JsonSchema): string {
  const limit = (side: string) =>
    Object.entries(schema).find(([keyword]) => keyword.startsWith(side))?.[1];
  const [minimum, maximum, exclusiveMinimum] = ["min", "max", "exclusiveMin"].map(limit);
  const isBoth = minimum !== undefined && maximum !== undefined;
  return [
    isBoth && `${minimum} to ${maximum}`,
    !isBoth && maximum !== undefined && `at most ${maximum}`,
    !isBoth && minimum !== undefined && `at least ${minimum}`,
    exclusiveMinimum !== undefined && `above ${exclusiveMinimum}`,
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
    schema.format,
  ]
    .filter(Boolean)
    .join(", ");
}

const listRules = ({ enum: values, pattern }: JsonSchema): readonly string[] => [
  ...(values ? [`One of ${values.join(", ")}.`] : []),
  ...(pattern === undefined ? [] : [`Pattern: ${pattern}`]),
];
