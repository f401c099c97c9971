/* What somebody types into a card of the home page goes to the tool's page within the tab. */

const keyOf = (path: string): string => `handed over ${path}`;

/** Takes the place of sending the cards. Until then the home page does not promise what it says then. */
export function handOverCards(): void {
  document.documentElement.dataset.handsOver = "";
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches(".ask")) return;
    event.preventDefault();
    const { pathname } = new URL(form.action);
    const entries = [...new FormData(form)];
    try {
      if (form.querySelector<HTMLInputElement>("input:not([type=hidden])")?.value.trim())
        sessionStorage.setItem(keyOf(pathname), JSON.stringify(entries));
    } catch {
      // The storage is forbidden. What was typed is not sent even then.
    }
    location.assign(pathname);
  });
}

/** The controls of the card that led to this page, once. */
export function takeHandedOver(): URLSearchParams | undefined {
  try {
    const kept = sessionStorage.getItem(keyOf(location.pathname));
    sessionStorage.removeItem(keyOf(location.pathname));
    return kept === null ? undefined : new URLSearchParams(JSON.parse(kept));
  } catch {
    return undefined;
  }
}
