import { describe, expect, test } from "bun:test";
import { createMailFilters } from "../../../src/index.ts";
import { type FilterFields, oneFilter, rejections } from "./support.ts";

/** So many different terms of exactly this length, for `from`, `to` and `subject` alike. */
const terms = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, index) => `${index}`.padStart(2, "0").padEnd(length, "x"));

const addresses = (count: number, length: number): string[] =>
  terms(count, length - "@x.com".length).map((local) => `${local}@x.com`);

/** A filter whose search string has exactly this length: `from:(…)` and one word. */
const ofLength = (length: number): FilterFields => {
  const from = addresses(10, 100);
  const used = `from:(${from.join(" OR ")}) `.length;
  const words = terms(2, 150);
  return { from, has_words: [...words, "w".repeat(length - used - words.join(" ").length - 1)] };
};

describe("createMailFilters() splits", () => {
  test("not at 1,400 characters, and at 1,401", () => {
    expect(oneFilter(ofLength(1400)).search).toHaveLength(1400);
    expect(oneFilter(ofLength(1400)).entries).toHaveLength(1);
    expect(oneFilter(ofLength(1401)).search).toHaveLength(1401);
    expect(oneFilter(ofLength(1401)).entries).toHaveLength(2);
  });

  test.each<[string, FilterFields, number]>([
    ["20 senders of 200", { from: addresses(20, 200) }, 4],
    ["20 senders of 70", { from: addresses(20, 70) }, 2],
    ["two lists", { from: addresses(20, 100), to: addresses(20, 100) }, 12],
    ["letters of two UTF-16 units", { subject: [..."𝒳𝒴𝒵𝒲"].map((x) => x.repeat(200)) }, 2],
  ])("%s", (_, filter, entries) => {
    const result = oneFilter(filter);
    expect(result.entries).toHaveLength(entries);
    for (const { search } of result.entries) expect(search.length).toBeLessThanOrEqual(1400);
    expect(result.codes).toContain("split");
  });

  test("only the list that is too long, in order, repeating the rest", () => {
    const from = addresses(20, 90);
    const more = { subject: ["bill", "receipt"], does_not_have: ["sale", "news"] };
    const { entries, xml } = oneFilter({ name: "Big", from, ...more, larger_than_mb: 1 });
    expect(entries.flatMap(({ properties }) => properties.from?.split(" OR ") ?? [])).toEqual(from);
    const rest = { subject: "bill OR receipt", doesNotHaveTheWord: "sale OR news", size: "1" };
    for (const { properties } of entries) expect(properties).toMatchObject({ ...rest, label: "L" });
    expect(xml.match(/<!-- .* -->/g)).toEqual(["<!-- Big (1 of 2) -->", "<!-- Big (2 of 2) -->"]);
  });

  test("every combination where two lists are too long", () => {
    const [from, to] = [addresses(20, 100), addresses(20, 100)];
    const pairs = oneFilter({ from, to }).entries.flatMap(({ properties }) =>
      (properties.from ?? "")
        .split(" OR ")
        .flatMap((a) => (properties.to ?? "").split(" OR ").map((b) => `${a} ${b}`)),
    );
    expect(pairs.sort()).toEqual(from.flatMap((a) => to.map((b) => `${a} ${b}`)).sort());
  });

  test.each<["from" | "to", FilterFields]>([
    ["from", { from: addresses(10, 90), to: addresses(9, 70) }],
    ["to", { from: addresses(9, 70), to: addresses(10, 90) }],
  ])("of two lists that could be cut the one that gives shorter parts: %s", (field, filter) => {
    const { entries } = oneFilter(filter);
    expect(entries).toHaveLength(2);
    expect(new Set(entries.map(({ properties }) => properties[field])).size).toBe(2);
  });
});

/** The searches of one filter with Gmail's own limits, without their filter's other words. */
const localSearches = (filter: FilterFields): string[] =>
  createMailFilters(
    { filters: [{ label: "L", ...filter }] },
    { limits: "extended" },
  ).filters.flatMap(({ entries }) => entries.map(({ search }) => search));

describe("createMailFilters() splits the longest list of alternatives in has_words", () => {
  const words = terms(60, 40);
  const half = (from: number, to: number) => words.slice(from, to).join(" OR ");

  test.each([
    ["OR", words.join(" OR ")],
    ["bars in brackets", `(${words.join("|")})`],
    ["braces", `{${words.join(" ")}}`],
  ])("%s", (_, item) => {
    expect(localSearches({ has_words: ["x", item, "y OR z"] })).toEqual([
      `x (${half(0, 30)}) (y OR z)`,
      `x (${half(30, 60)}) (y OR z)`,
    ]);
  });

  test("with its operator", () => {
    const short = terms(60, 35);
    const list = (from: number, to: number) => short.slice(from, to).map((word) => `list:${word}`);
    expect(localSearches({ has_words: [`list:(${short.join(" OR ")})`] })).toEqual([
      `(${list(0, 30).join(" OR ")})`,
      `(${list(30, 60).join(" OR ")})`,
    ]);
  });

  test("only where from, to and subject are not enough, and beside them", () => {
    const item = words.slice(0, 30).join("|");
    const tight = { from: addresses(20, 100), does_not_have: terms(1, 170), has_words: [item] };
    const searches = localSearches(tight);
    expect(searches.length).toBeGreaterThan(1);
    expect(searches.some((search) => search.includes(item))).toBe(false);
    expect(searches.every(({ length }) => length <= 1400)).toBe(true);
    const one = words.slice(0, 10).join("|");
    const kept = localSearches({ from: addresses(20, 100), has_words: [one] });
    expect(kept.every((search) => search.endsWith(` (${one})`))).toBe(true);
  });

  test.each([
    ["a list that Gmail may read in two ways", `a ${words.join(" OR ")}`],
    ["an exclusion", `-(${words.join(" OR ")})`],
    ["a word that may exclude its neighbour", `{sale!(a b) ${words.join(" ")}}`],
  ])("but not %s", (_, item) => {
    expect(() => localSearches({ has_words: [item] })).toThrow("filters[0].has_words[0]: must be");
  });
});

test.each<[string, FilterFields]>([
  ["does_not_have", { from: ["a@x.com"], does_not_have: terms(20, 200) }],
  ["has_words", { from: addresses(20, 200), has_words: terms(10, 150) }],
])("createMailFilters() rejects %s that is too long for one entry", (field, filter) => {
  expect(rejections(filter)).toEqual([
    expect.stringContaining(
      `filters[0].${field}: must be shorter: a Gmail filter has at most 1,400`,
    ),
  ]);
});

/** So many items that together hold very many short addresses. */
const crowd = (items: number, letter: string): string[] =>
  Array.from({ length: items }, (_, item) =>
    Array.from({ length: 20 }, (_, index) => `@${letter}${item * 20 + index}.co`).join(" "),
  );

describe("createMailFilters() rejects more entries than the 1,000 filters Gmail keeps", () => {
  const lists = { from: addresses(20, 200), to: addresses(20, 200), subject: terms(20, 200) };

  test("in one filter", () => {
    expect(oneFilter(lists).entries).toHaveLength(1000);
    expect(rejections({ ...lists, does_not_have: terms(1, 200) })).toEqual([
      "filters[0]: must be shorter: it would become more than 1,000 filters, which is Gmail's limit",
    ]);
  });

  test("in all of them together", () => {
    const bill = { from: ["a@x.com"], label: "b" };
    expect(() => createMailFilters({ filters: [bill, { ...lists, label: "a" }] })).toThrow(
      "filters: must be shorter: it would become more than 1,000 filters, which is Gmail's limit",
    );
  });

  test("and cuts long lists of short addresses", () => {
    const { entries } = oneFilter({ from: crowd(20, "a"), to: crowd(20, "b") });
    expect(entries.length).toBeGreaterThan(20);
    expect(entries.length).toBeLessThan(1000);
  });
});
