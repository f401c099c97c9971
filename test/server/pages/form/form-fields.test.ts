import { describe, expect, test } from "bun:test";
import { mailFilterContract, mcpConfigContract } from "../../../../schemas/index.ts";
import { formFields, inFormWords, labelOf } from "../../../../server/pages/form/form-fields.ts";
import { listFields } from "../../../../src/json-schema.ts";

test.each([
  ["larger_than_mb", "Larger than MB"],
  ["url", "URL"],
  ["args", "Arguments"],
  ["from", "From"],
])("the label of %s is %s", (name, label) => {
  expect(labelOf(name)).toBe(label);
});

describe("a message in the words of the form", () => {
  const mail = inFormWords(formFields(listFields(mailFilterContract.input)));
  const mcp = inFormWords(
    formFields(listFields(mcpConfigContract.input), { labels: { env: "Environment" } }),
  );

  test.each([
    ["must be less than `smaller_than_mb`", "must be less than “Smaller than MB”"],
    [
      "must have an action: one of `label`, `skip_inbox`, `star`",
      "must have an action: one of “Label”, “Skip inbox”, “Star”",
    ],
    [
      "only `from`, `to` and `subject` can be split",
      "only “From”, “To” and “Subject” can be split",
    ],
    ["must be left out to keep the label", "must be left out to keep the label"],
    ["is the same as `filters[0]`", "is the same as filter 1"],
  ])("%s", (message, words) => {
    expect(mail(message)).toBe(words);
  });

  test.each([
    ["a local server takes `env`", "a local server takes “Environment”"],
    ["as in https://example.com/url", "as in https://example.com/url"],
  ])("%s", (message, words) => {
    expect(mcp(message)).toBe(words);
  });
});
