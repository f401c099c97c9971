import { describe, expect, test } from "bun:test";
import type { MailFilterInput } from "../../../schemas/index.ts";
import { callTool, createMailFilters } from "../../../src/index.ts";
import type { FilterFields } from "./support.ts";

const addresses = (count: number) => Array.from({ length: count }, (_, at) => `a${at}@x.com`);
const one = (filter: FilterFields): MailFilterInput => ({ filters: [{ label: "L", ...filter }] });
const senders = (count: number) => one({ from: addresses(count) });
const filters = (count: number): MailFilterInput => ({
  filters: addresses(count).map((from) => ({ from: [from], label: "L" })),
});

const subject = (length: number) => one({ subject: ["b".repeat(length)] });
const words = (count: number, joiner: string) =>
  one({ has_words: [Array(count).fill("ab").join(joiner)] });

const cases: [what: string, within: MailFilterInput, above: MailFilterInput, message: string][] = [
  ["1,000 filters", filters(1000), filters(1001), "filters: must have at most 1,000 items"],
  ["500 items", senders(500), senders(501), "filters[0].from: must have at most 500 items"],
  ["1,400", subject(1389), subject(1401), "subject[0]: must have at most 1,400"],
  ["14,000", words(3500, "|"), words(3501, " |"), "has_words[0]: must have at most 14,000"],
];

describe('createMailFilters() with limits "extended" takes', () => {
  test.each(cases)("%s and no more", (_, within, above, message) => {
    expect(() => createMailFilters(within, { limits: "extended" })).not.toThrow();
    expect(() => createMailFilters(above, { limits: "extended" })).toThrow(message);
  });
});

/** A label and addresses that real exports have, and the specification's schema does not. */
const gmailOnly: [filter: object, codes: string[]][] = [
  [{ from: ["a/b@x.com"], forward_to: "a/b@x.com" }, ["forward-loop", "forward-unverified"]],
  [{ label: "[Gmail]/x" }, ["reserved-label"]],
  [{ label: "[Gm\u200cail] /x" }, ["reserved-label", "label-spaces"]],
  [{ forward_to: "incoming+user/project@x.example" }, ["forward-unverified"]],
  [{ forward_to: "a=b!c#b$c%d&e*f?g^h_i`{j|k}~'@x.example" }, ["forward-unverified"]],
];

describe('with limits "extended" only, createMailFilters() takes', () => {
  test.each(gmailOnly)("%j", (filter, codes) => {
    const input = { filters: [{ from: ["b@y.com"], ...filter }] };
    const { warnings } = createMailFilters(input, { limits: "extended" });
    expect<string[]>(warnings.map(({ code }) => code)).toEqual(codes);
    expect(() => createMailFilters(input)).toThrow(/must (?:not be under|be one e-mail address)/);
    expect(callTool("mail_filter_generator", input).ok).toBe(false);
  });
});

describe('neither with limits "extended" does createMailFilters() take', () => {
  test.each([
    [{ label: "[gmail]" }, "label: must not be [gmail], which belongs to Gmail"],
    [{ label: "[Gmail]/" }, "label: must have a name on both sides"],
    [{ forward_to: '"a b"@x.example' }, "forward_to: must be an e-mail address"],
    [{ forward_to: "a@x.example,b@y.example" }, "forward_to: must be an e-mail address"],
  ])("%j", (filter, message) => {
    const input = { filters: [{ from: ["b@y.com"], ...filter }] };
    expect(() => createMailFilters(input, { limits: "extended" })).toThrow(`filters[0].${message}`);
  });
});

test("a list of addresses that is too long gets the advice that an item may hold several", () => {
  expect(() => createMailFilters(senders(21))).toThrow(
    "filters[0].from: must have at most 20 items; one item may hold several addresses, separated by commas",
  );
});

describe("the public limits stay", () => {
  test.each(cases)("below %s", (_, within) => {
    expect(() => createMailFilters(within)).toThrow(
      /must have at most (?:20 items|200 characters)/,
    );
    expect(callTool("mail_filter_generator", within).ok).toBe(false);
  });
});
