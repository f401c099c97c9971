/** The chosen values by the ids of their controls, which survive a new result. */
const chosen = new Map<string, string>();

/** Lets each `select` within `data-choose` show the text for the chosen option. */
export function enhanceChoices(root: ParentNode = document): void {
  for (const group of root.querySelectorAll<HTMLElement>("[data-choose]")) {
    const select = group.querySelector("select");
    if (!select) continue;
    const show = () => {
      for (const text of group.querySelectorAll<HTMLElement>("[data-choice]")) {
        text.hidden = text.dataset.choice !== select.value;
      }
    };
    select.value = chosen.get(select.id) ?? "";
    // An option that the newer result does not have.
    if (select.selectedIndex < 0) select.value = "";
    // Not added as a listener: an unchanged part of a result comes here again.
    select.onchange = () => {
      chosen.set(select.id, select.value);
      show();
    };
    show();
  }
}
