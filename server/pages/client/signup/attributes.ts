/** The part of a signup's `meta` about the address where the visit began. */
export interface LandingAttributes {
  readonly landingPath: string;
  readonly utmSource?: string;
  readonly utmMedium?: string;
  readonly utmCampaign?: string;
  readonly utmContent?: string;
  readonly promoCode?: string;
}

/**
 * Reads them from an address, cut to the lengths that the API allows. The promo code is in `promo`
 * or `promo_code`, not in `code`, which is the parameter of OAuth redirects.
 */
export function attributesOf({ pathname, searchParams }: URL): LandingAttributes {
  const first = (...names: readonly string[]) =>
    names.map((name) => searchParams.get(name)?.trim()).find((value) => value);
  const utm = (name: string) => cutText(first(name), MAX_UTM);
  const promoCode = first("promo", "promo_code");
  const attributes = {
    utmSource: utm("utm_source"),
    utmMedium: utm("utm_medium"),
    utmCampaign: utm("utm_campaign"),
    utmContent: utm("utm_content"),
    // A truncated code would be a different code.
    promoCode: promoCode && [...promoCode].length <= MAX_PROMO_CODE ? promoCode : undefined,
  };
  const known = Object.entries(attributes).filter(([, value]) => value);
  return { landingPath: cutText(pathname, MAX_PATH) ?? "/", ...Object.fromEntries(known) };
}

/** Counts code points, as the API does. */
const cutText = (text: string | undefined, length: number): string | undefined =>
  text && [...text].slice(0, length).join("");

const MAX_UTM = 64;

const MAX_PROMO_CODE = 16;

const MAX_PATH = 128;
