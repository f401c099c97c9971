import { plural } from "../../../../src/text.ts";
import { type Html, html } from "../../html.ts";

/** How the file gets into Gmail. */
export const importSteps = (steps: readonly string[]): Html => html`<details id="import-steps">
<summary>Then import it: ${plural(steps.length, "step")} in Gmail</summary>
<ol>
${steps.map((step) => html`<li>${step}</li>\n`)}</ol>
</details>
`;
