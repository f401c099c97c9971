import { toolPagePath } from "../../links.ts";
import type { Service } from "../../service.ts";
import { fields } from "../form/fields.ts";
import type { Note, Notes } from "../form/notes.ts";
import { type Html, html } from "../html.ts";
import { renderPage } from "../layout.ts";
import type { View } from "../view.ts";
import { viewOf } from "../views/view-of.ts";
import { inShort } from "./in-short.ts";
import { outcome } from "./outcome.ts";
import { type Sheet, warningsOf } from "./sheet.ts";
import { structuredData } from "./structured-data.ts";

/** A tool's page: its form, what came of it, and what there is to know. */
export function toolPage(service: Service, sheet: Sheet): string {
  const { contract } = sheet;
  const view = viewOf(contract);
  return renderPage(service, {
    title: contract.title,
    description: view.lead,
    path: toolPagePath(contract),
    layout: "tool",
    structuredData: structuredData(contract, service.baseUrl()),
    main: html`<header class="intro">
<h1>${contract.title}</h1>
<p class="lead">${view.lead}</p>
<a class="to-result" href="#outcome">To the result</a>
</header>
<div class="workbench">
${form(sheet, view)}
${outcome(sheet, view, service.baseUrl())}
</div>
<div class="about">
${view.about}
</div>`,
  });
}

/**
 * What may be secret is posted, so that it stands in no address; the page's script posts all forms.
 * The first button is the one that the Enter key presses.
 */
const form = (
  sheet: Sheet,
  view: View,
): Html => html`<form id="tool-form" class="tool-form" aria-label="Input" action="${toolPagePath(sheet.contract)}" method="${sheet.contract.sensitive ? "post" : "get"}" novalidate data-live>
<button class="default" tabindex="-1" aria-hidden="true">Update</button>
${fields(sheet.entries, notesOf(sheet), sheet.place)}
<p class="actions"><button>Update the result</button>
<button name="do" value="clear">Clear the form</button>
<a class="button" href="${toolPagePath(sheet.contract)}">Back to the example</a></p>
<p class="live" id="live" aria-hidden="true" data-part>${inShort(sheet, view)}</p>
</form>
`;

function notesOf(sheet: Sheet): Notes {
  const { outcome } = sheet;
  const notes: readonly Note[] =
    outcome.kind === "refused"
      ? outcome.issues.map((issue) => ({ ...issue, severity: "error" }))
      : warningsOf(sheet);
  return Map.groupBy(notes, ({ path }) => path);
}
