/**
 * The part of a signup's `meta` about the address where the visit began. It is kept in the tab's session
 * storage and sent only with a signup; there is no cookie.
 */
export const readAttribution = (): Attributes => readAttributes(rememberLandingUrl());

/** The first address of this visit. Every page with a signup reads it, since it may be the first one. */
export function rememberLandingUrl(): URL {
  // The rest of an address may hold an input, with secrets.
  const query = [...new URLSearchParams(location.search)].filter(([name]) =>
    [...Object.values(UTM_PARAMETERS), ...PROMO_PARAMETERS].includes(name),
  );
  const landing = new URL(`${location.pathname}?${new URLSearchParams(query)}`, location.origin);
  try {
    const kept = sessionStorage.getItem(STORAGE_KEY);
    if (kept !== null) return new URL(kept);
    sessionStorage.setItem(STORAGE_KEY, landing.href);
  } catch {
    // Storage is off, or holds no address: this page counts as the first.
  }
  return landing;
}

/** Prefixed with the site's name, because all sites on one `localhost` share storage. */
const STORAGE_KEY = "handtools.landing";

/** The parameters of an address, by the attributes that they give. */
const UTM_PARAMETERS = {
  utmSource: "utm_source",
  utmMedium: "utm_medium",
  utmCampaign: "utm_campaign",
  utmContent: "utm_content",
};

/** Not `code`, which is the parameter of OAuth redirects. */
const PROMO_PARAMETERS = ["promo", "promo_code"];

type Attributes = Readonly<Record<string, string>>;

/** Reads attributes from an address, cut to the lengths that the API allows. */
export function readAttributes({ pathname, searchParams }: URL): Attributes {
  const first = (...names: readonly string[]) =>
    names.map((name) => searchParams.get(name)?.trim()).find((value) => value) ?? "";
  const promoCode = first(...PROMO_PARAMETERS);
  const attributes = {
    landingPath: cutText(pathname, 128),
    ...Object.fromEntries(
      Object.entries(UTM_PARAMETERS).map(([name, parameter]) => [
        name,
        cutText(first(parameter), 64),
      ]),
    ),
    // A truncated code would be a different code.
    promoCode: [...promoCode].length <= 16 ? promoCode : "",
  };
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ""));
}

/** Counts code points, as the API does. */
const cutText = (text: string, length: number): string => [...text].slice(0, length).join("");
