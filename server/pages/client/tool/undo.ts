import { html } from "../../html.ts";
import { announce } from "../feedback.ts";
import { parseElement } from "../replace-content.ts";

/**
 * Undoes a change.
 *
 * @param isTypedSince true if the user has typed since: that is lost too.
 */
type Undo = (isTypedSince: boolean) => void;

/**
 * Offers to undo changes that replace typed text: by a button for four seconds, by one that stays
 * below the form, and by Ctrl+Z until the user types, because the field then has an undo of its own.
 *
 * @returns a function to call after a change, with its name: "Cleared".
 */
export function undoBar(): (done: string, undo: Undo) => void {
  const bar = parseElement(
    html`<p class="undo" hidden><span></span> <button type="button">Undo</button></p>`,
  );
  const [words, button] = bar?.children ?? [];
  let past: Undo[] = [];
  let last: Undo | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const hide = () => {
    // Nobody loses a button that they are about to press.
    if (bar?.matches(":hover, :focus-within")) timer = setTimeout(hide, OFFERED_MS);
    else if (bar) bar.hidden = true;
  };
  const undoLast = () => {
    clearTimeout(timer);
    if (bar) bar.hidden = true;
    announce("Undone");
    const isTypedSince = past.length === 0;
    const undo = past.pop() ?? last;
    last = undefined;
    if (past.length === 0) delete document.documentElement.dataset.canUndo;
    undo?.(isTypedSince);
  };

  if (bar) document.querySelector("main")?.append(bar);
  document.addEventListener("click", ({ target }) => {
    if (target === button || (target instanceof Element && target.closest("[data-undo]")))
      undoLast();
  });
  document.addEventListener("input", (event) => {
    // A text was typed; a box that is ticked has no undo of its own.
    if (event instanceof InputEvent) past = [];
  });
  document.addEventListener("keydown", (event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
    if (!isUndo || event.shiftKey || event.altKey || past.length === 0) return;
    event.preventDefault();
    undoLast();
  });
  return (done, undo) => {
    past.push(undo);
    last = undo;
    if (words) words.textContent = `${done}.`;
    if (bar) bar.hidden = false;
    document.documentElement.dataset.canUndo = "";
    announce(`${done}. Press Control Z to undo.`);
    clearTimeout(timer);
    timer = setTimeout(hide, OFFERED_MS);
  };
}

const OFFERED_MS = 4_000;
