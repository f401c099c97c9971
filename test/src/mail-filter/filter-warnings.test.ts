import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createMailFilters } from "../../../src/index.ts";
import { tries } from "../../support/runs.ts";
import { type FilterFields, oneFilter } from "./support.ts";

const shop = { from: ["@shop.com"] };

const warningCases: [filter: FilterFields, path: string, code: string][] = [
  [{ name: "a\u0007", ...shop }, "name", "read-as"],
  [{ subject: ["a\u200bb"] }, "subject[0]", "read-as"],
  [{ subject: ["this OR that"] }, "subject[0]", "operator-taken-literally"],
  [{ subject: ["inv*"] }, "subject[0]", "operator-taken-literally"],
  [{ subject: ["a +sale"] }, "subject[0]", "operator-taken-literally"],
  [{ from: ["+bob"] }, "from[0]", "operator-taken-literally"],
  [{ ...shop, does_not_have: ["+sale now"] }, "does_not_have[0]", "operator-taken-literally"],
  [{ subject: ['"inv* total"'] }, "subject[0]", "operator-taken-literally"],
  [{ subject: ["invoice NOT draft"] }, "subject[0]", "operator-taken-literally"],
  [{ ...shop, does_not_have: ["NOT me"] }, "does_not_have[0]", "unknown-operator"],
  [{ ...shop, does_not_have: ['subject:"a* b"'] }, "does_not_have[0]", "operator-taken-literally"],
  [{ ...shop, does_not_have: ["com"] }, "does_not_have[0]", "broad-address"],
  [{ ...shop, has_attachment: false }, "has_attachment", "ignored-condition"],
  [{ subject: ["a", "A"] }, "subject[1]", "read-as"],
  [{ does_not_have: ["a"] }, "does_not_have", "matches-almost-all"],
  [{ larger_than_mb: 50 }, "larger_than_mb", "larger-than-any-message"],
  [{ ...shop, label: "spam" }, "label", "reserved-label"],
  [{ ...shop, label: "CATEGORY_SOCIAL" }, "label", "reserved-label"],
  [{ ...shop, delete: true }, "delete", "acts-on-deleted"],
  [{ ...shop, label: undefined, delete: true, never_spam: true }, "delete", "acts-on-deleted"],
  [{ has_words: ["sale"], label: undefined, delete: true }, "delete", "broad-delete"],
  [{ subject: ["a"], never_spam: true }, "never_spam", "never-spam-without-sender"],
  [{ from: ["@gmail.com"], never_spam: true }, "never_spam", "never-spam-without-sender"],
  [{ ...shop, forward_to: "me@y.com" }, "forward_to", "forward-unverified"],
  [{ from: ["ME@y.com"], forward_to: "me@y.com" }, "forward_to", "forward-loop"],
];

describe("createMailFilters() warns about", () => {
  test.each(warningCases)("%j", (filter, path, code) => {
    const found = oneFilter(filter).warnings.map((warning) => [warning.path, warning.code]);
    expect(found).toContainEqual([`filters[0].${path}`, code]);
  });
});

test.each<[FilterFields, "info" | "warning" | undefined]>([
  [{ ...shop, has_attachment: false }, "info"],
  [{ ...shop, has_attachment: false, delete: true }, "warning"],
  [{ ...shop, has_attachment: false, forward_to: "me@y.com" }, "warning"],
  [{ ...shop, has_attachment: false, delete: true, does_not_have: ["has:attachment"] }, undefined],
  [{ ...shop, has_attachment: true }, undefined],
])(
  "createMailFilters() says that has_attachment: false is no condition: %j, %s",
  (filter, severity) => {
    const found = oneFilter(filter).warnings.find(({ code }) => code === "ignored-condition");
    expect(found?.severity).toBe(severity);
  },
);

test("createMailFilters() warns once of all forwarding", () => {
  const forwards = Array.from({ length: 20 }, (_, index) => ({
    from: [`a${index}@x.com`],
    forward_to: `me${index}@y.com`,
  }));
  const message = expect.stringContaining("me0@y.com, me1@y.com, me2@y.com and 17 more in Gmail");
  const finding = { code: "forward-unverified", path: "filters", message };
  expect(createMailFilters({ filters: forwards }).warnings).toMatchObject([finding]);
});

test("createMailFilters() names in one warning the filters that let all spam through", () => {
  const filters = [
    { name: "Jobs", subject: ["job"], never_spam: true },
    { from: ["ann@x.com"], never_spam: true },
    { has_words: ['"college admission"'], never_spam: true },
  ];
  const message = expect.stringContaining('"Jobs" and "college admission" let spam from anyone');
  const finding = { code: "never-spam-without-sender", path: "filters", message };
  expect(createMailFilters({ filters }).warnings).toMatchObject([finding]);
});

test("createMailFilters() warns of the most harmful first, and of what is worth knowing last", () => {
  const filters = [
    { from: ["*@shop.com", "Bob <b@x.com>"], label: "Spam" },
    { subject: ["a", "A"], never_spam: true },
    { has_words: ["sale"], delete: true },
  ];
  expect(createMailFilters({ filters }).warnings.map(({ code }) => code)).toEqual([
    "broad-delete",
    "never-spam-without-sender",
    "reserved-label",
    "read-as",
    "read-as",
  ]);
});

const ordinary: FilterFields[] = [
  { name: "Bills", from: ["billing@acme.test", "@shop.test"], subject: ["invoice", "[Jira]"] },
  { has_words: ['"annual report"', "list:dev@x.org"], does_not_have: ["refund"] },
  { has_words: ["(invoice OR receipt) has:attachment"], larger_than_mb: 5 },
  { from: ["ann@x.com"], star: true, importance: "always", never_spam: true },
  { to: ["me+shop@x.com"], label: "Shop/Orders", category: "promo", mark_read: true },
  { from: ["ads@x.com"], label: undefined, delete: true },
  { subject: ["50% off", "C++", "it's", "Re: hi", "#5 (draft)", "DO NOT REPLY"] },
  { from: ["@gov.uk", "@ac.jp", "@bbc.co.uk"] },
  { ...shop, does_not_have: ["Payment NOT received"] },
  { ...shop, has_attachment: false, does_not_have: ['has:"attachment"'] },
  { has_words: ["from:(a@x.com OR b@y.com)"], never_spam: true },
  { has_words: ["(from:a@x.com OR from:b@y.com) sale"], never_spam: true },
  { ...shop, label: undefined, delete: true, importance: "never" },
  { ...shop, does_not_have: ["larger:5M"] },
];

describe("createMailFilters() does not warn about", () => {
  test.each(ordinary)("%j", (filter) => expect(oneFilter(filter).warnings).toEqual([]));
});

describe("createMailFilters() advises what helps with an operator in a text", () => {
  test.each<[FilterFields, string]>([
    [{ subject: ["this OR that"] }, "write each as a separate item"],
    [{ subject: ["a -sale"] }, "to exclude messages, use `does_not_have`"],
    [{ subject: ["inv*"] }, "Gmail has no wildcards"],
    [{ subject: ["from:bob"] }, "operators work only in `has_words`"],
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

/** Made to be judged without our parser: whether it finds a mail with nothing in it. */
interface Made {
  readonly text: string;
  readonly findsEmptyMail: boolean;
}

const made = (text: string, findsEmptyMail: boolean): Made => ({ text, findsEmptyMail });

const bracketed: fc.Arbitrary<Made> = fc.letrec<{ term: Made; list: Made; group: Made }>((tie) => ({
  term: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("a", '"b c"', "from:d", "has:attachment").map((text) => made(text, false)),
    fc.constantFrom("-a", '-"b c"', "-from:d").map((text) => made(text, true)),
    tie("group"),
    tie("group").map(({ text, findsEmptyMail }) => made(`-${text}`, !findsEmptyMail)),
    tie("group").map(({ text, findsEmptyMail }) => made(`subject:${text}`, findsEmptyMail)),
  ),
  list: fc
    .array(fc.tuple(tie("term"), fc.constantFrom(" ", " AND ", " OR ", " | ")), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) =>
      made(
        parts.map(([{ text }, joiner], index) => text + (parts[index + 1] ? joiner : "")).join(""),
        findsEmptyMail(parts),
      ),
    ),
  group: fc.oneof(
    tie("list").map(({ text, findsEmptyMail }) => made(`(${text})`, findsEmptyMail)),
    fc.array(tie("term"), { minLength: 1, maxLength: 3 }).map((terms) =>
      made(
        `{${terms.map(({ text }) => text).join(" ")}}`,
        terms.some((term) => term.findsEmptyMail),
      ),
    ),
  ),
})).list;

/** Whichever Gmail joins first: the terms beside an OR, or the terms beside a space. */
function findsEmptyMail(parts: readonly (readonly [Made, string])[]): boolean {
  const written = parts.map(([term, joiner], index) => {
    const joins = parts[index + 1] ? (/OR|\|/.test(joiner) ? "+" : "*") : "";
    return `${term.findsEmptyMail ? 1 : 0}${joins}`;
  });
  const bits = written.join("");
  const spacesFirst = bits.split("+").some((part) => !part.includes("0"));
  const orsFirst = bits.split("*").every((part) => part.includes("1"));
  return spacesFirst || orsFirst;
}

const TRIES = tries(200);

test("an expression that finds a mail with nothing in it is said to match almost all mail", () => {
  let found = 0;
  fc.assert(
    fc.property(bracketed, ({ text, findsEmptyMail }) => {
      fc.pre(text.length <= 200 && /[" (){}|:-]/.test(text));
      if (!findsEmptyMail) return;
      found += 1;
      expect(oneFilter({ has_words: [text] }).codes).toContain("matches-almost-all");
    }),
    TRIES,
  );
  expect(found).toBeGreaterThan(TRIES.numRuns / 10);
});
