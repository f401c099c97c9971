import { type Attributes, attributesOf } from "./attributes.ts";

/**
 * The attributes of this visit. Its first address is kept in the tab's session storage and sent only
 * with a signup; there is no cookie.
 */
export const landingAttributes = (): Attributes => attributesOf(landingUrl());

function landingUrl(): URL {
  const here = new URL(location.href);
  // The hash may hold an input, and no attribute comes from it.
  here.hash = "";
  try {
    const kept = sessionStorage.getItem(KEY);
    if (kept !== null) return new URL(kept);
    sessionStorage.setItem(KEY, here.href);
  } catch {
    // Storage is off, or holds no address: this page counts as the first.
  }
  return here;
}

/** Prefixed with the site's name, because all sites on one `localhost` share storage. */
const KEY = "handtools.landing";
