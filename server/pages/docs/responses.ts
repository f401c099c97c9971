import type { Components, Response } from "../../../src/openapi/document.ts";
import { type Html, html } from "../html.ts";
import { code, inline } from "../prose.ts";
import { type Endpoint, titleOf } from "./endpoint.ts";
import { examplesOf, mediaOf } from "./media.ts";
import { resolve } from "./resolve.ts";
import { type Row, table } from "./table.ts";
import { typeName } from "./type-name.ts";

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
export function responses(components: Components, endpoint: Endpoint): Html {
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
