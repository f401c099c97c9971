import type {
  Components,
  OpenApiDocument,
  Parameter,
  RequestBody,
  Response,
} from "../../../src/openapi/document.ts";
import { type Html, html } from "../html.ts";
import { code, curlGet, curlPost, inline, prose } from "../parts.ts";
import { type Endpoint, examplesOf, mediaOf, nameOf, resolve, titleOf } from "./document.ts";
import { fieldTable, REQUIRED, type Row, table, typeName } from "./schema.ts";

/** The parameters of an operation, references resolved. */
const parametersOf = (components: Components, { operation }: Endpoint): readonly Parameter[] =>
  (operation.parameters ?? []).map((parameter) => resolve(components.parameters, parameter));

function parameterTable(components: Components, endpoint: Endpoint): Html {
  const parameters = parametersOf(components, endpoint);
  if (parameters.length === 0) return html``;
  const label = `Parameters of ${titleOf(endpoint)}`;
  return html`<h4>Parameters</h4>
${table(label, ["Parameter", "Meaning"], parameters.map(parameterRow))}`;
}

const parameterRow = ({
  name,
  in: place,
  required,
  schema,
  content,
  description,
}: Parameter): Row => ({
  name: code(name),
  kind: html`${place}, ${typeName(schema ?? mediaOf(content)?.[1].schema ?? {})}${required && REQUIRED}`,
  meaning: inline(description),
});

interface Command {
  readonly caption: string;
  readonly text: string;
}

/** Requests to copy into a shell. */
function exampleRequests(document: OpenApiDocument, endpoint: Endpoint): Html {
  const commands = commandsOf(document, endpoint);
  return html`<h4>Example request${commands.length > 1 && "s"}</h4>
${commands.map(figure)}`;
}

const figure = ({ caption, text }: Command): Html => html`<figure>
<figcaption>${caption}</figcaption>
<pre tabindex="0"><code>${text}</code></pre>
</figure>
`;

function commandsOf(
  { components, servers }: OpenApiDocument,
  endpoint: Endpoint,
): readonly Command[] {
  const url = `${servers[0]?.url}${endpoint.path}`;
  const { requestBody } = endpoint.operation;
  if (requestBody) {
    return examplesOf(components, requestBody.content).map(({ summary, value }) => ({
      caption: summary,
      text: curlPost(url, value),
    }));
  }
  const parameter = parametersOf(components, endpoint).find(({ content }) => content);
  const examples = examplesOf(components, parameter?.content);
  return [
    { caption: parameter ? `Without ${parameter.name}` : "", text: curlGet(url) },
    ...examples.map(({ value }) => ({
      caption: `With ${parameter?.name}`,
      text: curlGet(url, { name: parameter?.name ?? "", json: value }),
    })),
  ];
}

/** What an operation takes as its body; the heading is where links to this schema lead. */
function requestBody(components: Components, { operation }: Endpoint): Html {
  const body = operation.requestBody;
  const name = body && bodySchema(body);
  const schema = name && components.schemas[name];
  if (!schema) return html``;
  return html`<h4 id="${name}">Body: ${name}</h4>
<p>${code(mediaOf(body.content)?.[0] ?? "")}. ${inline(body.description)}</p>
${fieldTable(name, schema)}`;
}

/** The name of the schema of a body. */
export function bodySchema({ content }: RequestBody): string | undefined {
  const { $ref } = mediaOf(content)?.[1].schema ?? {};
  return $ref && nameOf({ $ref });
}

interface Answer extends Response {
  readonly status: string;
}

/** The answers of an operation, references resolved, in the order of their statuses. */
export const answersOf = (components: Components, { operation }: Endpoint): readonly Answer[] =>
  Object.entries(operation.responses).map(([status, response]) => ({
    status,
    ...resolve(components.responses, response),
  }));

/** What an operation answers: the statuses with their meanings, and examples of success. */
function responses(components: Components, endpoint: Endpoint): Html {
  const answers = answersOf(components, endpoint);
  const label = `Responses of ${titleOf(endpoint)}`;
  const examples = answers
    .filter(({ status }) => status.startsWith("2"))
    .flatMap(({ content }) => examplesOf(components, content));
  return html`<h4>Responses</h4>
${table(label, ["Status", "Meaning"], answers.map(responseRow))}
${examples.map(({ summary, value }) => exampleResponse(summary, value))}`;
}

function responseRow({ status, description, content, headers = {} }: Answer): Row {
  const [type, media] = mediaOf(content) ?? [];
  const names = Object.keys(headers);
  return {
    name: code(status),
    kind: media ? typeName(media.schema) : html`no body`,
    meaning: inline(description),
    details: html`${type}${names.length > 0 && `; with ${names.join(", ")}`}`,
  };
}

const exampleResponse = (summary: string, value: unknown): Html => html`<details>
<summary>Example response${summary && `: ${summary}`}</summary>
<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>
</details>
`;

/** All that there is to say of one operation. */
export function operationSection(document: OpenApiDocument, endpoint: Endpoint): Html {
  const { components } = document;
  const { method, path, operation } = endpoint;
  return html`<section class="operation" aria-labelledby="${operation.operationId}">
<h3 id="${operation.operationId}"><span class="method">${method}</span> ${code(path)}</h3>
<p class="lead">${operation.summary}</p>
${prose(operation.description)}
${parameterTable(components, endpoint)}
${requestBody(components, endpoint)}
${exampleRequests(document, endpoint)}
${responses(components, endpoint)}
</section>
`;
}
