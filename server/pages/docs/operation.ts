import type {
  Components,
  OpenApiDocument,
  Operation,
  Parameter,
  Response,
} from "../../../src/openapi.ts";
import { type Html, html } from "../html.ts";
import { code, copyBlock, inline, prose } from "../parts.ts";
import {
  type ApiOperation,
  chooseMedia,
  componentName,
  listExamples,
  resolve,
  titleOf,
} from "./document.ts";
import { type ExampleRequest, LANGUAGES } from "./languages.ts";
import { fieldTable, REQUIRED, type Row, twoColumnTable, typeName } from "./schema.ts";

export function operationText(document: OpenApiDocument, operation: ApiOperation): Html {
  const { components } = document;
  const { method, path } = operation;
  return html`<h2 id="${operation.operationId}"><span class="method">${method}</span> ${code(path)}</h2>
<p class="lead">${operation.summary}</p>
${prose(operation.description)}
${parameterTable(components, operation)}
${requestBody(components, operation)}
${exampleRequests(document, operation)}
${responses(components, operation)}
`;
}

function parameterTable(components: Components, operation: ApiOperation): Html {
  const parameters = listParameters(components, operation);
  if (parameters.length === 0) return html``;
  const label = `Parameters of ${titleOf(operation)}`;
  return html`<h3>Parameters</h3>
${twoColumnTable(label, ["Parameter", "Meaning"], parameters.map(parameterRow))}`;
}

/** The parameters of an operation, references resolved. */
const listParameters = (
  components: Components,
  { parameters = [] }: ApiOperation,
): readonly Parameter[] => parameters.map((parameter) => resolve(components.parameters, parameter));

const parameterRow = ({ name, in: place, required, schema, description }: Parameter): Row => ({
  name: code(name),
  kind: html`${place}, ${typeName(schema)}${required && REQUIRED}`,
  meaning: inline(description),
});

/** The body of an operation. Links to this schema lead to the heading. */
function requestBody(components: Components, { requestBody: body }: ApiOperation): Html {
  const name = body && bodySchema(body);
  const schema = name && components.schemas[name];
  if (!schema) return html``;
  return html`<h3 id="${name}">Body: ${name}</h3>
<p>${code(chooseMedia(body.content)?.[0] ?? "")}. ${inline(body.description)}</p>
${fieldTable(name, schema)}`;
}

export function bodySchema({ content }: NonNullable<Operation["requestBody"]>): string | undefined {
  const { $ref } = chooseMedia(content)?.[1].schema ?? {};
  return $ref && componentName({ $ref });
}

/** Requests to copy, each in several languages. */
function exampleRequests(document: OpenApiDocument, operation: ApiOperation): Html {
  const requests = writeRequests(document, operation);
  return html`<h3>Example request${requests.length > 1 && "s"}</h3>
${requests.map((request, index) => languageTabs(`${operation.operationId}-${index}`, request))}`;
}

/** A request in several languages; the page's script makes tabs of them. */
export const languageTabs = (
  id: string,
  { caption, ...request }: CaptionedRequest,
): Html => html`${caption !== "" && html`<p>${caption}</p>`}
<div data-tabs="Languages" data-tabs-group="language" id="${id}">
${LANGUAGES.map(
  ({ name, key, write }) =>
    html`<section id="${id}-${key}" aria-label="${name}">
${copyBlock({ id: `${id}-${key}-code`, label: name, of: caption || "the request", text: write(request) })}
</section>
`,
)}</div>
`;

export interface CaptionedRequest extends ExampleRequest {
  readonly caption: string;
}

export function writeRequests(
  { components, servers }: OpenApiDocument,
  operation: ApiOperation,
): readonly CaptionedRequest[] {
  const url = `${servers[0]?.url}${operation.path}`;
  const { requestBody } = operation;
  if (requestBody) {
    return listExamples(components, requestBody.content).map(({ summary, value }) => ({
      caption: summary,
      url,
      body: value,
    }));
  }
  const parameters = listParameters(components, operation).flatMap(({ name, example }) =>
    example === undefined ? [] : [{ name, json: JSON.parse(example) }],
  );
  return [
    { caption: parameters[0] ? `Without ${parameters[0].name}` : "", url },
    ...parameters.map((parameter) => ({ caption: `With ${parameter.name}`, url, parameter })),
  ];
}

/** The statuses of an operation with their meanings, and examples of success. */
function responses(components: Components, operation: ApiOperation): Html {
  const documented = listResponses(components, operation);
  const label = `Responses of ${titleOf(operation)}`;
  const examples = documented
    .filter(({ status }) => status.startsWith("2"))
    .flatMap(({ content }) => listExamples(components, content));
  return html`<h3>Responses</h3>
${twoColumnTable(label, ["Status", "Meaning"], documented.map(responseRow))}
${examples.map(({ summary, value }, index) => exampleResponse(`${operation.operationId}-response-${index}`, summary, value))}`;
}

interface DocumentedResponse extends Response {
  readonly status: string;
}

/** The responses of an operation, references resolved, in the order of their statuses. */
export const listResponses = (
  components: Components,
  { responses }: ApiOperation,
): readonly DocumentedResponse[] =>
  Object.entries(responses).map(([status, response]) => ({
    status,
    ...resolve(components.responses, response),
  }));

function responseRow({ status, description, content, headers = {} }: DocumentedResponse): Row {
  const [type, media] = chooseMedia(content) ?? [];
  const names = Object.keys(headers);
  return {
    name: code(status),
    kind: media ? typeName(media.schema) : html`no body`,
    meaning: inline(description),
    details: html`${type}${names.length > 0 && html`${type !== undefined && ". "}Headers: ${names.join(", ")}`}`,
  };
}

const exampleResponse = (id: string, summary: string, value: unknown): Html => html`<details>
<summary>Example response${summary && `: ${summary}`}</summary>
${copyBlock({ id, label: "JSON", of: summary || "the response", text: JSON.stringify(value, null, 2) })}
</details>
`;
