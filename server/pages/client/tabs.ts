/**
 * Turns sections into tabs, after the ARIA practices. `data-tabs` on their parent labels the list of
 * tabs; each section has an id and an `aria-label`. The selected tab stays selected when the
 * sections are replaced. Lists with the same `data-tabs-group` select the same label.
 */
export function enhanceTabs(root: ParentNode = document): void {
  for (const group of root.querySelectorAll<HTMLElement>("[data-tabs]")) {
    if (!group.querySelector(":scope > [role=tablist]")) enhance(group);
  }
}

/** Selects a label in a list of tabs. Weak, because every new result has new lists. */
const followers = new WeakMap<Element, (label: string) => void>();

/** The id of the selected panel, by the id of its group. */
const chosen = new Map<string, string>();

function enhance(group: HTMLElement): void {
  const panels = [...group.querySelectorAll<HTMLElement>(":scope > section")];
  const tabs = panels.map(tabOf);
  const list = document.createElement("div");
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", group.dataset.tabs ?? "");
  list.append(...tabs);
  group.prepend(list);

  const show = (index: number) => {
    for (const [number, panel] of panels.entries()) panel.hidden = number !== index;
    for (const [number, tab] of tabs.entries()) {
      tab.setAttribute("aria-selected", String(number === index));
      tab.tabIndex = number === index ? 0 : -1;
    }
  };
  const choose = (index: number) => {
    show(index);
    chosen.set(group.id, panels[index]?.id ?? "");
    for (const other of groupsWith(group)) followers.get(other)?.(tabs[index]?.textContent ?? "");
    tabs[index]?.focus();
  };
  followers.set(group, (label) => {
    const index = tabs.findIndex(({ textContent }) => textContent === label);
    if (index >= 0) show(index);
  });
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener("click", () => choose(index));
    tab.addEventListener("keydown", (event) => {
      const next = nextTab(event, index, tabs.length);
      if (next === undefined) return;
      event.preventDefault();
      choose(next);
    });
  }
  const last = panels.findIndex(({ id }) => id === chosen.get(group.id));
  show(Math.max(last, 0));
}

const groupsWith = ({ dataset: { tabsGroup } }: HTMLElement): Iterable<Element> =>
  tabsGroup === undefined ? [] : document.querySelectorAll(`[data-tabs-group="${tabsGroup}"]`);

function tabOf(panel: HTMLElement): HTMLButtonElement {
  const tab = document.createElement("button");
  tab.type = "button";
  tab.id = `${panel.id}:tab`;
  tab.textContent = panel.getAttribute("aria-label");
  tab.setAttribute("role", "tab");
  tab.setAttribute("aria-controls", panel.id);
  panel.setAttribute("role", "tabpanel");
  panel.setAttribute("aria-labelledby", tab.id);
  panel.removeAttribute("aria-label");
  panel.tabIndex = 0;
  return tab;
}

/** The tab that a key leads to. Key combinations belong to the browser. */
function nextTab(event: KeyboardEvent, index: number, count: number): number | undefined {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return undefined;
  const moves: Readonly<Record<string, number>> = {
    ArrowRight: (index + 1) % count,
    ArrowLeft: (index + count - 1) % count,
    Home: 0,
    End: count - 1,
  };
  return moves[event.key];
}
