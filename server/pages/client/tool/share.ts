import { HASH_PREFIX } from "../../tool/workbench.ts";
import { forgetDraft } from "./draft.ts";

/**
 * Calls back with the input in the page's address, as JSON, now and whenever the address gets
 * another one. `isOwn` tells whether this tab wrote the address, as before a reload.
 */
export function onSharedInput(
  form: HTMLFormElement,
  open: (input: string, isOwn: boolean) => void,
): void {
  const read = () => {
    // The address has the form's input already. To open it would lose the secrets, which no link has.
    if (location.hash === shareLink()?.hash) return;
    const input = decode(location.hash);
    if (input !== undefined) open(input, isOwnAddress(history.state));
  };
  window.addEventListener("hashchange", ({ oldURL }) => {
    const isBack = location.hash === "" && new URL(oldURL).hash.startsWith(HASH_PREFIX);
    // Without an input in its address, the page shows the example.
    if (isBack && isKeptInAddress(form)) {
      forgetDraft(location);
      location.replace(location.pathname);
    } else read();
  });
  // The Back button returns to this address, so it must be current when a link is followed.
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("a[href]")) showNow();
  });
  read();
}

function decode(hash: string): string | undefined {
  if (!hash.startsWith(HASH_PREFIX)) return undefined;
  const base64 = hash.slice(HASH_PREFIX.length).replaceAll("-", "+").replaceAll("_", "/");
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    // A truncated link: the page says that it is unreadable.
    return base64;
  }
}

/** Updates the page's address to the form's input, so that it can be reloaded or shared. */
export function showInAddress(form: HTMLFormElement): void {
  const { href } = location;
  clearTimeout(later);
  showNow = () => {
    clearTimeout(later);
    showNow = () => undefined;
    // Another link was opened in the meantime.
    if (location.href !== href) return;
    const link = shareLink();
    const isShown = isKeptInAddress(form) || link?.hash === location.hash;
    history.replaceState({ isOwn: true }, "", link && isShown ? link.href : location.pathname);
  };
  later = setTimeout(() => showNow(), ADDRESS_PAUSE_MS);
}

let later: ReturnType<typeof setTimeout> | undefined;

let showNow = (): void => undefined;

/** Browsers limit how often a page may change its address. */
const ADDRESS_PAUSE_MS = 500;

const isOwnAddress = (state: unknown): boolean =>
  typeof state === "object" && state !== null && "isOwn" in state;

/** A posted form may hold secrets, which must stay out of the history. */
const isKeptInAddress = (form: HTMLFormElement): boolean => form.getAttribute("method") === "get";

/** The link to the last valid input. */
function shareLink(): HTMLAnchorElement | undefined {
  const link = document.getElementById("share");
  return link instanceof HTMLAnchorElement ? link : undefined;
}
