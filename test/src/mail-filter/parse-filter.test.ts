import { describe, expect, test } from "bun:test";
import { type FilterFields, oneFilter, rejections } from "./support.ts";

describe("createMailFilters() rejects what Gmail cannot express", () => {
  test.each([
    [{ subject: ["..."] }, "subject[0]: must contain a letter or a digit"],
    [{ subject: ["   "] }, "subject[0]: must not be blank"],
    [
      { subject: ["-a"] },
      "subject[0]: must not start with - or !; to exclude messages, use `does_not_have`",
    ],
    [{ subject: ["a\u0000"] }, "subject[0]: must not contain U+0000"],
    [{ smaller_than_mb: 2 ** -20 - 1e-9 }, "smaller_than_mb: must be at least one byte"],
    [{ larger_than_mb: 5, smaller_than_mb: 5 }, "larger_than_mb: must be less than"],
    [{ larger_than_mb: 1, smaller_than_mb: 1 + 1e-9 }, "larger_than_mb: must be less than"],
    [{ from: ["a@x.com"], label: "" }, "label: must not be blank"],
    [{ from: ["a@x.com"], label: "a/ /b" }, "label: must have a name on both sides of each slash"],
    [{ from: ["a@x.com"], label: "[gMail]" }, "label: must not be [gMail], which belongs to Gmail"],
    [{ from: ["a@x.com"], label: " [GMAIL] /x" }, "label: must not be under [Gmail]"],
    [{ from: ["a@x.com"], forward_to: "a/b@x.com" }, "forward_to: must be one e-mail address"],
    [{}, ": must have a condition"],
    [{ from: [], has_attachment: false }, ": must have a condition"],
  ])("%j", (filter, message) => {
    const expected = `filters[0]${message.startsWith(":") ? "" : "."}${message}`;
    expect(rejections(filter)).toEqual([expect.stringContaining(expected)]);
  });

  test.each([{}, { star: false, delete: false }])(
    "a filter whose only actions are %j",
    (actions) => {
      expect(rejections({ from: ["a@x.com"], ...actions, label: undefined })).toEqual([
        expect.stringContaining("filters[0]: must have an action: one of `label`, `skip_inbox`"),
      ]);
    },
  );

  test("all reasons at once", () => {
    expect(rejections({ from: ["-a"], subject: ["!!!"], label: "inbox" })).toHaveLength(3);
  });
});

const doubtful: FilterFields[] = [
  { does_not_have: ["sale"] },
  { from: ["a@x.com"], label: "=^.^=" },
  { from: ["a@x.com"], label: "Projects/INBOX" },
  { from: ["a@"] },
  { larger_than_mb: 2 ** -20 },
  { larger_than_mb: 1, smaller_than_mb: 1.000001 },
  { has_words: ["((a OR b) c)"] },
  { name: "\u0000", from: ["a@x.com"] },
];

describe("createMailFilters() accepts what only looks doubtful", () => {
  test.each(doubtful)("%j", (filter) => {
    expect(rejections(filter)).toEqual([]);
    expect(oneFilter(filter).search).not.toBe("");
  });
});
