import { keepFocus } from "./keep-focus.ts";
import { enhanceTabs } from "./tabs.ts";

/**
 * Puts the parts of a newer answer in the place of the page's own. A part is an element with an id
 * and `data-part`; the controls get no new values, for somebody may be typing in them.
 *
 * @param isWanted which parts.
 */
export function replaceParts(newer: Document, isWanted: (id: string) => boolean): void {
  for (const part of newer.querySelectorAll<HTMLElement>("[data-part]")) {
    const own = document.getElementById(part.id);
    // The same again is left alone, so that nothing jumps and no selection is lost.
    if (own && isWanted(part.id) && own.innerHTML !== part.innerHTML) replaceContent(own, part);
  }
}

/**
 * Gives an element the content of a newer one. What was opened stays open, if it has an id, and the
 * focus stays where it was.
 */
export function replaceContent(own: HTMLElement, newer: HTMLElement): void {
  const opened = [...own.querySelectorAll("details[open]")].map(({ id }) => id);
  keepFocus(own, () => {
    own.replaceChildren(...document.adoptNode(newer).childNodes);
    enhanceTabs(own);
    for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  });
}

/** Marks the controls that are in the way of a result. */
export function replaceValidity(newer: Document): void {
  for (const control of newer.querySelectorAll("[aria-invalid]")) {
    const invalid = control.getAttribute("aria-invalid") ?? "false";
    document.getElementById(control.id)?.setAttribute("aria-invalid", invalid);
  }
}
