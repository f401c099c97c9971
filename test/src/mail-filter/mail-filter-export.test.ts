import { describe, expect, test } from "bun:test";
import { readExport } from "../../../src/mail-filter/mail-filter-export.ts";
import { gmailExport } from "./gmail-export.ts";

const leftOut = (properties: Record<string, string>) =>
  readExport(gmailExport({ from: "a@x.com", label: "L" }, properties)).warnings;

describe("readExport() says which entry it leaves out, and why", () => {
  test.each<[Record<string, string>, string]>([
    [
      { from: "boss@x.com", cannedResponse: "1", shouldStar: "true" },
      "from:(boss@x.com) -> star (and cannedResponse) is left out: sends a template, which a file cannot hold",
    ],
    [
      { from: "boss@x.com", label: "Inbox" },
      "from:(boss@x.com) -> label Inbox is left out: label: must not be Inbox, which belongs to Gmail",
    ],
    [
      { from: "boss@x.com" },
      "from:(boss@x.com) -> nothing is left out: does nothing in Gmail; its label was perhaps deleted",
    ],
    [
      { size: "5", sizeUnit: "s_sgb", label: "L" },
      "larger:5s_sgb -> label L is left out: has the size 5 s_sgb (s_sl), which this tool cannot read",
    ],
    [
      { hasTheWord: `a OR ${"b".repeat(2_000)}`, label: "L" },
      `(a OR ${"b".repeat(114)}… is left out: hasTheWord: must be shorter: a Gmail filter holds 1,400 characters`,
    ],
  ])("%j", (properties, message) => {
    expect(leftOut(properties)).toEqual([
      {
        code: "left-out",
        severity: "warning",
        path: "entry[1]",
        message: expect.stringContaining(message),
      },
    ]);
  });
});

test.each<[Record<string, string>, string]>([
  [{ from: "a@x.com", label: "Bills" }, "Bills"],
  [{ from: "a@x.com OR b@y.com", shouldStar: "true" }, "a@x.com"],
  [{ subject: "c d", shouldStar: "true" }, "subject:(c d)"],
  [{ hasTheWord: "x".repeat(100), shouldStar: "true" }, "x".repeat(80)],
  [{ size: "5", shouldStar: "true" }, ""],
])("readExport() names %j %j", (properties, name) => {
  const [input] = readExport(gmailExport(properties)).inputs;
  expect(input).toMatchObject({ filters: [name === "" ? {} : { name }] });
});
