/** @jsxImportSource preact */
import { errorCodes } from "../../../schemas/codes.ts";
import { urlWithInput } from "../../../src/describe-tool.ts";
import { joinPath } from "../../../src/issues.ts";
import type { JsonSchema } from "../../../src/json-schema.ts";
import { formatNumber } from "../../../src/text.ts";
import { Code, CopyBlock, Inline, Prose } from "../components.tsx";
import { curlGet, curlPost } from "../curl.ts";
import type { CodeLanguage } from "../highlight.tsx";
import type { ApiOperation, Content, OpenApiDocument, Schemas } from "./document.ts";

interface OperationProps {
  readonly document: OpenApiDocument;
  readonly operation: ApiOperation;
}

/** An operation: what goes in, and what comes out. */
export function OperationText({ document, operation }: OperationProps) {
  const { schemas } = document.components;
  const { method, path, description, requestBody, responses, parameters = [] } = operation;
  const body = getSchema(requestBody?.content);
  const result = getSchema(responses["200"]?.content);
  const errors = listErrors([operation]);
  return (
    <>
      <p>
        <span class="tag">{method}</span> <Code name={path} />
      </p>
      {description !== "" && <Prose text={description} />}
      {parameters.length > 0 && (
        <>
          <h3>Parameters</h3>
          <Facts
            facts={parameters.map(({ name, in: location, required, schema, description }) => ({
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
          <FieldFacts schema={body} schemas={schemas} />
        </>
      )}
      <div>
        {result?.$ref !== undefined && (
          <details class="fold">
            <summary>
              Fields of the response <small>{formatSchemaType(result)}</small>
            </summary>
            <Facts facts={listFields(result, schemas)} />
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
  const { path, requestBody } = operation;
  const [body] = listExamples(requestBody?.content);
  const request = { url: `${document.servers[0]?.url}${path}`, body };
  const input = operation.parameters?.find(({ name }) => name === "input")?.example;
  const [example] = listExamples(operation.responses["200"]?.content);
  return (
    <>
      <Examples request={request} />
      {input !== undefined && (
        <Examples
          label="Request to run it"
          request={{ url: urlWithInput(request.url, JSON.parse(input)) }}
        />
      )}
      {/* The response to an input is that of POST. */}
      {input === undefined && example !== undefined && (
        <CopyBlock label="200 Response" language="json" text={JSON.stringify(example, null, 2)} />
      )}
    </>
  );
}

/** The errors of some operations, each code once. */
export function listErrors(operations: readonly ApiOperation[]): readonly Fact[] {
  const responses = operations.flatMap((operation) => Object.entries(operation.responses));
  const statuses = responses.flatMap(([status, { content }]) =>
    listExamples(content).map((value) => [Object(value).error?.code, status] as const),
  );
  const byCode = new Map(statuses);
  return Object.entries(errorCodes).flatMap(([name, { meaning }]) => {
    const kind = byCode.get(name);
    return kind === undefined ? [] : { name, kind, meaning };
  });
}

interface ExamplesProps {
  readonly label?: string;
  readonly request: ExampleRequest;
}

/** A request in each language; the page shows the selected one. */
const Examples = ({ label = "Request", request }: ExamplesProps) => (
  <>
    {LANGUAGES.map(({ name, language, write }) => (
      <div class={`in-${name.toLowerCase()}`}>
        <CopyBlock label={label} subject={name} language={language} text={write(request)} />
      </div>
    ))}
  </>
);

const getSchema = (content: Content = {}): JsonSchema | undefined =>
  Object.values(content)[0]?.schema;

const listExamples = (content: Content = {}): readonly unknown[] =>
  Object.values(content).flatMap(({ examples = {} }) =>
    Object.values(examples).map(({ value }) => value),
  );

/** A request of the API: a GET, or a POST with a body in JSON. */
interface ExampleRequest {
  readonly url: string;
  readonly body?: unknown;
}

interface Language {
  readonly name: string;
  /** The tokens of its code. */
  readonly language: CodeLanguage;
  write(request: ExampleRequest): string;
}

/** The languages of the example requests, with the packages to install. */
export const LANGUAGES: readonly Language[] = [
  {
    name: "curl",
    language: "shell",
    write: ({ url, body }) => (body === undefined ? curlGet(url) : curlPost(url, body)),
  },
  {
    name: "JavaScript",
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

/** How many fields a folded list shows. A list that would fold only one or two shows all. */
const MAX_FIELDS_SHOWN = 7;

interface FieldFactsProps {
  readonly schema: JsonSchema;
  readonly schemas: Schemas;
}

/** The fields of an object. A long list is folded. */
export function FieldFacts({ schema, schemas }: FieldFactsProps) {
  const fields = listFields(schema, schemas);
  const count = fields.length <= MAX_FIELDS_SHOWN + 2 ? fields.length : MAX_FIELDS_SHOWN;
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

/** The fields of an object, each followed by those nested in it: `filters`, `filters[].from`. */
function listFields(schema: JsonSchema, schemas: Schemas, path = ""): readonly Fact[] {
  const { $ref, items, anyOf = [], properties = {}, required = [] } = schema;
  if ($ref !== undefined) return listFields(schemas[getComponentName($ref)] ?? {}, schemas, path);
  if (items) return listFields(items, schemas, `${path}[]`);
  return [
    ...anyOf.flatMap((choice) => listFields(choice, schemas, path)),
    ...Object.entries(properties).flatMap(([key, field]) => {
      const { description, enum: values, pattern } = field;
      const name = joinPath(path, key);
      const kind = [formatSchemaType(field), required.includes(key) && "required"];
      const meaning = [
        description,
        values && `One of ${values.join(", ")}.`,
        pattern && `Pattern: ${pattern}`,
      ];
      const fact = {
        name,
        kind: [...kind, ...listLimits(field)].filter(Boolean).join(", "),
        meaning: meaning.filter(Boolean).join(" "),
      };
      return [fact, ...listFields(field, schemas, name)];
    }),
  ];
}

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

/** The limits of a value: "1 to 20", "default 3". */
function listLimits(schema: JsonSchema) {
  const limit = (side: string) =>
    Object.entries(schema).find(([keyword]) => keyword.startsWith(side))?.[1];
  const [minimum, maximum, above] = ["min", "max", "exclusiveMin"].map(limit);
  const hasBothBounds = minimum !== undefined && maximum !== undefined;
  return [
    hasBothBounds && `${formatNumber(minimum)} to ${formatNumber(maximum)}`,
    !hasBothBounds && maximum !== undefined && `at most ${formatNumber(maximum)}`,
    !hasBothBounds && minimum !== undefined && `at least ${minimum}`,
    above !== undefined && `above ${above}`,
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
    schema.format,
  ];
}
