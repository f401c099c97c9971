/**
 * Follows links within the page without writing their hash into its address. The hash holds the
 * form's input: going back from another one would replace what was typed.
 *
 * @param open opens a closed item of the form, which shows none of its fields.
 */
export function followInPageLinks(open: (item: string) => void): void {
  document.addEventListener("click", (event) => {
    const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href^="#"]');
    const linked = link && document.getElementById(link.getAttribute("href")?.slice(1) ?? "");
    if (!linked) return;
    event.preventDefault();
    if (linked.matches(".closed")) open(linked.id);
    focusLinked(document.getElementById(link.dataset.field ?? linked.id) ?? linked);
  });
}

/** Focuses the control in a linked element of a form, and elsewhere the element itself. */
function focusLinked(linked: HTMLElement): void {
  const goal = linked.closest("form") ? findControl(linked) : linked;
  unfoldField(goal);
  linked.scrollIntoView();
  if (goal === linked && linked.tabIndex < 0) linked.tabIndex = -1;
  goal.focus({ preventScroll: true });
}

/** Shows a rare field that its group folds away. */
function unfoldField(control: HTMLElement): void {
  const fold = control.closest(".group")?.querySelector<HTMLDetailsElement>(".more");
  if (fold && control.offsetParent === null) fold.open = true;
}

const CONTROLS = "input:not([type=hidden]), select, textarea";

const findControl = (field: HTMLElement): HTMLElement =>
  field.matches(CONTROLS) ? field : (field.querySelector<HTMLElement>(CONTROLS) ?? field);
