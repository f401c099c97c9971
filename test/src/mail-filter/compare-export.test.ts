import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compareMailFilters } from "../../../src/mail-filter/index.ts";
import { tries } from "../../support/runs.ts";
import { gmailExport } from "./gmail-export.ts";
import type { FilterFields } from "./support.ts";

const a = { from: ["a@x.com"] };

/** A filter beside an entry of Gmail's, both with one label. */
const compare = (filter: FilterFields, properties: Record<string, string>) =>
  compareMailFilters(
    { filters: [{ label: "L", ...filter }] },
    gmailExport({ label: "L", ...properties }),
  );

describe("compareMailFilters() finds what Gmail has already", () => {
  test.each<[what: string, filter: FilterFields, properties: Record<string, string>]>([
    ["in another order", { from: ["a@x.com", "b@y.com"] }, { from: "b@y.com OR a@x.com" }],
    ["with its label in another case", { ...a, label: "A/B" }, { from: "a@x.com", label: "a/b" }],
    ["in braces", { from: ["a@x.com", "@y.com"] }, { from: "{a@x.com *@y.com}" }],
    ["with ORs beside spaces", { has_words: ["a b OR c"] }, { hasTheWord: "c OR b a" }],
    ["with a size in another unit", { larger_than_mb: 1 }, { size: "1024", sizeUnit: "s_skb" }],
  ])("%s", (_, filter, properties) => {
    const { counts, differences, result } = compare(filter, properties);
    expect(differences).toEqual([]);
    expect(counts).toEqual({ new: 0, changed: 0, unchanged: 1, only_in_gmail: 0, left_out: 0 });
    expect(result.filters).toEqual([]);
  });
});

describe("compareMailFilters() finds a difference", () => {
  test.each<[what: string, filter: FilterFields, properties: Record<string, string>]>([
    ["in a sender", { from: ["a@x.com"] }, { from: "b@x.com" }],
    ["in a label's spaces", { ...a, label: "A/B" }, { from: "a@x.com", label: "A / B" }],
    ["between all and any", { has_words: ["a", "b"] }, { hasTheWord: "a OR b" }],
    ["between me and a text", { to: ["me"] }, { to: '"me"' }],
    ["between a word and exactly that word", { has_words: ["a"] }, { hasTheWord: "+a" }],
    ["in a distance", { has_words: ["a AROUND 5 b"] }, { hasTheWord: "a AROUND 9 b" }],
    ["between all and any in braces", { has_words: ["a", "b"] }, { hasTheWord: "{a AND b}" }],
  ])("%s", (_, filter, properties) => {
    const { counts } = compare(filter, properties);
    expect(counts).toMatchObject({ new: 1, unchanged: 0, only_in_gmail: 1, left_out: 0 });
  });
});

describe("compareMailFilters() lists the entries in Gmail only", () => {
  const [a, b] = [
    { from: "a@x.com", label: "A" },
    { from: "b@x.com", label: "B" },
  ];
  const filters = (...senders: string[]) =>
    senders.map((name) => ({ from: [`${name}@x.com`], label: name.toUpperCase() }));
  test.each([
    ["none", [a, b], filters("b", "a"), []],
    ["the old one of a change", [a, b], [...filters("a"), { from: ["b@x.com"], label: "C" }], [b]],
    ["one that is gone", [a, b], filters("a"), [b]],
    ["one too many", [a, b, a], filters("a", "b"), [a]],
    ["not one that the input has as often", [a, a], filters("a", "a"), []],
    ["not one that is left out", [a, { from: "c@x.com", cannedResponse: "1" }], filters("a"), []],
  ])("%s", (_, entries, wanted, left) => {
    const { only_in_gmail, counts } = compareMailFilters(
      { filters: wanted },
      gmailExport(...entries),
    );
    expect(only_in_gmail).toEqual(
      left.map(({ from, label }) => `from:(${from}) -> label ${label}`),
    );
    expect(counts.only_in_gmail).toBe(left.length);
  });
});

test("compareMailFilters() leaves nothing to do once the new is imported and the rest deleted", () => {
  const sender = fc.constantFrom("a@x.com", "b@x.com", "c@x.com");
  const label = fc.constantFrom("A", "B");
  const old = fc.record({ from: sender, label });
  const wanted = fc.record({ from: fc.uniqueArray(sender, { minLength: 1 }), label });
  fc.assert(
    fc.property(fc.array(old), fc.array(wanted, { minLength: 1 }), (entries, filters) => {
      const { only_in_gmail, result } = compareMailFilters({ filters }, gmailExport(...entries));
      const gone = [...only_in_gmail];
      const left = entries.filter((entry) => {
        const place = gone.indexOf(`from:(${entry.from}) -> label ${entry.label}`);
        if (place >= 0) gone.splice(place, 1);
        return place < 0;
      });
      const [added = ""] = /\t<entry>.*<\/entry>/s.exec(result.file.content) ?? [];
      const xml = gmailExport(...left).replace("</feed>", () => `${added}</feed>`);
      const after = compareMailFilters({ filters }, xml);
      expect([gone, after.differences, after.counts.new]).toEqual([[], [], 0]);
    }),
    tries(30),
  );
});

describe("compareMailFilters() marks with ? what was left out, which no new filter replaces", () => {
  test.each<[what: string, filter: FilterFields, properties: Record<string, string>]>([
    ["a broken search", { from: ["a@x.com"] }, { from: "(a@x.com" }],
    ["the chats", { from: ["a@x.com"] }, { from: "a@x.com", excludeChats: "true" }],
    ["the unit of a size", { larger_than_mb: 5 }, { size: "5", sizeUnit: "s_sgb" }],
  ])("%s", (_, filter, properties) => {
    const compared = compare(filter, properties);
    expect(compared.counts).toMatchObject({ new: 1, unchanged: 0, only_in_gmail: 0, left_out: 1 });
    expect(compared.differences.map((line) => line.charAt(0))).toEqual(["+", "?"]);
  });

  test("and says nothing of it where nothing else differs", () => {
    const xml = gmailExport({ from: "a@x.com", label: "L" }, { from: "*", label: "L" });
    const input = { filters: [{ from: ["a@x.com"], label: "L" }] };
    expect(compareMailFilters(input, xml)).toMatchObject({ differences: [], counts: { new: 0 } });
  });
});

describe("compareMailFilters() pairs an old filter with the new one that is most like it", () => {
  const senders = Array.from({ length: 30 }, (_, index) => `a${index}@x.com`);
  const old = { from: senders.join(" OR "), label: "L", shouldArchive: "true" };
  const gone = `- from:(${old.from}) -> label L, archive`;
  test.each<[what: string, filter: FilterFields, lines: string[]]>([
    [
      "a sender came and one went",
      { name: "N", from: [...senders.slice(1), "new@y.com"], label: "L", skip_inbox: true },
      ["~ N: + from new@y.com, - from a0@x.com"],
    ],
    ["actions", { name: "N", from: senders, label: "M" }, ["~ N: + label M, - label L, - archive"]],
    [
      "a few senders are the same",
      { name: "N", from: ["a0@x.com", "b@y.com"], label: "L2" },
      ["+ N: from:(a0@x.com OR b@y.com) -> label L2", gone],
    ],
  ])("%s", (_, filter, lines) => {
    const { differences } = compareMailFilters({ filters: [filter] }, gmailExport(old));
    expect(differences).toEqual(lines);
  });

  test.each<[FilterFields, Record<string, string>]>([
    [{ from: ["@a.com", "Bo"] }, { from: '{"bo" *@A.com}' }],
    [{ has_words: ["from:(Jo Bo)"] }, { from: "Jo Bo" }],
    [{ larger_than_mb: 1 }, { size: "1024", sizeUnit: "s_skb" }],
  ])("whose only action changed, however it is spelt: %j", (filter, properties) => {
    const { differences } = compare({ name: "N", ...filter, label: "M" }, properties);
    expect(differences).toEqual(["~ N: + label M, - label L"]);
  });
});

test("compareMailFilters() pairs the filter for the same mail before one that is like it", () => {
  const like = { name: "Like", from: ["a@x.com", "b@x.com"], label: "L" };
  const same = { name: "Same", from: ["a@x.com"], label: "M" };
  const xml = gmailExport({ from: "a@x.com", label: "L" });
  const { differences } = compareMailFilters({ filters: [like, same] }, xml);
  expect(differences).toEqual([
    "+ Like: from:(a@x.com OR b@x.com) -> label L",
    "~ Same: + label M, - label L",
  ]);
});

describe("compareMailFilters() counts the entries that Gmail has, not those that it would be written as", () => {
  const senders = Array.from({ length: 200 }, (_, index) => `sender${index}@x.com`);
  const entry = { from: senders.join(" OR "), label: "L" };
  const filter = { from: senders, label: "L" };
  test.each<[string, Record<string, string>[], FilterFields[], object]>([
    ["one", [entry], [filter], { new: 0, unchanged: 1, only_in_gmail: 0 }],
    ["one too many", [entry, entry], [filter], { new: 0, unchanged: 1, only_in_gmail: 1 }],
    ["one beside a new one", [entry], [filter, { ...filter, label: "M" }], { unchanged: 1 }],
  ])("%s", (_, entries, filters, counts) => {
    const compared = compareMailFilters({ filters }, gmailExport(...entries));
    expect(compared.counts).toMatchObject(counts);
  });
});

test("compareMailFilters() has findings about what is new alone", () => {
  const forward = (name: string) => ({ from: [`${name}@x.com`], forward_to: `${name}@y.com` });
  const xml = gmailExport({ from: "b@x.com", forwardTo: "b@y.com" });
  const warningsOf = (...names: string[]) =>
    compareMailFilters({ filters: names.map(forward) }, xml).result.warnings;
  const code = "forward-unverified";
  expect(warningsOf("b", "c")).toMatchObject([{ code, path: "filters[1].forward_to" }]);
  const message = expect.stringContaining("verify c@y.com and d@y.com in");
  expect(warningsOf("b", "c", "d")).toMatchObject([{ code, path: "filters", message }]);
});
