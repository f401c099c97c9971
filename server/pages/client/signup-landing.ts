import { attributesOf, type LandingAttributes } from "./signup-attributes.ts";

const KEY = "landing";

/**
 * How this visit began: by the first page that was opened in this tab, whose attributes the tab
 * keeps until it is closed. No cookie, and nothing is sent but with a signup.
 */
export function landing(): LandingAttributes {
  const here = attributesOf(new URL(location.href));
  try {
    const kept = sessionStorage.getItem(KEY);
    if (kept !== null) return JSON.parse(kept);
    sessionStorage.setItem(KEY, JSON.stringify(here));
    return here;
  } catch {
    // The browser keeps nothing, so this page has to pass for the first.
    return here;
  }
}
