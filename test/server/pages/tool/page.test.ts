import { describe, expect, test } from "bun:test";
import { tools } from "../../../../schemas/index.ts";
import { toolPagePath } from "../../../../server/paths.ts";
import { priceBook } from "../../../../src/index.ts";
import { elementsOf } from "../../support/expect.ts";
import { readForm, sendForm, shownPage } from "../../support/forms.ts";
import { asQuery, inputOfBytes, jsonPost, PATHS } from "../../support/http.ts";
import { runningServer } from "../../support/servers.ts";

const server = runningServer();

const MAIL = "/tools/mail-filter-generator";
const COST = "/tools/automation-cost-calculator";
const CONFIG = "/tools/mcp-config-generator";

const STARRED = { filters: [{ from: ["a@x.example"], star: true }] };
const STARRED_FIELDS = "?filters[0].from=a@x.example&filters[0].star=true";

const show = async (path: string) => shownPage(await server.text(path));

/** A caller gets the same page as anybody, or a page of their own that is not cached. */
const caching = async (path: string) => (await server.fetch(path)).headers.get("cache-control");
const SHARED = "public, no-cache";
const OWN = "no-store";

describe.each(tools.map((contract) => [toolPagePath(contract), contract] as const))(
  "%s",
  (path, contract) => {
    test("shows the result of the example, which may be in the address", async () => {
      const { outcome, messages, texts } = await show(
        path + asQuery(JSON.stringify(contract.example_input)),
      );
      expect({ outcome, messages }).toEqual({ outcome: "done", messages: {} });
      expect(texts.result?.length).toBeGreaterThan(100);
    });

    test("is the same for all with a query that has none of its fields", async () => {
      const blank = await server.text(path);
      for (const query of ["?", "?fbclid=1&x[0]=y", "?do=", "?do=add+zaps", "?%zz&=&&"]) {
        expect((await server.text(path + query)) === blank).toBe(true);
        expect(await caching(path + query)).toBe(SHARED);
      }
    });
  },
);

describe("an input in the address", () => {
  test("is shown as its fields would be, with a notice that it came in a link", async () => {
    const asInput = await show(MAIL + asQuery(JSON.stringify(STARRED)));
    const asFields = await show(MAIL + STARRED_FIELDS);
    const notice = "Filled in from a link. Check it before you use the result.";
    expect(asInput.texts["from-link"]).toBe(notice);
    expect(asFields.texts["from-link"]).toBeUndefined();
    expect(asFields.texts.result).toBe(asInput.texts.result);
    expect(asInput.texts.result).toContain("from:(a@x.example)");
    expect(await caching(MAIL + STARRED_FIELDS)).toBe(OWN);
  });

  test("counts before fields", async () => {
    const { texts } = await show(`${MAIL}${asQuery(JSON.stringify(STARRED))}&filters[0].label=b`);
    expect(texts.result).toContain("from:(a@x.example)");
  });

  test("of 16,384 bytes is taken, white space included", async () => {
    const small = '{"name":"a","command":"b"}';
    const outcomes = [inputOfBytes(16_384), small.padEnd(16_384), small.padEnd(16_385)].map(
      async (input) => (await show(CONFIG + asQuery(input))).outcome,
    );
    expect(await Promise.all(outcomes)).toEqual(["done", "done", "rejected"]);
  });
});

test("fields that make an input of more than 16 KiB are rejected with the form as it was", async () => {
  const fields = new URLSearchParams({ name: "a", command: "b" });
  const text = "x".repeat(900);
  for (let row = 0; row < 20; row += 1) fields.append("args", text);
  const page = await server.text(`${CONFIG}?${fields}`);
  const { outcome, texts } = await shownPage(page);
  expect(outcome).toBe("rejected");
  expect(texts.problems).toContain("16384 bytes");
  expect(readForm(page).getAll("args")).toEqual([...new Array(20).fill(text), ""]);
});

test("an address brings no opened file, which only the page's script knows", async () => {
  const page = await server.text(`${MAIL}?filters[0].label=A&filters[0].star=true&source=zzz`);
  expect(readForm(page).get("source")).toBeNull();
  expect(readForm(page).get("filters[0].label")).toBe("A");
});

describe("the operator's prices", () => {
  const dear = JSON.parse(JSON.stringify(priceBook).replace('"cents":1999', '"cents":1234'));
  const own = runningServer({ priceBook: dear });

  test("count on the page too", async () => {
    const query = asQuery(JSON.stringify({ zaps: [{ action_steps: 2, runs_per_month: 100 }] }));
    const { texts } = await shownPage(await own.text(COST + query));
    expect(texts.result).toContain("$12.34");
    expect((await show(COST + query)).texts.result).not.toContain("$12.34");
  });
});

test("the file has the bytes that the API gives and the page shows, and the page leads to it", async () => {
  const subject = ['a "b" <c> & d%', "語 😀"];
  const filter = { from: ["ü@x.example"], subject, label: "A/B", star: true };
  const input = JSON.stringify({ filters: [filter] });
  const file = `${MAIL}/file${asQuery(input)}`;
  const api = await server.fetch(PATHS.mail_filter_generator, jsonPost(input));
  const { content } = JSON.parse(await api.text()).file;
  expect(await server.text(file)).toBe(content);
  const page = await server.text(MAIL + asQuery(input));
  expect((await shownPage(page)).texts["file-text"]).toBe(content.trim());
  const hrefs = (await elementsOf(page)).flatMap(({ attributes }) => attributes.href ?? []);
  expect(new Set(hrefs.filter((href) => href.startsWith(`${MAIL}/file`)))).toEqual(new Set([file]));
});

test("findings come before information, and equal ones once with their filters", async () => {
  const filter = { subject: ["from:a"], label: "A" };
  const broad = { has_words: ["unsubscribe"], delete: true };
  const input = JSON.stringify({
    filters: [{ from: ["@x.example"], star: true }, broad, filter, { ...filter, label: "B" }],
  });
  const page = await server.text(MAIL + asQuery(input));
  const items = (await elementsOf(page)).filter(
    ({ tag, attributes }) => tag === "li" && /^(?:warning|info)$/.test(attributes.class ?? ""),
  );
  expect(items.map(({ attributes, text }) => [attributes.class, text.replace(/:.*/s, "")])).toEqual(
    [
      ["warning", "has unsubscribe, Delete"],
      ["info", "subject from"],
    ],
  );
});

describe("a list of many filters", () => {
  const many = (count: number) =>
    asQuery(JSON.stringify({ filters: Array.from({ length: count }, () => STARRED.filters[0]) }));
  const formsOf = (page: string) => page.match(/<fieldset class="card"/g)?.length;

  test.each([
    [1, 1, 0],
    [2, 1, 1],
    [100, 1, 99],
  ])("of %i has %i open and %i closed", async (count, open, closed) => {
    const page = await server.text(MAIL + many(count));
    expect(formsOf(page)).toBe(open);
    expect(page.match(/class="item closed"/g)?.length ?? 0).toBe(closed);
    expect(page.length).toBeLessThan(120_000);
    // Texts that people type have their own direction.
    expect(
      page.match(/<(?:textarea|input type="text")[^>]*name="(?!find)[^>]*>/g)?.join(""),
    ).toMatch(/^(?:<[^>]* dir="auto"[^>]*>)+$/);
    const [, row = "no row"] = page.split('class="item closed"');
    if (count > 1) expect(row).toMatch(/a@x\.example.*Star/s);
  });

  test("opens another one by its button, without scripts", async () => {
    const page = await server.text(MAIL + many(6));
    const next = await sendForm(server.fetch, MAIL, page, "open filters[3]");
    expect(next).toContain('id="filters[3].name"');
    expect(formsOf(next)).toBe(1);
    expect(next).toContain("6 filters");
  });
});
