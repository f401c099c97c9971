/**
 * Follows the links within a page that has a live form without writing them into its address. That
 * is the form's: the way back from another hash would open an older input over what was typed.
 */
export function followInPageLinks(): void {
  document.addEventListener("click", (event) => {
    const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
    const link = target instanceof Element && target.closest('a[href^="#"]');
    const place = link && document.getElementById(link.getAttribute("href")?.slice(1) ?? "");
    if (!place) return;
    event.preventDefault();
    goTo(place);
  });
}

/** Into the control, so that typing can go on; to the place itself outside of a form. */
function goTo(place: HTMLElement): void {
  place.scrollIntoView();
  const goal = place.closest("form") ? controlIn(place) : place;
  if (goal === place && place.tabIndex < 0) place.tabIndex = -1;
  goal.focus({ preventScroll: true });
}

const CONTROLS = "input, select, textarea";

const controlIn = (place: HTMLElement): HTMLElement =>
  place.matches(CONTROLS) ? place : (place.querySelector<HTMLElement>(CONTROLS) ?? place);
