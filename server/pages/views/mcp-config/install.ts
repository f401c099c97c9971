import type { ClientConfig } from "../../../../schemas/index.ts";
import { copyBlock } from "../../copy-block.ts";
import { type Html, html } from "../../html.ts";

const SHELLS = [
  ["bash", "bash"],
  ["powershell", "PowerShell"],
] as const;

/** The quick ways to add the server to a client, where there are any. */
export function install({ client, title, install }: ClientConfig): Html | false {
  const { link } = install;
  const lines = SHELLS.flatMap(([shell, label]) => {
    const text = install[shell];
    return text === undefined
      ? []
      : [copyBlock({ id: `${client}-${shell}`, label, of: title, text })];
  });
  return (
    (link !== undefined || lines.length > 0) &&
    html`<h4>The quick way</h4>
${link !== undefined && html`<p><a class="button primary" href="${link}">Add to ${title}</a></p>`}
${lines}`
  );
}
