import type { OpenApiDocument } from "../../../src/openapi/document.ts";
import { type Html, html } from "../html.ts";
import { code, inline } from "../prose.ts";
import { endpointsOf } from "./endpoint.ts";
import { mediaOf } from "./media.ts";
import { nameOf } from "./resolve.ts";
import { answersOf } from "./responses.ts";
import { type Row, table } from "./table.ts";

interface Failure {
  readonly status: string;
  readonly codes: readonly string[];
  readonly description: string;
}

/** Every error that any operation gives, by status. */
export const errors = (document: OpenApiDocument): Html => html`<section aria-labelledby="errors">
<h2 id="errors">Errors</h2>
<p>The body of every error is an <a href="#Error">Error</a>. Branch on <code>code</code>, never on <code>message</code>.</p>
${table("Errors", ["Code", "Meaning"], failuresOf(document).map(toRow))}
</section>
`;

const toRow = ({ status, codes, description }: Failure): Row => ({
  name: html`${codes.map((name) => html`${code(name)} `)}`,
  kind: html`${status}`,
  meaning: inline(description),
});

function failuresOf(document: OpenApiDocument): readonly Failure[] {
  const byStatus = new Map<string, Failure>();
  for (const endpoint of endpointsOf(document)) {
    for (const { status, description, content } of answersOf(document.components, endpoint)) {
      const { schema, examples = {} } = mediaOf(content)?.[1] ?? {};
      if (schema?.$ref && nameOf({ $ref: schema.$ref }) === "Error") {
        byStatus.set(status, { status, codes: Object.keys(examples), description });
      }
    }
  }
  return [...byStatus.values()].sort((a, b) => Number(a.status) - Number(b.status));
}
