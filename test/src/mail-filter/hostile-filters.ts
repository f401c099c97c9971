import fc from "fast-check";
import type { MailFilterInput } from "../../../schemas/index.ts";
import type { FilterFields } from "./support.ts";

/** Pieces that mean something to Gmail, to XML or to a terminal. */
const pieces = [
  ...["'", "[", "]", "<", ">", "&", "-", "--", "-->", "]]>", "!", " -b@y.com", ", !@y.com"],
  ...[" <-b@x.com>", "mailto:", "*", '"', "(", ")", "{", "}", "|", " ", "  ", "\t", "\n", "\r\n"],
  ...["\u00a0", "\u0085", "\u2028", "\u200b", "\u202e", "\ufeff", "\u3164", "\ufe0f"],
  ...["OR", "AND", "NOT", " AROUND 3 ", " or ", " OR ", "from:", "subject:", " -label:x", "is:a"],
  ...["a@x.com", "@x.com", "Bob <b@x.com>", ",", ";", ".com", "+", "%", "/", "\\", ":", "“", "”"],
  ...["invoice", "ünïcode", "語", "𝒳", "😀", "👨‍👩‍👧", "e\u0301", "&amp;", "&#0;", "<!--"],
  "<![CDATA[",
  ...["\u007f", "\u0090", "constructor", "__proto__", "0", "7", "&lt;", "&#x41;", "&quot;"],
];

const FORBIDDEN = ["\u0000", "\u001b", "\ud800", "\uffff"];

const cut = (text: string, maxLength: number): string => [...text].slice(0, maxLength).join("");

const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "grapheme", maxLength: 5 }));

const hostileText = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom("a", "7", "語", "x@y.com ", "-", ""), fc.array(piece, { maxLength: 12 }))
    .map(([start, parts]) => cut(start + parts.join(""), maxLength) || "a");

/** Search expressions that are put together by the rules, with hostile words in them. */
const expression: fc.Arbitrary<string> = fc
  .letrec<{ term: string; list: string }>((tie) => ({
    term: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(...["a", "語", "well-known", "a@x.com", "C++", "list:dev@x.org"]),
      fc.constantFrom("is:unread", "&amp;"),
      hostileText(30).map((text) => `"${text.replaceAll(/["“”„‟]/g, "")}b"`),
      tie("term").map((term) => `-${term.replace(/^-+/, "")}`),
      tie("list").map((list) => `(${list})`),
      tie("list").map((list) => `{${list}}`),
      tie("list").map((list) => `subject:(${list})`),
    ),
    list: fc
      .tuple(
        tie("term"),
        fc.array(fc.tuple(fc.constantFrom(" ", " OR ", " | ", " AND "), tie("term")), {
          maxLength: 3,
        }),
      )
      .map(([first, rest]) => [first, ...rest.flat()].join("")),
  }))
  .list.filter((text) => [...text].length <= 200);

const longText = fc
  .tuple(fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz"), fc.integer({ min: 50, max: 200 }))
  .map(([letter, length]) => letter.repeat(length));

const plainText = fc.constantFrom("invoice", "your order", "a@x.com", "@shop.example", "[Jira]");

const texts = fc
  .tuple(
    fc.array(fc.oneof(plainText, longText), { maxLength: 15 }),
    fc.array(hostileText(200), { maxLength: 1 }),
  )
  .map(([plain, hostile]) => [...plain, ...hostile]);

/** Filters that the schema accepts, most of them with something that tries to break the output. */
const hostileFilter: fc.Arbitrary<FilterFields> = fc
  .record(
    {
      name: fc.string({ unit: "binary", maxLength: 40 }),
      from: texts,
      to: texts,
      subject: texts,
      has_words: fc.array(fc.oneof(expression, plainText), { maxLength: 3 }),
      does_not_have: fc.array(fc.oneof(hostileText(200), plainText), { maxLength: 2 }),
      has_attachment: fc.boolean(),
      larger_than_mb: fc.oneof(
        fc.double({ min: 1e-6, max: 20, noNaN: true }),
        fc.integer({ min: 1, max: 20 }),
      ),
      smaller_than_mb: fc.oneof(
        fc.double({ min: 18, max: 50, noNaN: true }),
        fc.integer({ min: 18, max: 50 }),
      ),
      label: fc.oneof(hostileText(200), fc.constant("Money/Bills")),
      star: fc.boolean(),
      delete: fc.boolean(),
      importance: fc.constantFrom("always", "never"),
      category: fc.constantFrom("personal", "social", "promo", "notification", "group"),
      forward_to: fc.constantFrom("me@y.com", "o'x+1@b.co"),
    },
    { requiredKeys: [] },
  )
  .map((filter) => ({ ...filter, mark_read: true }));

/** One in twenty with a character that XML cannot carry. */
const spoilt: fc.Arbitrary<FilterFields> = fc
  .tuple(hostileFilter, fc.constantFrom(...FORBIDDEN), fc.boolean())
  .map(([filter, character, inName]) =>
    inName ? { ...filter, name: character } : { ...filter, subject: [`a${character}`] },
  );

export const hostileInput: fc.Arbitrary<MailFilterInput> = fc.record({
  filters: fc.array(
    fc.oneof({ weight: 19, arbitrary: hostileFilter }, { weight: 1, arbitrary: spoilt }),
    { minLength: 1, maxLength: 2 },
  ),
});
