import { expect, test } from "bun:test";
import { PRESETS } from "../../server/pages/mail-filter/filter-form.ts";
import { inChromium } from "./support/browser.ts";
import { clipboard, focused } from "./support/in-page.ts";
import {
  COST,
  control,
  eventually,
  isStale,
  MAIL,
  MCP,
  readingError,
  rowButton,
  shownInput,
  status,
  textsOf,
} from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

inChromium("the first step", site.origin, (browser) => {
  test.each([
    { path: COST, name: "zaps[0].runs_per_month", options: {} },
    { path: MCP, name: "name", options: PHONE },
  ])("$path: the first key brings Clear and moves nothing", async ({ path, name, options }) => {
    const page = await browser.open(path, options);
    const place = () =>
      control(page, name).evaluate((field) => field.getBoundingClientRect().top + scrollY);
    const before = await place();
    await control(page, name).fill("7");
    await page.getByRole("button", { name: "Clear" }).waitFor();
    expect(await place()).toBeCloseTo(before, 0);
  });

  test("the clients can be chosen before there is a server", async () => {
    const page = await browser.open(MCP);
    await page.getByRole("radio", { name: "Cursor" }).check();
    await rowButton(page, "preset https://mcp.example.com/mcp").click();
    await page.locator("#client-cursor").waitFor();
    expect(await rowButton(page, "preset https://mcp.example.com/mcp").count()).toBe(0);
  });

  test("the prices stay until a Zap can be counted", async () => {
    const page = await browser.open(COST);
    const from = page.locator("#outcome .price", { hasText: "from" });
    expect(await from.textContent()).toContain("$19.99");
    await control(page, "zaps[0].name").fill("Leads");
    await status(page).getByText("Now enter how many action steps Zap 1 has.").waitFor();
    expect(await from.count()).toBe(1);
    await control(page, "zaps[0].action_steps").fill("2");
    await control(page, "zaps[0].runs_per_month").fill("400");
    await status(page).getByText("800 tasks a month").waitFor();
    expect(await from.count()).toBe(0);
  });

  test("a filter begins with its sender where there is a mouse, among few controls, and an example can be undone", async () => {
    const page = await browser.open(MAIL);
    expect(await focused(page)).toBe("filters[0].from");
    const controls = page.locator(
      "main :is(button, input, textarea, select, summary, a):visible, main label.button",
    );
    expect(await controls.count()).toBeLessThanOrEqual(25);
    await page.locator(".more > summary").first().click();
    await eventually(() => focused(page), "filters[0].subject");
    await page.getByRole("button", { name: "Show this example" }).click();
    await page.locator(".sentence").getByText("from any of 6 senders").waitFor();
    expect(await textsOf(page, "filters[0].from")).toHaveLength(6);
    await rowButton(page, "undo").click();
    await page.getByRole("button", { name: "Show this example" }).waitFor();
    const phone = await browser.open(MAIL, PHONE);
    expect(await focused(phone)).toBe("");
  });

  test("pasted senders have their sentence and search before an action is chosen", async () => {
    const page = await browser.open(MAIL, clipboard.permitted);
    await clipboard.write(page, ["a", "b", "c", "d"].map((name) => `${name}@x.example`).join(", "));
    await control(page, "filters[0].from").press("ControlOrMeta+V");
    const answer = page.locator("#outcome .answer");
    await answer.getByText("Mail from any of 4 senders …").waitFor();
    expect(await page.getByText("Show this example").count()).toBe(0);
    expect(
      await answer.getByRole("link", { name: "Open in Gmail" }).getAttribute("href"),
    ).toContain("#search/from%3A(a%40x.example%20OR");
    await control(page, "filters[0].label").fill("Later");
    await answer.locator(".sentence", { hasText: "Later" }).waitFor();
    await control(page, "filters[0].label").fill("/");
    await eventually(() => isStale(page), true);
    expect(await answer.locator(".sentence").textContent()).toContain("Later");
  });

  test("a word beside many senders narrows them, and one press removes it", async () => {
    const page = await browser.open(MAIL);
    await page.getByRole("button", { name: "Show this example" }).click();
    await page.locator(".sentence").waitFor();
    const words = control(page, "filters[0].has_words");
    await page.getByText("Words", { exact: true }).click();
    await words.fill("unsubscribe");
    await words.press("Enter");
    await page.getByText("mail from these 6 without this word").waitFor();
    await page.getByRole("button", { name: "Remove the word" }).click();
    await eventually(() => textsOf(page, "filters[0].has_words"), []);
  });

  test("presets are added, each as a filter that Undo takes away", async () => {
    const page = await browser.open(MAIL);
    for (const [index, [title]] of [...PRESETS].entries()) {
      await page.getByRole("button", { name: title, exact: true }).click();
      await page.getByText("Added.", { exact: true }).waitFor();
      const filters = [...PRESETS]
        .slice(0, index + 1)
        .map(([name, filter]) => ({ name, ...filter }));
      await eventually(() => shownInput(page), { filters });
    }
    await rowButton(page, "undo").click();
    await eventually(async () => Object(await shownInput(page)).filters.length, 3);
  });
});

const README =
  '# Docs\n\n```json\n{ "mcpServers": { "docs": { "command": "bunx", "args": ["docs"], "env": { "TOKEN": "<YOUR_TOKEN>" } } } }\n```\n';

inChromium("a text that is pasted", site.origin, (browser) => {
  const open = async (path: string, text: string) => {
    const page = await browser.open(path, clipboard.permitted);
    await clipboard.write(page, text);
    return page;
  };

  test("into the box is read, and comes back out by Undo", async () => {
    const page = await open(MCP, README);
    const box = page.getByLabel("A command, a config or a README");
    await box.press("ControlOrMeta+V");
    await eventually(() => control(page, "command").inputValue(), "bunx");
    expect(await box.inputValue()).toBe("");
    await page.keyboard.press("ControlOrMeta+Z");
    await eventually(() => control(page, "command").inputValue(), "");
  });

  test("of an SSE server stays one, until the user chooses otherwise", async () => {
    const page = await browser.open(MCP);
    const box = page.locator("#paste");
    await box.fill("claude mcp add -t sse ev https://x.test/events");
    await page.keyboard.press("Tab");
    const isSse = () => page.locator("[name=transport][value=sse]").isChecked();
    await eventually(isSse, true);
    await page.getByRole("radio", { name: "Claude Code" }).check();
    const file = page.locator("#claude-code-file");
    const isWritten = async (text: string) =>
      eventually(async () => (await file.textContent())?.includes(text), true);
    await isWritten('"type": "sse"');
    expect(await page.locator(".bar .notice").textContent()).toContain("The server uses SSE");
    expect(await page.locator("#share, #api-call").count()).toBe(0);
    await page.reload();
    await eventually(isSse, true);
    await isWritten('"type": "sse"');
    await page.getByRole("radio", { name: "Streamable HTTP" }).check();
    await isWritten('"type": "http"');
  });

  test("is another server: the first one stays, and its config too", async () => {
    const page = await open(MCP, "npx -y @acme/notes");
    const box = page.locator("#paste");
    await box.press("ControlOrMeta+V");
    await eventually(() => control(page, "name").inputValue(), "notes");
    await clipboard.write(page, "https://mcp.example.com/mcp");
    await box.press("ControlOrMeta+V");
    await status(page).getByText("2 servers, all in one file.").waitFor();
    expect(await page.locator("#claude-desktop-file").textContent()).toContain("@acme/notes");
    await box.pressSequentially("uvx typed-server");
    await page.keyboard.press("Enter");
    await status(page).getByText("3 servers, all in one file.").waitFor();
    expect(await box.inputValue()).toBe("");
    await box.pressSequentially("x");
    await page.keyboard.press("ControlOrMeta+Z");
    await eventually(() => box.inputValue(), "");
    expect(await page.locator(".items > li").count()).toBe(3);
    await box.pressSequentially(" --verbose");
    await page.getByText("Press Enter to read it.").waitFor();
    await page.keyboard.press("Enter");
    await readingError(page).getByText("Nothing was changed.").waitFor();
    expect(await page.locator(".items > li").count()).toBe(3);
  });

  test("or typed there is read when the box is left", async () => {
    const page = await browser.open(MCP);
    await page.locator("#paste").fill("uvx typed-server");
    await page.keyboard.press("Tab");
    await eventually(() => control(page, "command").inputValue(), "uvx");
  });

  test("or prose there is no server: Enter says what can be pasted, and the words stay", async () => {
    const page = await browser.open(MCP);
    const before = await shownInput(page);
    const box = page.locator("#paste");
    await box.fill("please add the weather server");
    await box.press("Enter");
    await page.locator("#reading").getByText("No MCP server found.").waitFor();
    expect(await box.inputValue()).toBe("please add the weather server");
    expect(await shownInput(page)).toEqual(before);
  });

  test.each([
    [MCP, README, "command", "bunx"],
    [
      MAIL,
      '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:apps="http://schemas.google.com/apps/2006"><entry><apps:property name="from" value="read@x.example"/><apps:property name="label" value="Read"/></entry></feed>',
      "filters[0].label",
      "Read",
    ],
    [COST, "Leads;2;1.000\nMail;1;40", "zaps[0].name", "Leads"],
  ])("outside of the fields is read on %s", async (path, text, name, value) => {
    const page = await open(path, text);
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("ControlOrMeta+V");
    await eventually(() => control(page, name).inputValue(), value);
  });

  test("outside of the fields that cannot be read changes nothing", async () => {
    const page = await open(MAIL, "a shopping list");
    const before = await shownInput(page);
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("ControlOrMeta+V");
    await readingError(page).getByText("Nothing was changed.").waitFor();
    expect(await shownInput(page)).toEqual(before);
    expect(await isStale(page)).toBe(false);
  });

  test("with a placeholder says what to replace, which is not copied", async () => {
    const page = await open(MCP, README);
    await page.locator("#paste").press("ControlOrMeta+V");
    const mark = page.locator("#claude-desktop-file mark");
    await mark.waitFor();
    expect(
      await mark.evaluate((element) => getComputedStyle(element, "::after").content),
    ).toContain("replace this");
    await page.locator("#client-claude-desktop .file .copy").click();
    await eventually(
      async () => JSON.parse(await clipboard.read(page)).mcpServers?.docs.env.TOKEN,
      "<YOUR_TOKEN>",
    );
    expect(await rowButton(page, "remove env[0]").count()).toBe(1);
  });
});
