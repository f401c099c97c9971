import { describe, expect, test } from "bun:test";
import { readFilters } from "../../../../server/pages/views/read-filters.ts";

const property = (name: string, value: string) =>
  `<apps:property name='${name}' value='${value}'/>`;

const KEPT = property("from", "a@x.example") + property("shouldStar", "true");
const CANNED = KEPT + property("cannedResponse", "12");

const fileOf = (entries: readonly string[]): string =>
  `<feed xmlns='http://www.w3.org/2005/Atom' xmlns:apps='http://schemas.google.com/apps/2006'>${entries
    .map((properties) => `<entry>${properties}</entry>`)
    .join("")}</feed>`;

const LEFT_OUT = "has cannedResponse, which this tool does not write";

describe("readFilters() says what it read", () => {
  test.each([
    ["of one filter", [KEPT], "Read 1 filter."],
    ["of two", [KEPT, KEPT], "Read 2 filters."],
    ["and left out", [KEPT, CANNED], `Read 1 filter. Left out: filter 2 ${LEFT_OUT}.`],
    [
      "and left out of many",
      [CANNED, CANNED, CANNED, CANNED, KEPT, CANNED],
      `Read 1 filter. Left out: filter 1 ${LEFT_OUT}; filter 2 ${LEFT_OUT}; filter 3 ${LEFT_OUT}; and 2 more.`,
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
    ["what --merge --json prints", { filters, merged: [], dropped: [] }],
  ])("of the JSON of %s", async (_, json) => {
    const read = await readFilters(`\uFEFF${JSON.stringify(json, null, 2)}`);
    expect(read).toEqual({ input: { filters }, summary: "Read 1 filter." });
  });

  test("of JSON with comments and trailing commas, as the command line reads it", async () => {
    const json = `// Mine\n{"filters":[{"name":"A", /* me */ "from":["a@x.example"],"star":true,},]}`;
    expect(await readFilters(json)).toEqual({ input: { filters }, summary: "Read 1 filter." });
  });

  test.each([
    ["a text of another kind", "hello", "This is not a Gmail export."],
    ["a page", "<html/>", "This is not a Gmail export."],
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
    expect(read?.offer?.label).toBe(`Merge ${replaced}`);
    expect(read?.offer?.replaces.length).toBe(count === 3 ? 2 : 1_500);
    const { input, report = "" } = read?.offer?.read ?? {};
    const from = Object(input).filters.flatMap((filter: { from: string[] }) => filter.from);
    expect(from.sort()).toEqual((count === 3 ? ["a0@x.example", "a2@x.example"] : senders).sort());
    expect(report.match(/^- /gm)?.length).toBe(from.length);
  });

  test("and which filters are there twice", async () => {
    const read = await readFilters(fileOf([KEPT, KEPT]));
    expect(read?.offer).toBeUndefined();
    expect(read?.report).toEndWith("\n= from:(a@x.example) -> star\n- from:(a@x.example) -> star");
  });

  test("and leaves what is pasted into a field alone", async () => {
    expect(await readFilters(fileOf([KEPT]), "filters[0].name")).toBeUndefined();
  });
});
