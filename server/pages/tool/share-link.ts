import type { Contract } from "../../../schemas/index.ts";
import { toolPagePath } from "../../links.ts";
import { copyButton } from "../copy-block.ts";
import { type Html, html } from "../html.ts";
import { hasSecrets, withoutSecrets } from "./secrets.ts";

/** Told to the page's script; another form of the link would get another version. */
const VERSION = "v1.";

/**
 * A link to the page with this input. It is in the hash, which no server sees; the page's script
 * reads it there.
 */
export function shareLink(contract: Contract, input: unknown): Html {
  const json = JSON.stringify(withoutSecrets(contract, input));
  const hash = `${VERSION}${Buffer.from(json).toString("base64url")}`;
  return html`<p class="share needs-script"><a id="share" href="${toolPagePath(contract)}#${hash}">Link to this input</a> ${copyButton("share", "the link to this input")}${hasSecrets(contract, input) && " (without the values that may be secret)"}</p>`;
}
