/* The home page passes the input of a card to the tool's page within the tab. */

const storageKey = (path: string): string => `handed over ${path}`;

/** Prevents the cards' forms from being sent, as the home page promises that input stays in the browser. */
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
        sessionStorage.setItem(storageKey(pathname), JSON.stringify(entries));
    } catch {
      // The storage is forbidden. Even then the page does not send the input.
    }
    location.assign(pathname);
  });
}

/** Returns the controls of the card that the user came from, once. */
export function takeHandedOver(): URLSearchParams | undefined {
  try {
    const kept = sessionStorage.getItem(storageKey(location.pathname));
    sessionStorage.removeItem(storageKey(location.pathname));
    return kept === null ? undefined : new URLSearchParams(JSON.parse(kept));
  } catch {
    return undefined;
  }
}
