import { toolPath, urlWithInput } from "../../../src/describe-tool.ts";
import { DOCS_PATH } from "../../links.ts";
import { copyBlock } from "../copy-block.ts";
import { curlPost } from "../curl.ts";
import { type Html, html } from "../html.ts";
import { hasSecrets, hasStraySecret } from "./secrets.ts";
import type { Sheet } from "./sheet.ts";

/** The call of the API that gives the same result. */
export function apiCall(sheet: Sheet, baseUrl: string): Html {
  const { contract, input } = sheet;
  const endpoint = `${baseUrl}${toolPath(contract)}`;
  return html`<details id="api-call" class="api-call">
<summary>The same as an API call</summary>
${copyBlock({ id: "api-curl", label: "curl", text: curlPost(endpoint, input) })}
${
  hasSecrets(sheet) || hasStraySecret(sheet)
    ? html`<p>There is no GET URL for this input: it has values that may be secret, and addresses are kept in histories and logs.</p>`
    : copyBlock({ id: "api-url", label: "GET", text: urlWithInput(endpoint, input) })
}
<p>No key, no account: <a href="${DOCS_PATH}#run_${contract.name}">the API’s documentation</a> says the rest.</p>
</details>
`;
}
