import { toolPagePath } from "../../links.ts";
import { copyButton } from "../copy-block.ts";
import { type Html, html } from "../html.ts";
import { hasSecrets, hasStraySecret, withoutSecrets } from "./secrets.ts";
import type { Sheet } from "./sheet.ts";

/** Told to the page's script; another form of the link would get another version. */
const VERSION = "v1.";

/**
 * A link to the page with this input. It is in the hash, which no server sees; the page's script
 * reads it there.
 */
export function shareLink(sheet: Sheet): Html {
  if (hasStraySecret(sheet)) {
    return html`<p class="share">There is no link to this input, because it seems to hold a secret.</p>`;
  }
  const json = JSON.stringify(withoutSecrets(sheet));
  const hash = `${VERSION}${Buffer.from(json).toString("base64url")}`;
  return html`<p class="share needs-script"><a id="share" href="${toolPagePath(sheet.contract)}#${hash}">Link to this input</a> ${copyButton("share", "the link to this input")}${hasSecrets(sheet) && " (without the values that may be secret)"}</p>`;
}
