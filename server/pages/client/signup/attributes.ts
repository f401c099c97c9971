/** The part of a signup's `meta` about the address where the visit began. */
export type Attributes = Readonly<Record<string, string>>;

/**
 * Reads attributes from an address, cut to the lengths that the API allows. The promo code is in `promo`
 * or `promo_code`, not in `code`, which is the parameter of OAuth redirects.
 */
export function attributesOf({ pathname, searchParams }: URL): Attributes {
  const first = (...names: readonly string[]) =>
    names.map((name) => searchParams.get(name)?.trim()).find((value) => value);
  const utm = (name: string) => cutText(first(name), MAX_UTM);
  const promoCode = first("promo", "promo_code");
  const attributes = {
    landingPath: cutText(pathname, MAX_PATH) ?? "/",
    utmSource: utm("utm_source"),
    utmMedium: utm("utm_medium"),
    utmCampaign: utm("utm_campaign"),
    utmContent: utm("utm_content"),
    // A truncated code would be a different code.
    promoCode: promoCode && [...promoCode].length <= MAX_PROMO_CODE ? promoCode : undefined,
  };
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
}

/** Counts code points, as the API does. */
const cutText = (text: string | undefined, length: number): string | undefined =>
  text && [...text].slice(0, length).join("");

const MAX_UTM = 64;

const MAX_PROMO_CODE = 16;

const MAX_PATH = 128;
