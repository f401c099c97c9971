import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as v from "valibot";
import { BetaSignupSchema, REFERRALS } from "../../../schemas/index.ts";
import { attributesOf } from "../../../server/pages/signup/landing.ts";
import { tries } from "../../support/runs.ts";
import { elementsOf } from "../support/expect.ts";
import { runningServer } from "../support/servers.ts";
import { signupPorts } from "../support/signup.ts";

const embedded = runningServer();
const turnstile = runningServer({
  signup: signupPorts({ challenge: { verify: async () => undefined, siteKey: 'key"<1>' } }),
});

const PRIVACY_URL = 'https://site.test/privacy?a="<b>';
const withPrivacy = runningServer({ signup: signupPorts({ privacyUrl: PRIVACY_URL }) });
const withoutNewsletter = runningServer({ signup: signupPorts({ hasNewsletter: false }) });

const formsOf = async (site: typeof embedded, path: string) => {
  const elements = await elementsOf(await site.text(path));
  return elements.filter(({ tag, attributes }) => tag === "form" && "data-signup" in attributes);
};

describe("the signup form", () => {
  test("has a label for every control of the form of the home page", async () => {
    const elements = await elementsOf(await embedded.text("/"));
    const labels = elements.filter(({ tag }) => tag === "label");
    const controls = elements.filter(({ attributes }) =>
      /^(?:hero|footer)-/.test(attributes.id ?? ""),
    );
    const labelled = labels.map(({ attributes }) => attributes.for);
    const inputs = controls.filter(({ tag }) => /^(?:input|select)$/.test(tag));
    expect(inputs).toHaveLength(5);
    for (const { attributes } of inputs) expect(labelled).toContain(attributes.id);
  });

  test("has the bounds of the API", async () => {
    const elements = await elementsOf(await embedded.text("/"));
    const bounds = (id: string) => {
      const { attributes } = elements.find((element) => element.attributes.id === id) ?? {};
      return [attributes?.["data-min-length"], attributes?.["data-max-length"]];
    };
    expect(bounds("hero-email")).toEqual(["0", "254"]);
    expect(bounds("hero-name")).toEqual(["2", "200"]);
    expect(bounds("hero-referral-other")).toEqual(["2", "120"]);
    expect(elements.find(({ attributes }) => attributes.id === "hero-name:problem")?.text).toBe(
      "Enter your name, 2 to 200 characters, without < > or a web address.",
    );
  });

  test("offers every referral, on the home page only", async () => {
    const options = async (path: string) =>
      (await elementsOf(await embedded.text(path)))
        .filter(({ tag }) => tag === "option")
        .map(({ attributes }) => attributes.value);
    expect(await options("/")).toEqual(["", ...REFERRALS]);
    expect(await options("/tools")).toEqual([]);
  });

  test.each(["/", "/tools", "/docs", "/nowhere"])("is once on %s", async (path) => {
    const page = await embedded.fetch(path, { headers: { Accept: "text/html" } });
    const elements = await elementsOf(await page.text());
    const sources = elements.filter(({ attributes }) => attributes.name === "ctaSource");
    expect(sources.map(({ attributes }) => attributes.value)).toEqual(
      path === "/" ? ["hero"] : ["footer"],
    );
  });

  test("puts no address into a URL, whatever becomes of its script", async () => {
    const [form] = await formsOf(embedded, "/tools");
    expect(form?.attributes).toMatchObject({ method: "post", novalidate: "" });
    const elements = await elementsOf(await embedded.text("/tools"));
    const button = elements.find(({ tag, text }) => tag === "button" && text === "Sign up");
    expect(button?.attributes).toHaveProperty("disabled");
  });

  test("names the challenge that the server wants, and the address at which it signs people up", async () => {
    const [own] = await formsOf(embedded, "/tools");
    expect(own?.attributes).toMatchObject({
      "data-challenge": "altcha",
      "data-site": "https://tools.test",
    });
    expect(own?.attributes).not.toHaveProperty("data-site-key");
    const [cloudflare] = await formsOf(turnstile, "/tools");
    expect(cloudflare?.attributes).toMatchObject({
      "data-challenge": "turnstile",
      "data-site-key": 'key"<1>',
    });
  });

  test.each(["/", "/tools"])("links to the privacy policy on %s, if there is one", async (path) => {
    const linksOf = async (site: typeof embedded) =>
      (await elementsOf(await site.text(path))).filter(
        ({ tag, text }) => tag === "a" && /privacy/i.test(text),
      );
    const links = await linksOf(withPrivacy);
    expect(links.map(({ attributes: { href } }) => href)).toEqual([PRIVACY_URL]);
    expect(await linksOf(embedded)).toEqual([]);
  });

  test("tells its script whether a newsletter is configured", async () => {
    const [withOne] = await formsOf(embedded, "/tools");
    expect(withOne?.attributes).toHaveProperty("data-newsletter");
    const [without] = await formsOf(withoutNewsletter, "/tools");
    expect(without?.attributes).not.toHaveProperty("data-newsletter");
  });
});

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
      tries(100),
    );
  });
});
