import { attributesOf, type LandingAttributes } from "./signup-attributes.ts";

/** With the name of the site, for all that runs on one `localhost` shares its storage. */
const KEY = "handtools.landing";

/**
 * How this visit began: by the first page that was opened in this tab, whose address the tab keeps
 * until it is closed. No cookie, and nothing is sent but with a signup.
 */
export const landing = (): LandingAttributes => attributesOf(landingUrl());

function landingUrl(): URL {
  const here = new URL(location.href);
  // It may hold an input, and no attribute is read from it.
  here.hash = "";
  try {
    const kept = sessionStorage.getItem(KEY);
    if (kept !== null) return new URL(kept);
    sessionStorage.setItem(KEY, here.href);
  } catch {
    // The browser keeps nothing, or no address, so this page has to pass for the first.
  }
  return here;
}
