import { announce } from "./feedback.ts";

/** Makes tabs of sections, and lets selects choose the text that is shown. */
export function enhanceContent(root: ParentNode = document): void {
  for (const group of root.querySelectorAll<HTMLElement>("[data-tabs]")) {
    if (!group.querySelector(":scope > [role=tablist]")) addTabs(group);
  }
  for (const group of root.querySelectorAll<HTMLElement>("[data-choose]")) followChoice(group);
  for (const radio of root.querySelectorAll<HTMLInputElement>("[data-system-choice]")) {
    radio.checked = radio.value === document.documentElement.dataset.system;
  }
}

/**
 * Turns sections into tabs, after the ARIA practices. `data-tabs` on their parent labels the list of
 * tabs; each section has an id and an `aria-label`. The selected tab stays selected when the
 * sections are replaced. Lists with the same `data-tabs-group` select the same label.
 */
function addTabs(group: HTMLElement): void {
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
    chosenPanels.set(group.id, panels[index]?.id ?? "");
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
  const last = panels.findIndex(({ id }) => id === chosenPanels.get(group.id));
  show(Math.max(last, 0));
}

/** Selects a label in a list of tabs. Weak, because every new result has new lists. */
const followers = new WeakMap<Element, (label: string) => void>();

/** The id of the selected panel, by the id of its group. */
const chosenPanels = new Map<string, string>();

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

/** Shows the text for the chosen option of a group's `select`. */
function followChoice(group: HTMLElement): void {
  const select = group.querySelector("select");
  if (!select) return;
  const show = () => {
    for (const text of group.querySelectorAll<HTMLElement>("[data-choice]")) {
      text.hidden = text.dataset.choice !== select.value;
    }
  };
  select.value = chosenValues.get(select.id) ?? "";
  // An option that the newer result does not have.
  if (select.selectedIndex < 0) select.value = "";
  // A property, not a further listener: an unchanged part of a result comes here again.
  select.onchange = () => {
    chosenValues.set(select.id, select.value);
    show();
    announce(group.querySelector("[data-choice]:not([hidden])")?.textContent ?? "");
  };
  show();
}

/** The chosen values by the ids of their controls, which survive a new result. */
const chosenValues = new Map<string, string>();
