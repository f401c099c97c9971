import { expect, test } from "bun:test";
import { inChromium } from "./support/browser.ts";
import {
  COST,
  control,
  eventually,
  isStale,
  rowButton,
  shownInput,
  status,
} from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

const NAME = "zaps[0].name";

inChromium("when the server is gone", site.origin, (browser) => {
  test("the page says so, keeps what is typed, and goes on when it is back", async () => {
    browser.expectComplaint(/ERR_INTERNET_DISCONNECTED/);
    const page = await browser.openAlone(COST);
    const example = await shownInput(page);
    await page.context().setOffline(true);
    await control(page, NAME).fill("typed offline");
    await status(page).getByText("cannot be reached").waitFor();
    expect(await control(page, NAME).inputValue()).toBe("typed offline");
    expect(await page.locator("#live").textContent()).toContain("cannot be reached");
    expect(await shownInput(page)).toEqual(example);
    expect(await isStale(page)).toBe(true);
    await eventually(
      async () => (await page.locator("#announcer").textContent())?.includes("cannot be reached"),
      true,
    );

    await page.context().setOffline(false);
    await control(page, NAME).press("Enter");
    await eventually(async () => JSON.stringify(await shownInput(page)).includes("offline"), true);
    expect(await isStale(page)).toBe(false);
    expect(await status(page).textContent()).not.toContain("cannot be reached");
  });

  test("a button for rows changes nothing, and works when it is back", async () => {
    browser.expectComplaint(/ERR_INTERNET_DISCONNECTED/);
    const page = await browser.openAlone(COST);
    await page.context().setOffline(true);
    await rowButton(page, "add zaps").click();
    await status(page).getByText("cannot be reached").waitFor();
    expect(await control(page, NAME).inputValue()).not.toBe("");
    await page.context().setOffline(false);
    await rowButton(page, "remove zaps[1]").click();
    await eventually(() => control(page, "zaps[1].name").count(), 0);
  });

  test.each([
    { what: "a proxy's page", status: 502, body: "<h1>Bad gateway</h1>" },
    { what: "an error of the API", status: 500, body: '{"error":{"code":"internal_error"}}' },
    { what: "nothing", status: 431, body: "" },
    { what: "a limit of a proxy", status: 413, body: "", words: "is too much for the server" },
  ])("$what is not taken for an answer", async ({ status: code, body, words = "was refused" }) => {
    browser.expectComplaint(new RegExp(`status of ${code}`));
    const page = await browser.open(COST);
    const contentType = body.startsWith("{") ? "application/json" : "text/html";
    await page.route(
      (url) => url.pathname === COST,
      (route) => route.fulfill({ status: code, body, contentType }),
    );
    await control(page, NAME).fill("typed");
    await status(page)
      .getByText(words)
      .filter({ hasText: `(${code})` })
      .waitFor();
    expect(await control(page, NAME).inputValue()).toBe("typed");
    expect(await isStale(page)).toBe(true);
  });
});
