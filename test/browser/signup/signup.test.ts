import { beforeEach, expect, test } from "bun:test";
import { AxeBuilder } from "@axe-core/playwright";
import { inChromium } from "../support/browser.ts";
import { focused, tabTo } from "../support/in-page.ts";
import { eventually } from "../support/page.ts";
import { postedBy, SIGNUP, signupIn, signupSite } from "../support/site.ts";

const site = signupSite();
beforeEach(() => {
  site.run("DELETE FROM signups");
});

inChromium("the signup form", site.origin, (browser) => {
  test("signs up by keyboard alone", async () => {
    const page = await browser.open("/");
    const { thanks } = signupIn(page);
    await tabTo(page, "#signup-email");
    await page.keyboard.type(" Ada@Site.test");
    await tabTo(page, "#signup-name");
    await page.keyboard.type("Ada Lovelace");
    await tabTo(page, "#signup-referral");
    await page.keyboard.type("Hacker");
    await tabTo(page, ".signup [type=submit]");
    await page.keyboard.press("Enter");
    await thanks.waitFor();
    // No newsletter is configured, so no mail follows.
    expect(await thanks.textContent()).toBe(
      "Thank you, Ada Lovelace. You are on the list: Ada@Site.test. There is nothing to confirm: we write when there is a new tool.",
    );
    expect(await thanks.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(site.rows()).toEqual([
      { email: "ada@site.test", cta_source: "hero", referral: "hackernews", referral_other: null },
    ]);
  });

  test("asks what another referral was, and only then", async () => {
    const page = await browser.open("/");
    const { field, send, thanks } = signupIn(page);
    const other = field("referralOther");
    expect(await other.isVisible()).toBe(false);
    await field("referral").focus();
    await field("referral").selectOption("other");
    await other.fill("a");
    await send();
    await eventually(() => focused(page), "signup-referralOther");
    await other.fill("a fair");
    await send();
    await thanks.waitFor();
    expect(site.rows()).toMatchObject([{ referral: "other", referral_other: "a fair" }]);
  });

  test("asks about an address only once the rest is right, and not while it is corrected", async () => {
    const page = await browser.open("/");
    const { field, send, signup, thanks } = signupIn(page);
    const question = signup.getByText("Did you mean");
    await send("ada@gmial.com", "");
    await signup.getByText("Enter your name.").waitFor();
    expect(await question.count()).toBe(0);
    await send("ada@gmial.com");
    await question.waitFor();
    await field("email").fill("ada@gmail.com");
    await eventually(() => question.count(), 0);
    await field("email").press("Enter");
    await thanks.waitFor();
  });

  test("is where the footer of a tool leads, and a newsletter is stored as such", async () => {
    const page = await browser.open("/tools/mail-filter-generator");
    await page.getByRole("link", { name: "New tools by mail" }).click();
    await eventually(() => focused(page), "signup-email");
    const { send, thanks } = signupIn(page);
    await send();
    await thanks.waitFor();
    expect(site.rows()).toEqual([
      {
        email: "ada@site.test",
        cta_source: "footer",
        referral: "other",
        referral_other: "newsletter",
      },
    ]);
  });

  test.each([
    ["a domain without a dot", "ada@site", "Ada", ["email"]],
    ["a name with a web address", "ada@site.test", "Ada ｗｗｗ.evil.test", ["name"]],
    ["nothing at all", "", "", ["email", "name"]],
  ])("says what is wrong with %s", async (_, email, name, wrong) => {
    const page = await browser.open("/");
    const posted = postedBy(page);
    const { field, send, signup } = signupIn(page);
    await send(email, name);
    await eventually(() => focused(page), `signup-${wrong[0]}`);
    const invalid = signup.locator("[aria-invalid=true]");
    expect(await invalid.evaluateAll((all) => all.map((one) => one.getAttribute("name")))).toEqual(
      wrong,
    );
    for (const name of wrong) {
      const id = await field(name).getAttribute("aria-describedby");
      expect(await page.locator(`[id="${id}"]`).isVisible()).toBe(true);
    }
    expect(await signup.locator(".bad:visible").count()).toBe(wrong.length);
    expect(posted).toEqual([]);

    await field("email").fill("ada@site.test");
    await field("name").fill("Ada");
    expect(await signup.locator(".bad:visible").count()).toBe(0);
  });

  test("thanks who fills in the honeypot, and stores nothing", async () => {
    const page = await browser.open("/");
    const { field, send, thanks } = signupIn(page);
    const honeypot = field("website");
    expect(await honeypot.locator("..").boundingBox()).toMatchObject({ width: 1, height: 1 });
    await honeypot.evaluate((input: HTMLInputElement) => {
      input.value = "https://spam.test";
    });
    await send();
    await thanks.waitFor();
    expect(site.rows()).toEqual([]);
  });

  test("solves a puzzle unseen for who begins to sign up, and is sent once, however often it is asked to", async () => {
    const page = await browser.open("/");
    const posted = postedBy(page);
    const { field, signup, solve, thanks } = signupIn(page);
    const loaded = () =>
      page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    await signup.scrollIntoViewIfNeeded();
    expect((await loaded()).filter((name) => /challenge|pbkdf2/.test(name))).toEqual([]);
    await solve();
    expect(await signup.getByRole("checkbox").count()).toBe(0);
    // An international address is taken for no other.
    await field("email").fill("info@Müller.example");
    await field("name").fill("Ada");
    await signup.locator("form").evaluate((form: HTMLFormElement) => {
      for (let times = 0; times < 5; times++) form.requestSubmit();
    });
    await thanks.waitFor();
    expect((await loaded()).filter((name) => name.endsWith("/challenge"))).toHaveLength(1);
    expect(posted).toHaveLength(1);
    expect(site.rows()).toMatchObject([{ email: "info@xn--mller-kva.example" }]);
  });

  test.each([
    ["Yes", "ada@gmail.com"],
    ["No, keep it", "ada@gmial.com"],
  ])("asks whether a typing error was meant: %s", async (answer, stored) => {
    const page = await browser.open("/");
    const { send, signup, thanks } = signupIn(page);
    await send("ada@gmial.com");
    await eventually(() => focused(page), "signup-suggestion");
    expect(await page.locator("#announcer").textContent()).toBe("Did you mean ada@gmail.com?");
    // The answer goes on with the signup.
    await signup.getByRole("button", { name: answer }).click();
    await thanks.waitFor();
    expect(site.rows()).toMatchObject([{ email: stored }]);
  });

  test("answers a press that comes before its script", async () => {
    const page = await browser.open("/");
    const posted = postedBy(page);
    const { button, signup } = signupIn(page);
    const loading = Promise.withResolvers<void>();
    await page.route("**/*.js", async (route) => {
      await loading.promise;
      await route.continue();
    });
    await button.click();
    expect(await signup.locator(".bad").count()).toBe(0);
    loading.resolve();
    await eventually(() => focused(page), "signup-email");
    await signup.getByText("Enter your e-mail address").waitFor();
    await signup.getByText("Enter your name.").waitFor();
    expect(posted).toEqual([]);
    expect(new URL(page.url()).search).toBe("");
  });

  test("says what is under way", async () => {
    const page = await browser.open("/");
    const { button, field, send, status, thanks } = signupIn(page);
    await field("referral").focus();
    await field("referral").selectOption("other");
    await page.route(`**${SIGNUP}`, async (route) => {
      expect(await button.getAttribute("aria-disabled")).toBe("true");
      expect(await status.textContent()).toBe("Signing you up…");
      await route.continue();
    });
    await send();
    await thanks.waitFor();
    // Another referral needs no words, and none is then recorded.
    expect(site.rows()).toMatchObject([{ referral: null, referral_other: null }]);
  });

  test("has no flaw that axe finds, in the light and in the dark", async () => {
    const page = await browser.open("/", { reducedMotion: "reduce" });
    const { button, field, signup } = signupIn(page);
    await field("referral").focus();
    await field("referral").selectOption("other");
    await button.click();
    await signup.locator(".bad").first().waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await new AxeBuilder({ page }).include(".signup").analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    }
  });

  test("is not there without JavaScript, and says so", async () => {
    const page = await browser.open("/", { javaScriptEnabled: false });
    const { field, signup } = signupIn(page);
    expect(await field("email").isVisible()).toBe(false);
    const reason = (of: typeof signup) => of.getByText("turn on JavaScript").isVisible();
    expect(await reason(signup)).toBe(true);
    const scripted = await browser.open("/");
    expect(await reason(signupIn(scripted).signup)).toBe(false);
  });
});
