import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as v from "valibot";
import { BetaSignupSchema } from "../../../schemas/index.ts";
import { attributesOf } from "../../../server/pages/client/signup/attributes.ts";

const read = (pathAndQuery: string) => attributesOf(new URL(pathAndQuery, "https://tools.test"));

describe("attributesOf() of a landing address", () => {
  test.each([
    ["/", { landingPath: "/" }],
    ["/docs?x=1#y", { landingPath: "/docs" }],
    ["/?utm_source=feed&utm_term=no", { landingPath: "/", utmSource: "feed" }],
    ["/?utm_source=&utm_medium=%20", { landingPath: "/" }],
    ["/?utm_campaign=%20spring%20", { landingPath: "/", utmCampaign: "spring" }],
    ["/?utm_content=first&utm_content=second", { landingPath: "/", utmContent: "first" }],
    ["/?promo=A1&promo_code=B2", { landingPath: "/", promoCode: "A1" }],
    ["/?promo=&promo_code=B2", { landingPath: "/", promoCode: "B2" }],
    ["/?code=oauth", { landingPath: "/" }],
    [`/?promo=${"x".repeat(16)}`, { landingPath: "/", promoCode: "x".repeat(16) }],
    [`/?promo=${"x".repeat(17)}`, { landingPath: "/" }],
    [`/?utm_source=${"😀".repeat(65)}`, { landingPath: "/", utmSource: "😀".repeat(64) }],
    [`/${"p".repeat(200)}`, { landingPath: `/${"p".repeat(127)}` }],
  ])("%s", (address, attributes) => {
    expect(read(address)).toEqual(attributes);
  });

  test("gives what the API takes, whatever the address", () => {
    const names = [
      "utm_source",
      "utm_medium",
      "utm_campaign",
      "utm_content",
      "promo",
      "promo_code",
    ];
    const text = fc.string({ unit: "binary", maxLength: 300, size: "max" });
    const queries = fc.array(fc.tuple(fc.constantFrom(...names), text), { maxLength: 8 });
    fc.assert(
      fc.property(text, queries, (path, query) => {
        const url = new URL("https://tools.test");
        url.pathname = path;
        url.search = new URLSearchParams(query).toString();
        const signup = { email: "a@site.test", name: "Ada", ctaSource: "hero" };
        const meta = attributesOf(url);
        expect(v.safeParse(BetaSignupSchema, { ...signup, meta }).issues).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });
});
