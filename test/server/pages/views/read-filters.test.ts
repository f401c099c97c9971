import { describe, expect, test } from "bun:test";
import { html } from "../../../../server/pages/html.ts";
import type { Changes } from "../../../../server/pages/view.ts";
import { readFilters } from "../../../../server/pages/views/read-filters.ts";

const property = (name: string, value: string) =>
  `<apps:property name='${name}' value='${value}'/>`;

const KEPT = property("from", "a@x.example") + property("shouldStar", "true");
const CANNED = KEPT + property("cannedResponse", "12");

const fileOf = (entries: readonly string[]): string =>
  `<feed xmlns='http://www.w3.org/2005/Atom' xmlns:apps='http://schemas.google.com/apps/2006'>${entries
    .map((properties) => `<entry>${properties}</entry>`)
    .join("")}</feed>`;

const LEFT_OUT = "(a@x.example) sends a template, which a file cannot hold";

describe("readFilters() says what it read", () => {
  test.each([
    ["of one filter", [KEPT], "Read 1 filter."],
    ["of two", [KEPT, KEPT], "Read 2 filters."],
    [
      "and left out",
      [KEPT, CANNED],
      `Read 1 filter. Left out: filter 2 ${LEFT_OUT}. Keep it in Gmail.`,
    ],
    [
      "and what does nothing",
      [KEPT, property("from", "b@x.example")],
      "Read 1 filter. Left out: filter 2 (b@x.example) does nothing in Gmail; its label was perhaps deleted.",
    ],
    [
      "and left out of many",
      [CANNED, CANNED, CANNED, CANNED, KEPT, CANNED],
      `Read 1 filter. Left out: filter 1 ${LEFT_OUT}; filter 2 ${LEFT_OUT}; filter 3 ${LEFT_OUT}; and 2 more. Keep them in Gmail.`,
    ],
  ])("%s", async (_, entries, summary) => {
    expect(await readFilters(fileOf(entries))).toMatchObject({ summary });
  });

  test("with the filters as an input", async () => {
    expect(await readFilters(fileOf([KEPT]))).toMatchObject({
      input: { filters: [{ from: ["a@x.example"], star: true }] },
    });
  });

  const filters = [{ name: "A", from: ["a@x.example"], star: true }];
  test.each([
    ["an input", { $schema: "./schema.json", filters }],
    ["what merge --json prints", { filters, merged: [], dropped: [] }],
  ])("of the JSON of %s", async (_, json) => {
    const read = await readFilters(`\uFEFF${JSON.stringify(json, null, 2)}`);
    expect(read).toEqual({ input: { filters }, summary: "Read 1 filter." });
  });

  test("of JSON with comments and trailing commas, as the command line reads it", async () => {
    const json = `// Mine\n{"filters":[{"name":"A", /* me */ "from":["a@x.example"],"star":true,},]}`;
    expect(await readFilters(json)).toEqual({ input: { filters }, summary: "Read 1 filter." });
  });

  test.each([
    [
      "a text of another kind",
      "hello",
      "This is not Gmail's export (mailFilters.xml): it is not XML; export the filters again in Gmail: ",
    ],
    ["a page", "<html/>", "This is not Gmail's export (mailFilters.xml): it begins with <html>"],
    ["an empty file", "", "This is empty; export "],
    ["a cut file", fileOf([KEPT]).slice(0, -9), "This is cut off: its end is missing; export "],
    ["an export without a filter", fileOf([]), "This file has no filter to read."],
    [
      "an export of which all is left out",
      fileOf([CANNED]),
      `This file has no filter to read. Left out: filter 1 ${LEFT_OUT}.`,
    ],
    ["JSON that breaks off", '{"filters":\n[', "cannot be read: line 2: expected a closing ]."],
    ["JSON with a repeated key", '{"filters":[],"filters":[]}', "cannot be read: line 1: "],
    ["JSON of another kind", '{"filters":[{"form":1}]}', "filters[0].form: is not a known field"],
    [
      "more filters in JSON than Gmail keeps",
      JSON.stringify({ filters: Array(1_001).fill(filters[0]) }),
      "This file has 1,001 filters, and Gmail keeps at most 1,000.",
    ],
    [
      "more filters than Gmail keeps",
      fileOf(Array.from({ length: 1_001 }, () => KEPT)),
      "This file has 1,001 filters, and Gmail keeps at most 1,000.",
    ],
  ])("and why it reads nothing of %s", async (_, text, reason) => {
    expect(await readFilters(text)).toMatchObject({ reason: expect.stringContaining(reason) });
  });

  test.each([
    ["a few filters", 3],
    ["more filters than Gmail keeps", 1_500],
  ])("and offers to merge %s", async (_, count) => {
    const senders = Array.from({ length: count }, (_, index) => `a${index}@x.example`);
    const file = fileOf(
      senders.map((from, index) => property("from", from) + property("label", `L${index % 2}`)),
    );
    const read = await readFilters(file);
    const replaced = count === 3 ? "2 of them into 1" : "1,500 of them into 4";
    const offer = read?.offer?.(read && "input" in read ? read.input : {});
    expect(offer?.label).toBe(`Merge ${replaced}`);
    expect(offer?.replaces.length).toBe(count === 3 ? 2 : 1_500);
    const { input, report = "" } = offer?.read ?? {};
    const from = Object(input).filters.flatMap((filter: { from: string[] }) => filter.from);
    expect(from.sort()).toEqual(senders.sort());
    expect(report.match(/^- /gm)?.length).toBe(count === 3 ? undefined : from.length);
  });

  test.each([2, 1_001])("and which filters are there %i times", async (count) => {
    const read = await readFilters(fileOf(Array.from({ length: count }, () => KEPT)));
    const offer = read?.offer?.(read && "input" in read ? read.input : {});
    expect(offer?.label).toBe(count === 2 ? "Leave out 1 repeat" : undefined);
    expect(Object(offer?.read.input).filters?.length).toBe(count === 2 ? 1 : undefined);
    expect(read?.report?.match(/^[=-] /gm)?.length).toBe(count === 2 ? undefined : count);
  });

  test("and leaves what is pasted into a field alone", async () => {
    expect(await readFilters(fileOf([KEPT]), "filters[0].name")).toBeUndefined();
  });
});

describe("readFilters() compares with the file that was read", () => {
  const entry = (sender: string, label: string) =>
    property("from", `${sender}@x.example`) + property("label", label);
  const of = (sender: string, label: string) => ({ from: [`${sender}@x.example`], label });
  const opened = async (...entries: string[]) => {
    const text = fileOf(entries);
    const read = await readFilters(text);
    if (!read || !("input" in read)) throw new Error("The file is an export");
    expect(read.source).toBe(text);
    return read;
  };
  const [a, b, c] = [of("a", "A"), of("b", "B"), of("c", "A")];
  const ALL = [entry("a", "A"), entry("b", "B"), entry("c", "A")];

  const goneIn = (changes: Changes | undefined) =>
    /<code id="gone">(.*?)<\/code>/s
      .exec(String(Object(changes?.afterSteps).markup))?.[1]
      ?.split("\n") ?? [];

  test.each([
    ["nothing", [a, b, c], "Nothing to import: your Gmail has 3 filters already.", []],
    [
      "a change",
      [a, b, of("c", "C")],
      "1 changed filter to import, 1 old filter to delete in Gmail.",
      ["c@x.example) -&gt; label A"],
    ],
    ["a new filter", [of("d", "D"), a, b, c], "1 new filter to import.", []],
    [
      "one that is gone",
      [a, c],
      "Nothing to import, 1 old filter to delete in Gmail.",
      ["b@x.example) -&gt; label B"],
    ],
  ])("and finds %s", async (_, filters, summary, gone) => {
    const changes = (await opened(...ALL)).changes?.({ filters });
    expect(changes?.summary).toBe(summary);
    expect(goneIn(changes)).toEqual(gone.map((text) => `from:(${text}`));
    expect(changes?.file.content.match(/<entry>/g)?.length ?? 0).toBe(
      summary.startsWith("1") ? 1 : 0,
    );
    expect(changes?.file.name).toBe("new-filters.xml");
    expect(changes?.steps.join()).not.toContain("If you have imported this file before");
  });

  test("and puts the new filters of a merge first, with the edits of the others", async () => {
    const { offer, changes } = await opened(entry("b", "B"), ...ALL, entry("a", "A"));
    const { hint, read: merged } = offer?.({ filters: [of("d", "D"), b, a, b, c, a] }) ?? {};
    expect(hint).toBe(
      "Your mail is treated exactly as before. Import the 2 new filters, then delete the 4 old ones in Gmail.",
    );
    const filters = Object(merged?.input).filters;
    expect(filters).toEqual([
      { from: ["a@x.example", "c@x.example"], label: "A" },
      of("d", "D"),
      b,
    ]);
    const after = merged?.changes?.({ filters });
    expect(after?.summary).toBe("2 new filters to import, 4 old filters to delete in Gmail.");
    expect(goneIn(after).toSorted()).toEqual(
      [
        "a@x.example) -&gt; label A",
        "a@x.example) -&gt; label A",
        "b@x.example) -&gt; label B",
        "c@x.example) -&gt; label A",
      ].map((text) => `from:(${text}`),
    );
    expect(merged?.offer?.({ filters })).toBeUndefined();
    expect(changes).toBe(merged?.changes);
  });

  test.each([
    ["changed", [of("a", "Z"), b, c, of("e", "B")]],
    ["gone", [b, c, of("e", "B")]],
  ])("and merges without what would replace a filter that is %s", async (_, filters) => {
    const { offer } = await opened(...ALL, entry("e", "B"));
    expect(offer?.({ filters: [a, b, c, of("e", "B")] })?.label).toBe("Merge 4 of them into 2");
    const left = offer?.({ filters });
    expect(left?.replaces).toMatchObject([b, of("e", "B")]);
    expect(Object(left?.read.input).filters.slice(1)).toEqual(
      filters.filter(({ label }) => label !== "B"),
    );
    expect(offer?.({ filters: filters.slice(0, -1) })).toBeUndefined();
    expect(offer?.(undefined)).toBeUndefined();
  });

  test("and leaves a merged filter alone that Gmail has already", async () => {
    const { offer, input, changes } = await opened(
      entry("a", "A"),
      property("from", "a@x.example OR b@x.example") + property("label", "A"),
    );
    expect(offer?.(input)?.hint).toEndWith(" as before. Delete the 1 old one in Gmail.");
    expect(String(changes?.(input).downloads(() => html`whole`).markup)).toContain("whole");
  });

  test("and says how to go on where Gmail has no room for old and new at once", async () => {
    const many = Array.from({ length: 999 }, (_, index) => entry(`s${index}`, `L${index}`));
    const { offer } = await opened(...ALL.slice(0, 1), ...many);
    expect(offer).toBeUndefined();
    const full = await opened(...ALL, ...many.slice(0, 997));
    const taken = full.offer?.(full.input)?.read;
    expect(taken?.changes).toBeUndefined();
    expect(taken?.report).toContain("too few for old and new at once");
  });
});
