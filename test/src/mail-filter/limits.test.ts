import { describe, expect, test } from "bun:test";
import type { MailFilterInput } from "../../../schemas/index.ts";
import { callTool, mailFilter } from "../../../src/index.ts";

const filters = (count: number): MailFilterInput => ({
  filters: Array.from({ length: count }, (_, index) => ({
    from: [`@shop${index}.example`],
    label: "L",
  })),
});

const senders = (count: number): MailFilterInput => ({
  filters: [{ from: Array.from({ length: count }, (_, index) => `a${index}@x.com`), label: "L" }],
});

const expression = (length: number): MailFilterInput => ({
  filters: [{ has_words: [`a OR ${"b".repeat(length - 5)}`], label: "L" }],
});

const cases: [what: string, within: MailFilterInput, above: MailFilterInput, message: string][] = [
  ["1,000 filters", filters(1000), filters(1001), "filters: must have at most 1,000 items"],
  ["500 items", senders(500), senders(501), "filters[0].from: must have at most 500 items"],
  [
    "1,400 characters",
    { filters: [{ subject: ["b".repeat(1389)], label: "L" }] },
    expression(1401),
    "filters[0].has_words[0]: must have at most 1,400 characters",
  ],
];

describe('mailFilter() with limits "gmail" takes', () => {
  test.each(cases)("%s and no more", (_, within, above, message) => {
    expect(() => mailFilter(within, { limits: "gmail" })).not.toThrow();
    expect(() => mailFilter(above, { limits: "gmail" })).toThrow(message);
  });
});

test("a list of addresses that is too long gets the advice that an item may hold several", () => {
  expect(() => mailFilter(senders(21))).toThrow(
    "filters[0].from: must have at most 20 items; one item may hold several addresses, separated by commas",
  );
});

describe("the public limits stay", () => {
  test.each(cases)("below %s", (_, within) => {
    expect(() => mailFilter(within)).toThrow(/must have at most (?:20 items|200 characters)/);
    expect(callTool("mail_filter_generator", within).ok).toBe(false);
  });
});
