import { describe, expect, test } from "bun:test";
import { mailFilter } from "../../src/index.ts";
import { type FilterFields, oneFilter } from "./one-filter.ts";

const shop = { from: ["@shop.com"] };

const remarks: [filter: FilterFields, path: string, code: string][] = [
  [{ name: "a\u0007", ...shop }, "name", "characters-removed"],
  [{ name: "a\u202e", ...shop }, "name", "invisible-removed"],
  [{ subject: ["a\u200bb"] }, "subject[0]", "invisible-removed"],
  [{ subject: ['5" disk'] }, "subject[0]", "quote-removed"],
  [{ subject: ["this OR that"] }, "subject[0]", "operator-taken-literally"],
  [{ subject: ["inv*"] }, "subject[0]", "operator-taken-literally"],
  [{ subject: ["{a b}"] }, "subject[0]", "operator-taken-literally"],
  [{ subject: ["subject:x"] }, "subject[0]", "operator-taken-literally"],
  [{ subject: ["a", "A"] }, "subject[1]", "repeated"],
  [{ from: ["Acme Billing"] }, "from[0]", "not-an-address"],
  [{ from: ["Bob <b@x.com>"] }, "from[0]", "address-taken"],
  [{ from: ["a@x.com, b@x.com"] }, "from[0]", "several-addresses"],
  [{ from: ["@com"] }, "from[0]", "top-level-domain"],
  [{ from: ["a@bücher.example"] }, "from[0]", "international-domain"],
  [{ has_words: ["a", "b"] }, "has_words", "all-words-required"],
  [{ has_words: ["is:unread"] }, "has_words[0]", "judged-at-delivery"],
  [{ has_words: ["a -label:x"] }, "has_words[0]", "judged-at-delivery"],
  [{ has_words: ["has:nouserlabels"] }, "has_words[0]", "judged-at-delivery"],
  [{ has_words: ["from: x"] }, "has_words[0]", "space-after-operator"],
  [{ has_words: ["a or b"] }, "has_words[0]", "lower-case-operator"],
  [{ has_words: ["a or b OR c"] }, "has_words[0]", "lower-case-operator"],
  [{ has_words: ["wow!great OR c"] }, "has_words[0]", "exclamation-mark"],
  [{ has_words: ["-a"] }, "has_words[0]", "only-excludes"],
  [{ has_words: ["larger:5M"], smaller_than_mb: 9 }, "has_words", "size-twice"],
  [{ does_not_have: ["a OR b"], ...shop }, "does_not_have[0]", "operator-taken-literally"],
  [{ does_not_have: ["a"] }, "does_not_have", "matches-almost-all"],
  [{ larger_than_mb: 50 }, "larger_than_mb", "larger-than-any-mail"],
  [{ ...shop, label: "spam" }, "label", "reserved-label"],
  [{ ...shop, label: "CATEGORY_SOCIAL" }, "label", "reserved-label"],
  [{ ...shop, label: "^x" }, "label", "system-label"],
  [{ ...shop, label: "a\\b" }, "label", "backslash-in-label"],
  [{ ...shop, delete: true }, "delete", "acts-on-deleted"],
  [{ ...shop, label: undefined, delete: true, skip_inbox: true }, "delete", "redundant-skip-inbox"],
  [{ ...shop, label: undefined, delete: true, never_spam: true }, "delete", "deletes-spam-too"],
  [{ larger_than_mb: 9, label: undefined, delete: true }, "delete", "broad-delete"],
  [{ subject: ["a"], never_spam: true }, "never_spam", "never-spam-without-sender"],
  [{ from: ["@gmail.com"], never_spam: true }, "never_spam", "never-spam-free-mail"],
  [{ ...shop, never_spam: true }, "never_spam", "domain-is-no-proof"],
  [{ ...shop, importance: "always" }, "importance", "domain-is-no-proof"],
  [{ ...shop, category: "promo", skip_inbox: true }, "category", "category-without-inbox"],
  [{ ...shop, forward_to: "me@y.com" }, "forward_to", "forward-unverified"],
  [{ from: ["ME@y.com"], forward_to: "me@y.com" }, "forward_to", "forward-loop"],
];

describe("mailFilter() remarks on", () => {
  test.each(remarks)("%j", (filter, path, code) => {
    const found = oneFilter(filter).warnings.map((warning) => [warning.path, warning.code]);
    expect(found).toContainEqual([`filters[0].${path}`, code]);
  });
});

const ordinary: FilterFields[] = [
  { name: "Bills", from: ["billing@acme.test", "@shop.test"], subject: ["invoice", "[Jira]"] },
  { has_words: ["annual report", "list:dev@x.org"], does_not_have: ["refund"] },
  { has_words: ["(invoice OR receipt) has:attachment"], larger_than_mb: 5 },
  { from: ["ann@x.com"], star: true, importance: "always", never_spam: true },
  { to: ["me+shop@x.com"], label: "Shop/Orders", category: "promo", mark_read: true },
  { from: ["ads@x.com"], label: undefined, delete: true },
  { subject: ["50% off", "C++", "it's", "Re: hi", "#5 (draft)"] },
];

describe("mailFilter() has nothing to remark on", () => {
  test.each(ordinary)("%j", (filter) => expect(oneFilter(filter).warnings).toEqual([]));
});

const codesOf = (...filters: FilterFields[]): string[] =>
  mailFilter({ filters }).warnings.map(({ code, path }) => `${path} ${code}`);

const label = (name: string, fields: FilterFields): FilterFields => ({ ...fields, label: name });
const remove = (fields: FilterFields): FilterFields => ({ ...fields, delete: true });

describe("mailFilter() compares filters", () => {
  const conflict = ["filters[1] conflicting-filters"];
  test.each<[string, FilterFields[], string[]]>([
    ["the same twice", [label("a", shop), label("a", shop)], ["filters[1] duplicate-filter"]],
    [
      "the same but for case",
      [label("a", shop), label("a", { from: ["@SHOP.com"] })],
      ["filters[1] duplicate-filter"],
    ],
    ["delete and label", [label("a", shop), remove(shop)], conflict],
    [
      "an address and its domain",
      [remove(shop), label("a", { from: ["jo@mail.shop.com"] })],
      conflict,
    ],
    ["a narrower filter", [remove(shop), label("a", { ...shop, subject: ["bill"] })], conflict],
    [
      "important and not",
      [
        { ...shop, importance: "always" },
        { from: ["@shop.com", "b@y.com"], importance: "never", label: "a" },
      ],
      ["filters[0].importance domain-is-no-proof", ...conflict],
    ],
    [
      "two categories",
      [
        { ...shop, category: "promo" },
        { ...shop, category: "social" },
      ],
      conflict,
    ],
    ["different labels", [label("a", shop), label("b", shop)], []],
    ["different senders", [label("a", shop), remove({ from: ["@other.com"] })], []],
    [
      "different subjects",
      [label("a", { ...shop, subject: ["bill"] }), remove({ ...shop, subject: ["sale"] })],
      [],
    ],
    [
      "an exclusion",
      [label("a", { ...shop, subject: ["bill"] }), remove({ ...shop, does_not_have: ["bill"] })],
      [],
    ],
    [
      "labels that differ in case",
      [label("a", shop), label("A", { from: ["x@y.com"] })],
      ["filters[1].label label-differs-in-case"],
    ],
  ])("%s", (_, filters, codes) => expect(codesOf(...filters)).toEqual(codes));
});
