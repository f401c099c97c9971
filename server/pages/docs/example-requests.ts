import type { OpenApiDocument } from "../../../src/openapi/document.ts";
import { curlGet, curlPost } from "../curl.ts";
import { type Html, html } from "../html.ts";
import type { Endpoint } from "./endpoint.ts";
import { examplesOf } from "./media.ts";
import { parametersOf } from "./parameters.ts";

interface Command {
  readonly caption: string;
  readonly text: string;
}

/** Requests to copy into a shell. */
export function exampleRequests(document: OpenApiDocument, endpoint: Endpoint): Html {
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
