import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { KNOWN_FILTERS, madeMails } from "../support/mailbox.ts";
import { inChromium } from "./support/browser.ts";
import { control, eventually, MAIL, shareHash, status, textsOf } from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();
const folder = mkdtempSync(join(tmpdir(), "mail-trial-"));
const mails = [...madeMails(200)];
const mailbox = mails.map(({ text }) => text).join("");

/** Sixty filters, of which the first deletes and the second forwards. */
const FILTERS = KNOWN_FILTERS.map(({ filter }, index) => ({
  ...filter,
  ...(index === 0 && { delete: true }),
  ...(index === 1 && { forward_to: "me@x.example" }),
}));

const tried = mails.filter(
  ({ facts }) => !facts.labels.includes("Sent") || facts.labels.includes("Inbox"),
);

/** The words that a filter must have beside it, by what the mails were made of. */
function wordsOf(index: number): string {
  const answers = tried.map(({ facts }) => KNOWN_FILTERS[index]?.answer(facts));
  const yes = answers.filter((answer) => answer === "yes").length;
  const most = yes + answers.filter((answer) => answer === "unknown").length;
  return `${yes === most ? yes : `at least ${yes}, at most ${most}`} of ${tried.length} mails`;
}

const file = (name: string, content: string | Buffer) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const HOSTILE = file(
  "hostile.eml",
  "From: a@shop.example\r\nSubject: <img src=x onerror=alert(1)> \u202eexe.txt\r\n\r\nHello",
);

beforeAll(() => {
  file("mail.mbox", mailbox);
  file("packed.mbox.gz", gzipSync(mailbox));
});

afterAll(() => rmSync(folder, { recursive: true }));

const open = (page: Page, ...names: readonly string[]) =>
  page.locator(".try input").setInputFiles(names.map((name) => join(folder, name)));

const title = (page: Page) => page.locator("#trial-title").textContent();

const DONE = "What your filters do with your mail";

inChromium("mail on the page", site.origin, (browser) => {
  const openPage = (filters: readonly object[] = FILTERS) =>
    browser.openAlone(`${MAIL}${shareHash({ filters })}`);

  test.each(["mail.mbox", "packed.mbox.gz"])(
    "of %s each filter shows what it takes, with what is deleted first, and nothing is sent",
    async (name) => {
      const page = await openPage();
      const requests: string[] = [];
      page.on("request", (request) => requests.push(`${request.method()} ${request.url()}`));
      await open(page, name);
      await eventually(() => title(page), DONE);
      const panel = await page.locator(".trial").innerText();
      expect(panel).toMatch(/Would be deleted:\s+Filter 1: \d+.*Would be forwarded:\s+Filter 2: /s);
      for (const index of FILTERS.keys()) {
        const row = page.locator(`#checkup-list li:has(> a[href="#filters[${index}]"]) .tried`);
        expect(await row.textContent()).toStartWith(wordsOf(index));
      }
      const idle = KNOWN_FILTERS.filter(
        (_, index) => wordsOf(index) === `0 of ${tried.length} mails`,
      );
      expect(idle.length).toBeGreaterThan(0);
      await page.getByRole("radio", { name: `${idle.length} took none of your mail` }).check();
      await eventually(() => page.locator("#checkup-list li").count(), idle.length);
      await page.getByRole("radio", { name: "all", exact: true }).check();
      const [fold, subject] = [page.locator("#tried-0"), page.locator("#tried-0 .subject")];
      expect(await subject.first().isVisible()).toBe(false);
      await fold.locator("summary").click();
      expect(await subject.first().isVisible()).toBe(true);
      expect(
        requests.filter(
          (request) => !/\/assets\/(?:mail-trial-worker|chunk)-\w+\.js$/.test(request),
        ),
      ).toEqual([]);
    },
  );

  test("several files are dropped at once, with the filters among them", async () => {
    const page = await openPage([{ subject: ["nothing"], star: true }]);
    await page.evaluate((text) => {
      const data = new DataTransfer();
      const xml =
        "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:apps='http://schemas.google.com/apps/2006'><entry><apps:property name='from' value='a@shop.example'/><apps:property name='shouldStar' value='true'/></entry></feed>";
      data.items.add(new File(["From: a@shop.example\nSubject: one\n\n"], "one.eml"));
      data.items.add(new File([xml], "mailFilters.xml"));
      data.items.add(new File([text], "export without a type"));
      data.items.add(new File(["PK\u0003\u0004 "], "takeout.zip"));
      document.body.dispatchEvent(
        new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }),
      );
    }, mailbox);
    await eventually(() => title(page), DONE);
    await eventually(() => textsOf(page, "filters[1].from"), ["a@shop.example"]);
    expect(await page.locator(".card .tried > summary").textContent()).toBe(
      `1 of ${tried.length + 1} mails`,
    );
    expect(await page.locator(".trial .error").allTextContents()).toEqual([
      expect.stringContaining("takeout.zip is an archive, to be unpacked first: take the .mbox of"),
    ]);
  });

  test("a subject is only a text", async () => {
    const page = await openPage([{ from: ["@shop.example"], delete: true }]);
    await page.locator(".try input").setInputFiles(HOSTILE);
    await eventually(() => title(page), DONE);
    const subject = page.locator(".trial .subject");
    expect(await subject.textContent()).toContain("<img src=x onerror=alert(1)>");
    expect(await subject.getAttribute("dir")).toBe("auto");
    expect(await page.locator("#outcome img").count()).toBe(0);
  });

  test("Stop keeps what was counted, and the page answers meanwhile", async () => {
    file("large.mbox", mailbox.repeat(150));
    const page = await openPage();
    await open(page, "large.mbox");
    await page.locator(".reading span", { hasText: /^[1-9][\d,]* mails/ }).waitFor();
    await page.getByLabel("Search the filters").fill("Filter");
    await page.getByRole("button", { name: "Stop" }).click();
    await eventually(() => title(page), "Stopped: what your filters do with the mail read so far");
    const words = await page.locator("#tried-2 > summary, .tried").first().textContent();
    const [, count = ""] = / of ([\d,]+) mails/.exec(words ?? "") ?? [];
    expect(Number(count.replace(",", ""))).toBeWithin(1, tried.length * 150);
    expect(await page.locator(".trial").innerText()).toContain("the rest may add more");
  });

  test("a changed filter has no count until it is tried again", async () => {
    const page = await openPage([
      { from: ["@shop.example"], star: true },
      { from: ["@other.example"], star: true },
    ]);
    const line = "From 1@xxx Mon Jan 05 10:00:00 +0000 2026\n";
    file("two.mbox", `${line}From: a@shop.example\n\n${line}From: b@other.example\n\n`);
    await open(page, "two.mbox");
    await eventually(() => title(page), DONE);
    await page.getByText("Would have caught: 2 of 2 mails").waitFor();
    const counts = () => page.locator(".card .tried").allTextContents();
    await eventually(async () => (await counts()).length, 2);
    await control(page, "filters[0].name").fill("Another name");
    await page.getByRole("heading", { name: "Another name" }).waitFor();
    expect((await counts()).length).toBe(2);
    await control(page, "filters[0].from[0]").click();
    await control(page, "filters[0].from").fill("@nobody.example");
    await eventually(async () => (await counts()).length, 1);
    expect(await page.locator(".trial").innerText()).toContain("1 filter changed since");
    await page.getByRole("button", { name: "Try again" }).click();
    await eventually(
      async () => (await counts()).map((words) => /^.* mails/.exec(words)?.[0]),
      ["0 of 2 mails", "1 of 2 mails"],
    );
    await page.getByRole("button", { name: "Forget this mail" }).press("Enter");
    await eventually(counts, []);
    expect(await page.locator(".trial").count()).toBe(0);
    expect(await page.locator("#announcer").textContent()).toBe("Your mail is forgotten");
    expect(await page.locator(".try input:focus").count()).toBe(1);
  });

  test("filters that are not finished are not tried", async () => {
    const page = await openPage([{ from: ["@shop.example"], star: true }]);
    await control(page, "filters[0].from[0]").click();
    await control(page, "filters[0].from").fill("");
    await page.locator(".try input").setInputFiles(HOSTILE);
    await eventually(
      async () =>
        (await status(page).textContent())?.startsWith("These filters cannot be tried yet"),
      true,
    );
    expect(await page.locator(".trial").count()).toBe(0);
  });

  test("a worker that cannot be loaded is reported", async () => {
    const page = await openPage();
    await page.route(/mail-trial-worker/, (route) => route.abort());
    await open(page, "mail.mbox");
    await eventually(() => title(page), "The mail could not be read to its end");
  });
});
