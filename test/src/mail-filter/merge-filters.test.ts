import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  createMailFilters,
  mergeMailFilters,
  parseMailFilters,
} from "../../../src/mail-filter/index.ts";
import { tries } from "../../support/runs.ts";
import { gmailExport } from "./gmail-export.ts";
import type { FilterFields } from "./support.ts";
import { entriesIn, type Mail, treat } from "./truth-table.ts";

const senders = (count: number, start = 0) =>
  Array.from({ length: count }, (_, index) => `sender${start + index}@x.com`);

/** Two filters for two senders, with other conditions and what they do. */
const apart = (one: FilterFields, other: FilterFields): FilterFields[] => [
  { from: ["a@x.com"], ...one },
  { from: ["b@x.com"], ...other },
];
const both = (fields: FilterFields) => apart(fields, fields);
const joined = (fields: FilterFields): FilterFields[] => [
  { from: ["a@x.com", "b@x.com"], ...fields },
];
const pair = both({ label: "L" });

describe("mergeMailFilters() joins filters", () => {
  const starred = { has_words: ['"is:starred is a text"'], label: "L" };
  const exclusion = { does_not_have: ["r", "s"], has_words: ["p OR q"], label: "L" };
  const other = { has_words: ["is:starred", "has:attachment"], mark_read: true };
  test.each<[string, FilterFields[], FilterFields[]]>([
    [
      "that differ in their senders",
      apart({ from: ["b@x.com"], label: "L" }, { from: ["@a.com", "c@x.com"], label: "L" }),
      [{ from: ["b@x.com", "@a.com", "c@x.com"], label: "L" }],
    ],
    [
      "that differ in their recipients or subjects",
      [
        { to: ["a@x.com"], star: true },
        { subject: ["a b"], star: true },
        { to: ["me"], star: true },
        { subject: ["c"], star: true },
      ],
      [
        { to: ["a@x.com", "me"], star: true },
        { subject: ['"a b"', "c"], star: true },
      ],
    ],
    [
      "whose other conditions are equal in meaning",
      apart(exclusion, { has_words: ["{Q p}"], does_not_have: ["s", "r"], label: "l" }),
      joined(exclusion),
    ],
    ["whose phrase looks like a state", both(starred), joined(starred)],
    ["beside what they do not do", [...pair, other], [...joined({ label: "L" }), other]],
  ])("%s", (_, given, expected) => {
    expect(mergeMailFilters(given).filters).toEqual(expected);
  });

  test("and says which, and in which lists", () => {
    const given: FilterFields[] = [
      { from: ["a@x.com"], label: "L" },
      { from: ["k@x.com"], star: true },
      { from: ["b@x.com"], label: "L" },
      { from: ["K@x.com"], star: true },
      { from: ["A@x.com"], label: "L" },
    ];
    expect(mergeMailFilters(given)).toEqual({
      filters: [
        { from: ["a@x.com", "b@x.com"], label: "L" },
        { from: ["k@x.com"], star: true },
      ],
      merged: [{ index: 0, replaces: [0, 2, 4], combined_fields: ["from"] }],
      dropped: [{ index: 3, because: "same", duplicate_of: 1 }],
    });
  });
});

describe("mergeMailFilters() leaves filters as they are", () => {
  const long = { subject: Array.from({ length: 7 }, (_, i) => `${i} ${"w".repeat(188)}`) };
  const c = { subject: ["c"] };
  const words = (text: string, fields: FilterFields = { star: true }) => {
    return { has_words: [text], ...fields };
  };
  const inbox = words("in:inbox c");
  const many = (count: number, start: number) => ({ from: senders(count, start), label: "L" });
  test.each<[string, FilterFields[]]>([
    [
      "of which one lacks the list",
      [
        { ...pair[0], ...c },
        { ...c, label: "L" },
      ],
    ],
    ["that differ in required words", ["a", "b"].map((word) => words(word, { label: "L" }))],
    ["that differ in a list and in words", apart(words("p"), words("q"))],
    ["that forward to two addresses", apart({ forward_to: "p@y.com" }, { forward_to: "q@y.com" })],
    ["that ask for a label", both(words("label:p", { star: true }))],
    ["that ask for no label", both({ does_not_have: ["has:userlabels"], star: true })],
    ["that ask for a date", both(words("after:2026/01/01", { star: true }))],
    ["that archive, beside one that asks for the inbox", [...both({ skip_inbox: true }), inbox]],
    ["where a split would make as many entries", both({ label: "L", ...long })],
    ["where each is as long as one can be", [100, 200, 300].map((start) => many(73, start))],
    ["of which Gmail may have each as one entry", [100, 200].map((start) => many(78, start))],
    ["that repeat each other but depend on order", [1, 2].map(() => words("label:p"))],
  ])("%s", (_, given) => {
    expect(mergeMailFilters(given)).toEqual({ filters: given, merged: [], dropped: [] });
  });

  test.each<[string, Record<string, string>, FilterFields[]]>([
    ["that an unread entry asks for", { hasTheWord: '"label:l', shouldStar: "true" }, pair],
  ])("%s", (_, entry, given) => {
    const { left_out } = parseMailFilters(gmailExport(entry));
    expect(left_out).toHaveLength(1);
    expect(mergeMailFilters(given, { left_out }).filters).toEqual(given);
    expect(mergeMailFilters(given).filters).toHaveLength(1);
  });
});

describe("mergeMailFilters() takes", () => {
  test("999 filters, whose list is too long for one", () => {
    const given = senders(999).map((from) => ({ from: [from], label: "L" }));
    const { filters, merged } = mergeMailFilters(given);
    expect(filters.map(({ from }) => from?.length)).toEqual([500, 499]);
    expect(merged.flatMap(({ replaces }) => replaces).sort((a, b) => a - b)).toEqual([
      ...given.keys(),
    ]);
    const { file } = createMailFilters({ filters }, { limits: "extended" });
    expect(entriesIn(file.content).length).toBeLessThan(20);
    expect(mergeMailFilters(filters)).toEqual({ filters, merged: [], dropped: [] });
  });
});

describe("mergeMailFilters(), for random filters,", () => {
  const some = <Item>(items: readonly Item[], max = 2) =>
    fc.subarray([...items], { minLength: 1, maxLength: max });
  /** Absent `times` times as often as present. */
  const maybe = <Item>(arbitrary: fc.Arbitrary<Item>, times = 2) =>
    fc.oneof({ arbitrary: fc.constant(undefined), weight: times }, { arbitrary, weight: 1 });
  const addresses = ["a@x.com", "b@x.com", "c@y.com", "@y.com", "A@x.com"];
  const words = ["p", "q", "has:nouserlabels", "label:l", "is:unread"];
  const filter = fc
    .record({
      from: maybe(some(addresses), 0),
      to: maybe(some(["d@x.com", "e@x.com"])),
      subject: maybe(some(["s", "t", "u"])),
      has_words: maybe(some(words, 1), 9),
      does_not_have: maybe(some(words.slice(1, 4), 1), 9),
      larger_than_mb: maybe(fc.constantFrom(1, 2), 6),
      label: maybe(fc.constantFrom("L", "l", "M")),
      star: maybe(fc.constant(true)),
      mark_read: maybe(fc.constant(true), 6),
      category: maybe(fc.constantFrom("promo" as const, "social" as const), 5),
      importance: maybe(fc.constantFrom("always" as const, "never" as const), 5),
      delete: maybe(fc.constant(true), 8),
    })
    .map((fields): FilterFields => JSON.parse(JSON.stringify(fields)))
    .filter(({ from, to, subject, has_words }) => Boolean(from ?? to ?? subject ?? has_words))
    .map((fields): FilterFields => {
      const { label, star, mark_read, category, importance, delete: deletes } = fields;
      const acts = label ?? star ?? mark_read ?? category ?? importance ?? deletes;
      return acts === undefined ? { ...fields, label: "L" } : fields;
    });
  // Many alike, so that there is much to join.
  const filters = fc
    .tuple(
      fc.array(filter, { minLength: 1, maxLength: 4 }),
      fc.array(fc.tuple(fc.nat(), some(addresses), some(["s", "t", "u"])), { maxLength: 12 }),
    )
    .map(([first, more]) => [
      ...first,
      ...more.map(([index, from, subject]): FilterFields => {
        const base = first[index % first.length] ?? {};
        return index % 2 === 0 || !base.subject ? { ...base, from } : { ...base, subject };
      }),
    ]);
  const mails: Mail[] = ["a@x.com", "b@x.com", "c@y.com", "z@z.com"].flatMap((from) =>
    [[], ["d@x.com"], ["d@x.com", "e@x.com"]].flatMap((to) =>
      [["s"], ["t", "u"], []].flatMap((subject) =>
        [[], ["p"], ["p", "q"]].map((own, index) => ({
          ...{ from, to, subject, words: own, megabytes: 1.5 * (index + 0.5) },
        })),
      ),
    ),
  );
  const file = (given: readonly FilterFields[]) =>
    given.length === 0
      ? []
      : entriesIn(createMailFilters({ filters: [...given] }, { limits: "extended" }).file.content);

  test("lets the same happen to all mail, also when the new ones come last", () => {
    let joins = 0;
    fc.assert(
      fc.property(filters, (given) => {
        const { filters: after, merged } = mergeMailFilters(given);
        joins += merged.length;
        const isNew = new Set(merged.map(({ index }) => index));
        const kept = after.filter((_, index) => !isNew.has(index));
        const added = after.filter((_, index) => isNew.has(index));
        const [before, reordered] = [file(given), file([...kept, ...added])];
        expect(mails.map((mail) => treat(mail, reordered))).toEqual(
          mails.map((mail) => treat(mail, before)),
        );
        expect(reordered.length).toBeLessThanOrEqual(before.length);
      }),
      tries(25),
    );
    expect(joins).toBeGreaterThan(12);
  });

  test("has each filter once: as it was, joined or as a repeat", () => {
    fc.assert(
      fc.property(filters, (given) => {
        const { filters: after, merged, dropped } = mergeMailFilters(given);
        const gone = [
          ...merged.flatMap(({ replaces }) => replaces),
          ...dropped.map(({ index }) => index),
        ];
        expect(new Set(gone).size).toBe(gone.length);
        const isNew = new Set(merged.map(({ index }) => index));
        expect(after.filter((_, index) => !isNew.has(index))).toEqual(
          given.filter((_, index) => !gone.includes(index)),
        );
      }),
      tries(25),
    );
  });

  test("merges twice as once", () => {
    fc.assert(
      fc.property(filters, (given) => {
        const { filters: after } = mergeMailFilters(given);
        expect(mergeMailFilters(after)).toEqual({ filters: after, merged: [], dropped: [] });
      }),
      tries(25),
    );
  });

  test("gives the same set for any order", () => {
    const asSet = (given: readonly FilterFields[]) =>
      file(mergeMailFilters(given).filters)
        .map((entry) => Array.from(entry, ([name, value]) => [name, value.split(" OR ").sort()]))
        .map((entry) => JSON.stringify(entry).toLowerCase())
        .sort();
    fc.assert(
      fc.property(
        filters.chain((given) =>
          fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })),
        ),
        ([given, shuffled]) => expect(asSet(shuffled)).toEqual(asSet(given)),
      ),
      tries(25),
    );
  });
});
