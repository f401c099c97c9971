import { describe, expect, test } from "bun:test";
import { mailFilterContract, tools } from "../../../../schemas/index.ts";
import { toolPagePath } from "../../../../server/paths.ts";
import { priceBook } from "../../../../src/index.ts";
import { elementsOf, expectFailedFetch } from "../../support/expect.ts";
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
    test("starts with a blank form, which says what to do first", async () => {
      const { outcome, messages, texts } = await show(path);
      expect(await caching(path)).toBe(SHARED);
      expect({ outcome, messages, result: texts.result }).toEqual({
        outcome: "blank",
        messages: {},
        result: "",
      });
      expect(texts.status).toMatch(/^(?:Start with|Enter) /);
    });

    test("shows the result of the example, which may be in the address", async () => {
      const { outcome, messages, texts } = await show(
        path + asQuery(JSON.stringify(contract.example_input)),
      );
      expect({ outcome, messages }).toEqual({ outcome: "done", messages: {} });
      expect(texts.result?.length).toBeGreaterThan(100);
    });

    test.each([
      "?",
      "?utm_source=x&utm_medium=mail",
      "?fbclid=1&x[0]=y",
      "?do=",
      "?do=add+zaps",
      "?%zz&=&&",
      "?Input={}",
    ])("shows it also with %s", async (query) => {
      expect((await server.text(path + query)) === (await server.text(path))).toBe(true);
      expect(await caching(path + query)).toBe(SHARED);
    });

    test("is blank after do=clear", async () => {
      const { outcome, texts } = await show(`${path}?do=clear`);
      expect({ outcome, result: texts.result }).toEqual({ outcome: "blank", result: "" });
    });

    test.each([
      ["{", "the input must be JSON"],
      ["", "the input must be JSON"],
      ['{"a":"\\ud800"}', "the input must be valid Unicode: a surrogate is not paired"],
      ['{"a":[{"b":1,"b":2}]}', "a[0].b: is given twice"],
      ...["null", "[]", '"a"', "5"].map((input): [string, string] => [input, "ust be an object"]),
      ["{}", "is required"],
      ['{"unknown":1}', "is not a known field"],
      ['{"filters":"a","zaps":5,"args":{}}', "is not a known field"],
    ])("says what is wrong with the input %j", async (input, problem) => {
      const response = await server.fetch(path + asQuery(input));
      const { outcome, texts } = await shownPage(await response.text());
      expect([response.status, outcome, texts.result]).toEqual([200, "rejected", ""]);
      expect(texts.problems).toContain(problem);
      expect(response.headers.get("cache-control")).toBe(OWN);
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

  test("may have a question mark as it is", async () => {
    const { texts } = await show(`${MAIL}?input={"filters":[{"subject":["what?"],"star":true}]}`);
    expect(texts.result).toContain("what?");
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

const FILE = `${MAIL}/file`;

const INPUTS: readonly object[] = [
  mailFilterContract.example_input,
  {
    filters: [
      { from: ["ü@x.example"], subject: ['a "b" <c> & d%', "語 😀"], label: "A/B", star: true },
    ],
  },
];

describe.each(INPUTS.map((input) => [JSON.stringify(input)]))("the file of %s", (input) => {
  test("has the bytes that the API gives and the page shows", async () => {
    const response = await server.fetch(FILE + asQuery(input));
    const api = await server.fetch(PATHS.mail_filter_generator, jsonPost(input));
    const { file } = JSON.parse(await api.text());
    const { texts } = await show(MAIL + asQuery(input));
    expect(texts["file-text"]).toBe(file.content.trim());
    expect(Buffer.from(await response.bytes())).toEqual(Buffer.from(file.content));
  });

  test("is where its page says that it is", async () => {
    const elements = await elementsOf(await server.text(MAIL + asQuery(input)));
    const hrefs = elements.flatMap(({ attributes }) => attributes.href ?? []);
    const files = new Set(hrefs.filter((href) => href.startsWith(FILE)));
    expect([...files]).toEqual([FILE + asQuery(input)]);
  });
});

test("a form's fields make no file", async () => {
  await expectFailedFetch(server.fetch(`${FILE}?filters[0].star=true`), "invalid_request");
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
