import { describe, expect, test } from "bun:test";
import { callTool } from "../../../src/index.ts";

const issues = (...filters: unknown[]): string[] => {
  const result = callTool("mail_filter_generator", { filters });
  return result.ok ? [] : result.error.issues.map(({ path, message }) => `${path}: ${message}`);
};

const good = { from: ["a@x.com"], label: "L" };

describe("an input that breaks the schema", () => {
  test("gets more issues, in the same filter and in others", () => {
    expect(
      issues({ ...good, larger_than_mb: 99, subject: ["-a", 5], label: "inbox" }, good, {
        does_not_have: ["-x"],
      }),
    ).toEqual([
      expect.stringContaining("filters[0].subject[1]: must be a string"),
      expect.stringContaining("filters[0].larger_than_mb: must be at most 50"),
      expect.stringContaining("filters[0].subject[0]: must not start with -"),
      expect.stringContaining("filters[0].label: must not be inbox"),
      expect.stringContaining("filters[2]: must have an action"),
      expect.stringContaining("filters[2].does_not_have[0]: must not have - or !, as in -x"),
    ]);
  });

  test.each<[string, unknown[], string[]]>([
    ["no filter", [5, good], ["filters[0]: must be an object"]],
    [
      "a filter whose condition is rejected",
      [{ from: "a", label: "L" }],
      ["filters[0].from: must be an array"],
    ],
    ["an unknown field", [{ ...good, form: ["-a"] }], ["filters[0].form: is not a known field"]],
    ["a strange field", [{ ...good, "a b": 1 }], ['filters[0]["a b"]: is not a known field']],
  ])("%s hides nothing and invents nothing", (_, filters, messages) => {
    expect(issues(...filters)).toEqual(messages.map((message) => expect.stringContaining(message)));
  });

  test("too many filters are not looked at one by one", () => {
    expect(issues(...Array.from({ length: 21 }, () => ({})))).toEqual([
      "filters: must have at most 20 items",
    ]);
  });
});
