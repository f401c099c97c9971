import { describe, expect, test } from "bun:test";
import { oneFilter } from "./support.ts";

const subjects: [items: string[], property: string][] = [
  [["invoice"], "invoice"],
  [["invoice", "your order", "[Jira]"], 'invoice OR "your order" OR "[Jira]"'],
  [['5" disk'], '"5 disk"'],
  [['"hello world"'], '"hello world"'],
  [['say "hi" now'], '"say hi now"'],
  [["this OR that"], '"this OR that"'],
  [["a|b"], '"a|b"'],
  [['"-x"'], '"-x"'],
  [["- x"], '"- x"'],
  [["(x}"], '"(x}"'],
  [["\t a\u00a0b\u2028c \n"], '"a b c"'],
  [["שלום\u202e"], "שלום"],
  [["Straße", "strasse"], "Straße OR strasse"],
];

describe("createMailFilters() translates subject", () => {
  test.each(subjects)("%j", (items, value) => {
    const result = oneFilter({ subject: items });
    expect(result.properties.subject).toBe(value);
    expect(result.search).toBe(`subject:(${value})`);
  });
});

describe("createMailFilters() translates sizes", () => {
  const size = (value: string, sizeOperator: string, sizeUnit: string) => ({
    size: value,
    sizeOperator,
    sizeUnit,
    label: "L",
  });
  test.each([
    [{ larger_than_mb: 5 }, size("5", "s_sl", "s_smb"), "larger:5M"],
    [{ larger_than_mb: 1.5 }, size("1572864", "s_sl", "s_sb"), "larger:1572864"],
    [{ smaller_than_mb: 2 ** -20 }, size("1", "s_ss", "s_sb"), "smaller:1"],
    [
      { has_words: ["a OR b"], larger_than_mb: 1, smaller_than_mb: 1.5 },
      { ...size("1", "s_sl", "s_smb"), hasTheWord: "(a OR b) smaller:1572864" },
      "(a OR b) larger:1M smaller:1572864",
    ],
  ])("%j", (filter, properties, search) => {
    const result = oneFilter(filter);
    expect(result.properties).toEqual(properties);
    expect(result.search).toBe(search);
  });
});

test("false and empty fields are written nowhere", () => {
  const none = { to: [], has_attachment: false, star: false };
  const { properties, search } = oneFilter({ from: ["a@x.com"], ...none });
  expect(properties).toEqual({ from: "a@x.com", label: "L" });
  expect(search).toBe("from:(a@x.com)");
});

test.each([
  ["Tom & <Jerry>", "<!-- Tom & <Jerry> -->"],
  ["a -- b --- c", "<!-- a - - b - - - c -->"],
  ["->", "<!-- -> -->"],
  ["bell\u0007 \ud800!", "<!-- bell ! -->"],
  ["", "<!-- Filter 1 -->"],
  [" \u200b ", "<!-- Filter 1 -->"],
])("the name %j is in a comment of the file", (name, comment) => {
  expect(oneFilter({ name, from: ["a@x.com"] }).xml).toInclude(`\t${comment}\n\t<entry>`);
});
