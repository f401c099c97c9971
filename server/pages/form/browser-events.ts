import { getItemName } from "./form-values.ts";

/* A page's browser work besides its form: focus, links, files and scrolling. */

const FORM_CONTROLS = "input:not([type=hidden], [type=file]), select, textarea";

/** Whether the user typed before the page was hydrated. */
export const isEdited = (form: HTMLFormElement): boolean =>
  [...form.querySelectorAll<HTMLInputElement>("input:not([type=file]), textarea")].some(
    ({ type, checked, defaultChecked, value, defaultValue }) =>
      /^(?:checkbox|radio)$/.test(type) ? checked !== defaultChecked : value !== defaultValue,
  );

/** The name of a control of the form. */
export const getControlName = (target: EventTarget | null): string =>
  target instanceof Element && Reflect.get(target, "form") instanceof HTMLFormElement
    ? (target.getAttribute("name") ?? "")
    : "";

/** The control that has the focus, or the intent of the button. */
export const getFocusedName = (): string =>
  document.activeElement instanceof HTMLButtonElement
    ? document.activeElement.value
    : getControlName(document.activeElement);

/** Goes to a control, a row, a field or a button, by its name or by its intent. */
export function focusControl(form: HTMLFormElement, name: string): void {
  const found =
    name === ""
      ? null
      : (document.getElementById(name) ?? form.querySelector(`[value="${CSS.escape(name)}"]`));
  const control = found?.matches(`${FORM_CONTROLS}, button, a`)
    ? found
    : (found?.querySelector(`.field :is(${FORM_CONTROLS})`) ?? found?.querySelector(FORM_CONTROLS));
  if (!(control instanceof HTMLElement)) {
    // The control was removed. Keys must still reach the page.
    if (document.activeElement === document.body) document.getElementById("summary")?.focus();
    return;
  }
  // A rare field may be folded away.
  if (control.offsetParent === null)
    control.closest(".group")?.querySelector("details")?.toggleAttribute("open", true);
  if (
    found instanceof HTMLElement &&
    found.matches(".item") &&
    matchMedia("(pointer: coarse)").matches
  ) {
    // The keyboard on the screen would cover the item.
    found.tabIndex = -1;
    found.focus({ preventScroll: true });
    found.scrollIntoView();
  } else control.focus();
}

/** Keeps the focused control in place when content above it changes. Link targets scroll by themselves. */
export function keepScrollPosition(change: () => void): void {
  const { activeElement } = document;
  // A list grows in its own place.
  const control = activeElement?.closest(".tokens") ?? activeElement;
  const before = control?.getBoundingClientRect().top ?? 0;
  change();
  if (!control?.isConnected || !control.matches("input, select, textarea, button, .tokens")) return;
  const moved = control.getBoundingClientRect().top - before;
  // At the top, the header of the page stays.
  if (moved !== 0 && scrollY > 0) scrollBy(0, moved);
}

/** The control, and the groups around it that the focus leaves for another element. */
export function listLeftFields(control: EventTarget | null, next: EventTarget | null): string[] {
  const name = getControlName(control);
  if (!(control instanceof HTMLElement) || name === "" || name === "do") return [];
  const names = [name];
  for (
    let group = control.parentElement;
    next instanceof Element && group && !group.contains(next);
    group = group.parentElement
  )
    if (group.id !== "") names.push(group.id);
  return names;
}

/**
 * Follows links within the page without writing their hash into its URL, which has the input. A link
 * to a field opens its closed item.
 */
export function handlePageLinks(form: HTMLFormElement, open: (item: string) => void): void {
  document.addEventListener("click", (event) => {
    const link =
      event.target instanceof Element &&
      event.target.closest<HTMLAnchorElement>("a[href]:not([download])");
    const isModified = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (!link || event.button !== 0) return;
    // The link to the form's own input lacks its secrets, so the form is not read from it.
    if (link.id === "share" && !isModified) {
      event.preventDefault();
      history.replaceState({ isOwn: true }, "", link.href);
    }
    const name = link.getAttribute("href")?.match(/^#(.+)/)?.[1];
    const item = document.getElementById(getItemName(name ?? ""));
    const goal = document.getElementById(name ?? "") ?? item;
    if (name === undefined || !goal || isModified) return;
    event.preventDefault();
    if (item?.matches(".closed")) open(item.id);
    const shown = document.getElementById(name) ?? goal;
    shown.scrollIntoView();
    if (form.contains(shown)) focusControl(form, name);
    else {
      if (shown.tabIndex < 0) shown.tabIndex = -1;
      shown.focus({ preventScroll: true });
    }
  });
}

/** Opens files that are dropped anywhere on the page. The style shows where a file lands. */
export function onFileDrop(open: (files: readonly File[]) => void): void {
  const { dataset } = document.documentElement;
  document.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    dataset.dropping = "";
  });
  document.addEventListener("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) delete dataset.dropping;
  });
  document.addEventListener("drop", (event) => {
    delete dataset.dropping;
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    open([...event.dataTransfer.files]);
  });
}

/**
 * Runs once no button is pressed: a message must not move what is about to be clicked. A touch moves
 * the focus after it has ended, and right before its click.
 */
export function afterPointerUp(run: () => void): void {
  const released = new AbortController();
  const release = () => {
    if (!released.signal.aborted) setTimeout(run);
    released.abort();
  };
  if (!isPressed) {
    release();
    return;
  }
  addEventListener("pointerup", release, { signal: released.signal });
  // The list of a `select` swallows the release, and so may a menu.
  setTimeout(release, LONG_PRESS_MS);
}

/** A longer press is not a click. */
const LONG_PRESS_MS = 700;

let isPressed = false;
for (const type of ["pointerdown", "pointerup", "pointercancel"])
  addEventListener(
    type,
    () => {
      isPressed = type === "pointerdown";
    },
    true,
  );
