import { describe, expect, test } from "bun:test";
import type { ValidMailFilterInput } from "../../../schemas/index.ts";
import { InvalidInputError } from "../../../src/index.ts";
import { mailFilterTool } from "../../../src/mail-filter/mail-filter.ts";

const terms = (count: number, length: number, letter = "x"): string[] =>
  Array.from({ length: count }, (_, index) => `${index}`.padStart(2, "0").padEnd(length, letter));

const addresses = (count: number, length: number): string[] =>
  terms(count, length - "@x.com".length).map((local) => `${local}@x.com`);

const lists = { from: addresses(20, 200), to: addresses(20, 200) };

const runWithin = (input: ValidMailFilterInput, resultBytes: number) =>
  mailFilterTool.run(input, { resultBytes });

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const inputs: Record<string, ValidMailFilterInput> = {
  "one entry": { filters: [{ from: ["a@x.com"], label: "A & B" }] },
  "two split lists": { filters: [{ ...lists, label: '"<\\>"', name: "--> &" }] },
  "three split lists": {
    filters: [{ ...lists, subject: terms(20, 200), delete: true, name: "a" }],
  },
  "two filters": {
    filters: [
      { ...lists, star: true },
      { subject: ["a&b", '"c"'], does_not_have: ["<d>"], label: "l" },
    ],
  },
  "sizes and words": {
    filters: [
      {
        from: addresses(20, 100),
        has_words: ["a OR b"],
        larger_than_mb: 1,
        smaller_than_mb: 2.5,
        mark_read: true,
      },
    ],
  },
};

describe("mailFilterTool rejects a result above the limit, and none below it", () => {
  test.each(Object.entries(inputs))("%s", (_, input) => {
    const result = mailFilterTool.run(input, {});
    expect(runWithin(input, bytesOf(result))).toEqual(result);
    expect(() => runWithin(input, bytesOf(result) - 1)).toThrow(InvalidInputError);
  });

  test("letters of several bytes are never counted too low", () => {
    const input = { filters: [{ subject: terms(20, 200, "語"), label: "L" }] };
    const bytes = bytesOf(mailFilterTool.run(input, {}));
    expect(() => runWithin(input, bytes - 1)).toThrow(InvalidInputError);
    expect(() => runWithin(input, bytes + 500)).not.toThrow();
  });
});

test("the message names the longest filter and the way out", () => {
  const input = {
    filters: [
      { subject: ["a"], star: true },
      { ...lists, star: true },
    ],
  };
  expect(() => runWithin(input, 10_000)).toThrow(
    "filters[1]: makes a result of more than 10,000 bytes; shorten it, or send the filters in several requests",
  );
});
