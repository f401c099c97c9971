import type { MailFilterComparison } from "../../../src/mail-filter/compare.ts";
import { plural, thousands } from "../../../src/text.ts";
import { html } from "../html.ts";
import { copyBlock, sentence } from "../parts.ts";
import type { Changes } from "../view.ts";

/**
 * The changes that a form makes to an opened export. An import adds and replaces nothing, so what is
 * new comes first, and what is old is deleted by hand.
 *
 * @param filters the number of filters in the form.
 * @param isMerged whether a merge was made: all is new then, and the whole is of no use.
 */
export function exportChanges(
  { result, counts, only_there: gone }: MailFilterComparison,
  filters: number,
  isMerged: boolean,
): Changes {
  // Another name than that of the export, which may be in the same folder.
  const file = { ...result.file, name: "new-filters.xml" };
  const added = countWords(counts.new, isMerged ? 0 : counts.changed);
  const old = plural(gone.length, "old filter");
  const imports = counts.new > 0 ? `${added} to import` : "nothing to import";
  const rest = counts.new > 0 ? "" : `: your Gmail has ${plural(filters, "filter")} already`;
  return {
    file,
    summary: sentence(`${imports}${gone.length > 0 ? `, ${old} to delete in Gmail` : rest}.`),
    downloads: (whole) => html`${
      counts.new > 0 &&
      html`<p><a class="button primary" href="#import-steps" download="${file.name}" data-file="changes">Download ${added}</a></p>`
    }
${!isMerged && html`<p><small>For another account: ${whole(`the whole file, ${plural(filters, "filter")}`)}. Here Gmail would have them twice.</small></p>`}`,
    steps: [
      ...(counts.new > 0 ? result.how_to_import : []),
      ...(counts.new > 0 && gone.length > 0
        ? [`Only then delete the ${old} by hand, named below.`]
        : []),
    ],
    afterSteps:
      gone.length > 0 &&
      html`<details id="old-filters" class="report" open>
<summary>Delete by hand in Gmail: ${old}</summary>
${copyBlock({ id: "gone", label: "As Gmail lists them", text: gone.join("\n") })}
</details>`,
  };
}

/** A number of filters to import: "2 new and 1 changed filters". */
function countWords(all: number, changed: number): string {
  if (changed === 0) return plural(all, "new filter");
  const words = plural(changed, "changed filter");
  return all === changed ? words : `${thousands(all - changed)} new and ${words}`;
}
