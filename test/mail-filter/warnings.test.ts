import { describe, expect, test } from "bun:test";
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
  [{ to: ["@Y.com"], forward_to: "me@y.com" }, "forward_to", "forward-loop"],
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
  { subject: ["50% off", "C++", "it's", "Re: hi", "#5 (draft)", "DO NOT REPLY"] },
];

describe("mailFilter() has nothing to remark on", () => {
  test.each(ordinary)("%j", (filter) => expect(oneFilter(filter).warnings).toEqual([]));
});

describe("mailFilter() advises what helps with an operator in a text", () => {
  test.each<[FilterFields, string]>([
    [{ subject: ["this OR that"] }, "give each its own item"],
    [{ subject: ["a|b"] }, "give each its own item"],
    [{ subject: ["this AND that"] }, "operators work in has_words only"],
    [{ subject: ["-sale"] }, "to keep mail out, use does_not_have"],
    [{ subject: ["inv*"] }, "Gmail has no wildcards"],
    [{ subject: ["from:bob"] }, "operators work in has_words only"],
    [{ ...shop, does_not_have: ["a OR b"] }, "give each its own item"],
    [{ ...shop, does_not_have: ["inv*"] }, "Gmail has no wildcards"],
  ])("%j", (filter, advice) =>
    expect(oneFilter(filter).warnings).toEqual([
      expect.objectContaining({
        code: "operator-taken-literally",
        message: expect.stringContaining(advice),
      }),
    ]),
  );
});
