/** How a hash begins that holds an input: the version of what follows, JSON in base64url. */
const PREFIX = "#v1.";

/** Browsers refuse to be told more than a few times a second. */
const ADDRESS_PAUSE_MS = 500;

/**
 * Calls back with the input in the page's address, in JSON, now and whenever another is opened in
 * the same tab.
 */
export function onSharedInput(form: HTMLFormElement, open: (input: string) => void): void {
  const read = () => {
    // The link to what stands in the form already, secrets that no link has included.
    if (location.hash === shareLink()?.hash) return;
    const input = decode(location.hash);
    if (input !== undefined) open(input);
  };
  addEventListener("hashchange", ({ oldURL }) => {
    const isBack = location.hash === "" && new URL(oldURL).hash.startsWith(PREFIX);
    // The page without an input in its address is the one with the example.
    if (isBack && isKeptInAddress(form)) location.replace(location.pathname);
    else read();
  });
  // The way back from a link leads to this address, which must not be an older one then.
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("a[href]")) showNow();
  });
  read();
}

let later: ReturnType<typeof setTimeout> | undefined;
let showNow = (): void => undefined;

/** Keeps the address of the page in step with its form, so that it can be reloaded or passed on. */
export function showInAddress(form: HTMLFormElement): void {
  const { href } = location;
  clearTimeout(later);
  showNow = () => {
    clearTimeout(later);
    showNow = () => undefined;
    // Another link was opened meanwhile.
    if (location.href !== href) return;
    const link = shareLink();
    const isShown = isKeptInAddress(form) || link?.hash === location.hash;
    history.replaceState(null, "", link && isShown ? link.href : location.pathname);
  };
  later = setTimeout(() => showNow(), ADDRESS_PAUSE_MS);
}

/** A form that is posted may hold what should stand in no history. */
const isKeptInAddress = (form: HTMLFormElement): boolean => form.getAttribute("method") === "get";

/** The link that the server made for the last good input. */
function shareLink(): HTMLAnchorElement | undefined {
  const link = document.getElementById("share");
  return link instanceof HTMLAnchorElement ? link : undefined;
}

function decode(hash: string): string | undefined {
  if (!hash.startsWith(PREFIX)) return undefined;
  const base64 = hash.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/");
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    // A link that was cut on its way: the page says that it cannot be read.
    return base64;
  }
}
