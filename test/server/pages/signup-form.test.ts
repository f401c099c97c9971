import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as v from "valibot";
import { BetaSignupSchema, REFERRALS } from "../../../schemas/index.ts";
import { readAttributes } from "../../../server/pages/signup/attribution.ts";
import { suggestAddress } from "../../../server/pages/signup/suggest-address.ts";
import { tries } from "../../support/runs.ts";
import { elementsOf } from "../support/expect.ts";
import { runningServer } from "../support/servers.ts";
import { newsletterThat, signupPorts } from "../support/signup.ts";

const embedded = runningServer();
const turnstile = runningServer({
  signup: signupPorts({ challenge: { verify: async () => undefined, siteKey: 'key"<1>' } }),
});

const PRIVACY_URL = 'https://site.test/privacy?a="<b>';
const withPrivacy = runningServer({ signup: signupPorts({ privacyUrl: PRIVACY_URL }) });

const TOOL = "/tools/mail-filter-generator";

const placesOf = async (site: typeof embedded, path: string) => {
  const page = await site.fetch(path, { headers: { Accept: "text/html" } });
  const elements = await elementsOf(await page.text());
  return elements.filter(({ attributes }) => attributes.id === "signup");
};

const settingsOf = async (site: typeof embedded, path = "/") => {
  const [place] = await placesOf(site, path);
  return JSON.parse(place?.attributes["data-settings"] ?? "null");
};

describe("the signup form", () => {
  test("has a label for every input, and says which are required", async () => {
    const elements = await elementsOf(await embedded.text("/"));
    const labelled = elements.flatMap(({ attributes }) => attributes.for ?? []);
    const inputs = elements.filter(
      ({ tag, attributes }) => tag === "input" && attributes.id?.startsWith("signup-"),
    );
    expect(inputs).toHaveLength(4);
    for (const { attributes } of inputs) expect(labelled).toContain(attributes.id ?? "");
    const required = inputs.filter(({ attributes }) => attributes.required !== undefined);
    expect(required.map(({ attributes }) => attributes.name)).toEqual(["email", "name"]);
  });

  test("offers every referral, on the home page only", async () => {
    const options = async (path: string) =>
      (await elementsOf(await embedded.text(path)))
        .filter(({ tag }) => tag === "option")
        .map(({ attributes }) => attributes.value);
    expect(await options("/")).toEqual(["", ...REFERRALS]);
    expect(await options("/docs")).toEqual([]);
  });

  test.each([
    ["/", 1, "#signup-email"],
    [TOOL, 0, "/?cta=footer#signup-email"],
    ["/docs", 0, "/?cta=footer#signup-email"],
    ["/nowhere", 0, "/?cta=footer#signup-email"],
  ])("on %s is there %i times, and the footer leads to %s", async (path, count, href) => {
    expect(await placesOf(embedded, path)).toHaveLength(count);
    const page = await embedded.fetch(path, { headers: { Accept: "text/html" } });
    const links = (await elementsOf(await page.text())).filter(
      ({ text }) => text === "New tools by mail",
    );
    expect(links.find(({ tag }) => tag === "a")?.attributes.href).toBe(href);
  });

  test("puts no address into a URL, whatever becomes of its script", async () => {
    const elements = await elementsOf(await embedded.text("/"));
    const form = elements.find(
      ({ attributes }) => attributes["aria-labelledby"] === "signup-title" && attributes.method,
    );
    expect(form?.attributes).toMatchObject({ method: "post", novalidate: "" });
    const button = elements.find(({ tag, text }) => tag === "button" && text === "Sign up");
    expect(button?.attributes).not.toHaveProperty("disabled");
  });

  test("tells its script the challenge, and the URL where it signs people up", async () => {
    expect(await settingsOf(embedded)).toEqual({ site: "https://tools.test" });
    expect(await settingsOf(turnstile)).toMatchObject({ siteKey: 'key"<1>' });
  });

  test.each([
    ["no newsletter", undefined, false],
    ["a list with double opt-in", newsletterThat({ asksToConfirm: () => true }), true],
    ["a list with single opt-in", newsletterThat({ asksToConfirm: () => false }), false],
    ["a list that was not read", newsletterThat(), undefined],
  ])("says whether a message to confirm follows: %s", async (_, newsletter, asksToConfirm) => {
    const site = runningServer({ signup: signupPorts({ newsletter }) });
    expect((await settingsOf(site)).asksToConfirm).toBe(asksToConfirm);
    expect((await site.text("/")).includes("to confirm your address follows")).toBe(
      asksToConfirm === true,
    );
  });

  test("says so as soon as the list was read", async () => {
    const known: boolean[] = [];
    const newsletter = newsletterThat({ asksToConfirm: () => known[0] });
    const site = runningServer({ signup: signupPorts({ newsletter }) });
    expect((await settingsOf(site)).asksToConfirm).toBeUndefined();
    known.push(true);
    expect((await settingsOf(site)).asksToConfirm).toBe(true);
  });

  test("links to the privacy policy, if there is one", async () => {
    const linksOf = async (site: typeof embedded) =>
      (await elementsOf(await site.text("/"))).filter(
        ({ tag, text }) => tag === "a" && text === "Privacy policy",
      );
    const links = await linksOf(withPrivacy);
    expect(links.map(({ attributes: { href } }) => href)).toEqual([PRIVACY_URL]);
    expect(await linksOf(embedded)).toEqual([]);
  });
});

describe("suggestAddress()", () => {
  test.each([
    ["robin@gmial.com", "robin@gmail.com"],
    ["Robin@gmai.com", "Robin@gmail.com"],
    ["robin@gmail.co", "robin@gmail.com"],
    [" robin@GNAIL.com ", "robin@gmail.com"],
    ["a@outlok.com", "a@outlook.com"],
    ["robin@gmail.com", undefined],
    ["robin@mail.com", undefined],
    ["robin@gmail.example", undefined],
    ["robin@yahoo.co.uk", undefined],
    ["a@b@gmial.com", undefined],
    ["", undefined],
  ])("%p: %p", (typed, meant) => {
    expect(suggestAddress(typed)).toBe(meant);
  });
});

const read = (pathAndQuery: string) => readAttributes(new URL(pathAndQuery, "https://tools.test"));

describe("readAttributes() of a landing address", () => {
  test.each([
    ["/", { landingPath: "/" }],
    ["/docs?x=1#y", { landingPath: "/docs" }],
    ["/?utm_source=feed&utm_term=no", { landingPath: "/", utmSource: "feed" }],
    ["/?utm_campaign=%20spring%20", { landingPath: "/", utmCampaign: "spring" }],
    ["/?promo=A1&promo_code=B2", { landingPath: "/", promoCode: "A1" }],
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
        const meta = readAttributes(url);
        expect(v.safeParse(BetaSignupSchema, { ...signup, meta }).issues).toBeUndefined();
      }),
      tries(100),
    );
  });
});
