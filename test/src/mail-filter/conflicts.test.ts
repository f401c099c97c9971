import { describe, expect, test } from "bun:test";
import { createMailFilters } from "../../../src/index.ts";
import { mergeMailFilters } from "../../../src/mail-filter/index.ts";
import type { FilterFields } from "./support.ts";

const shop = { from: ["@shop.com"] };

const codesOf = (...filters: FilterFields[]): string[] =>
  createMailFilters({ filters }).warnings.map(({ code, path }) => `${path} ${code}`);

const label = (name: string, fields: FilterFields): FilterFields => ({ ...fields, label: name });
const remove = (fields: FilterFields): FilterFields => ({ ...fields, delete: true });

describe("a filter that a merge drops is a duplicate", () => {
  test.each<[string, FilterFields, FilterFields]>([
    ["by an operator among the words", { from: ["a@x.com"] }, { has_words: ["from:a@x.com"] }],
    ["by a minus", { ...shop, does_not_have: ["a b"] }, { ...shop, has_words: ['-"a b"'] }],
    ["in needless quotes", { has_words: ['"promo"'] }, { has_words: ["promo"] }],
    ["as alternatives of another form", { has_words: ["{a b}"] }, { has_words: ["(b OR a)"] }],
  ])("%s", (_, one, other) => {
    const filters = [label("a", one), label("a", other)];
    expect(mergeMailFilters(filters).dropped).toEqual([
      { index: 1, because: "same", duplicate_of: 0 },
    ]);
    expect(codesOf(...filters)).toContain("filters[1] duplicate-filter");
  });
});

describe("createMailFilters() compares filters", () => {
  const conflict = ["filters[1] conflicting-filters"];
  const duplicate = ["filters[1] duplicate-filter"];
  const broad = ["filters[0].delete broad-delete", ...conflict];
  const of = (subject: string) => ({ ...shop, subject: [subject] });
  const without = (word: string) => remove({ ...shop, does_not_have: [word] });
  const promo = { has_words: ["promo"] };
  const jo = label("a", { from: ["jo@mail.shop.com"] });
  const large = remove({ ...shop, larger_than_mb: 5 });
  const always: FilterFields = { ...shop, importance: "always" };
  const never: FilterFields = { from: ["@shop.com", "b@y.com"], importance: "never", label: "a" };
  const small = (smaller_than_mb: number) => label("a", { ...shop, smaller_than_mb });
  test.each<[string, FilterFields, FilterFields, string[]]>([
    ["the same twice", label("a", shop), label("a", shop), duplicate],
    ["an address and its domain", remove(shop), jo, conflict],
    ["a narrower filter", remove(shop), label("a", of("bill")), conflict],
    ["important and not", always, never, conflict],
    ["two categories", { ...shop, category: "promo" }, { ...shop, category: "social" }, conflict],
    ["another order", label("a", { to: ["a", "B"] }), label("a", { to: ["b", "a"] }), duplicate],
    ["the same words", remove(promo), label("a", { ...shop, has_words: ["PROMO"] }), broad],
    ["sizes that exclude each other", large, small(5), []],
    ["sizes that overlap", large, small(5.1), conflict],
    ["an excluded sender", label("a", { from: ["b@shop.com"] }), without("from:B@shop.com"), []],
    ["different labels", label("a", shop), label("b", shop), []],
    ["an exclusion", label("a", of("bill")), without("bill"), []],
    ["an importance beside none", always, { ...never, from: ["@other.com"] }, []],
  ])("%s", (_, one, other, codes) => expect(codesOf(one, other)).toEqual(codes));

  const clashes: [earlier: FilterFields, later: FilterFields, words: string][] = [
    [{ delete: true }, { star: true }, "the other deletes mail that this one keeps"],
    [{ star: true }, { delete: true }, "this one deletes mail that the other keeps"],
    [{ category: "promo" }, { category: "social" }, "they put the message in different categories"],
  ];
  test.each(clashes)(
    "and names the earlier one, and what is opposite: %j %j",
    (earlier, later, words) => {
      const { warnings } = createMailFilters({
        filters: [
          { name: 'The "shop"', from: ["@shop.com"], ...earlier },
          { from: ["@shop.com"], subject: ["bill"], ...later },
        ],
      });
      expect(warnings.map(({ message }) => message)).toEqual([
        `conflicts with \`filters[0]\` ("The shop"): ${words}`,
      ]);
    },
  );

  test("with one warning for each later filter, which names the first earlier one", () => {
    const twenty = Array.from({ length: 20 }, (_, index) =>
      index % 2 ? label(`a${index}`, shop) : remove({ ...shop, forward_to: `a${index}@y.com` }),
    );
    const conflicts = createMailFilters({ filters: twenty }).warnings.filter(
      ({ code }) => code === "conflicting-filters",
    );
    expect(conflicts).toHaveLength(19);
    expect(conflicts[0]?.message).toBe(
      'conflicts with `filters[0]` ("@shop.com"): the other deletes mail that this one keeps',
    );
    expect(conflicts[1]?.message).toContain("filters[1]");
    expect(conflicts[2]?.message).toContain("filters[0]");
  });
});
