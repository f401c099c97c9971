/** @jsxImportSource preact */
import { urlWithInput } from "../../../src/describe-tool.ts";
import type {
  Content,
  MediaType,
  OpenApiDocument,
  Operation,
  Reference,
} from "../../../src/openapi.ts";
import { Code, CopyBlock, Inline, Prose } from "../parts.tsx";
import { type ExampleRequest, LANGUAGES } from "./examples.ts";
import { FieldTable, nameOf, Rows, typeName } from "./fields.tsx";

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
  const { summary, description, requestBody, parameters = [], responses } = operation;
  const body = mediaOf(requestBody?.content);
  const ok = responses["200"] && resolve(components.responses, responses["200"]);
  const answer = mediaOf(ok?.content);
  const example = examplesOf(document, ok?.content)[0];
  return (
    <>
      <p class="lead">{summary}</p>
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
