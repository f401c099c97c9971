import { describe, expect, test } from "bun:test";
import { type FilterFields, oneFilter } from "./one-filter.ts";

const codesOf = (filter: FilterFields) => oneFilter(filter).codes;
const words = (...items: string[]): FilterFields => ({ from: ["a@x.com"], has_words: items });

describe("mailFilter() remarks on has_words", () => {
  test.each<[string[], ...string[]]>([
    [["a", "b"], "all-words-required"],
    [['"a b"', '"c d"'], "all-words-required"],
    [["is:unread"], "judged-at-delivery"],
    [["a -label:x"], "judged-at-delivery"],
    [["-(a OR label:x)"], "judged-at-delivery", "only-excludes"],
    [["has:nouserlabels"], "judged-at-delivery"],
    [["from: x"], "space-after-operator"],
    [["from: (a OR b)"], "space-after-operator"],
    [["a or b"], "lower-case-operator"],
    [["a or b OR c"], "unquoted-words", "lower-case-operator"],
    [["wow!great OR c"], "exclamation-mark"],
    [["-a"], "only-excludes"],
    [['-"foo bar"'], "only-excludes"],
    [["-(a b)"], "only-excludes"],
    [["-{a b}"], "only-excludes"],
    [["-a -b"], "only-excludes"],
    [['a NOT "b"'], "not-operator"],
    [['NOT "a"'], "not-operator"],
    [["a NOT b"], "not-operator"],
    [["Invoice (copy)"], "unquoted-words"],
    [["out of office OR vacation"], "unquoted-words"],
    [["subject:(out of office OR vacation)"], "unquoted-words"],
    [["“a b” OR c"], "curly-quotes"],
    [["“a b”"], "curly-quotes"],
    [["inv*"], "operator-taken-literally"],
    [["inv* OR c"], "operator-taken-literally"],
    [["a AROUND b"], "operator-taken-literally"],
    [["--verbose"], "operator-taken-literally"],
  ])("%j", (items, ...codes) => expect(codesOf(words(...items))).toEqual(codes));

  test.each([
    "terms and conditions",
    "12” disk",
    "(annual report)",
    "a AND b",
    "a AROUND 5 b",
    "invoice paid from:shop",
    'invoice (paid OR "on its way")',
    "a OR b -c",
    "f(x) has:attachment",
  ])("but not %j", (item) => expect(codesOf(words(item))).toEqual([]));

  test("and never advises the field in which the text stands", () => {
    for (const item of ["inv*", "a AROUND b", "--verbose", "a NOT b"]) {
      for (const { message } of oneFilter(words(item)).warnings) {
        expect(message).not.toContain("has_words");
      }
    }
  });

  test.each([
    ["label:a", "rarely holds"],
    ["-label:a", "nearly always holds"],
    ["-{a label:b}", "nearly always holds"],
    ["has:nouserlabels", "nearly always holds"],
    ["-has:nouserlabels", "rarely holds"],
    ["-(-is:unread)", "rarely holds"],
  ])("%j %s when a mail arrives", (item, meaning) => {
    const found = oneFilter(words(item)).warnings.filter(
      ({ code }) => code === "judged-at-delivery",
    );
    expect(found.map(({ message }) => message)).toEqual([expect.stringContaining(meaning)]);
  });

  test.each([
    ["larger:5M", true],
    ["(a -Size:9)", true],
    ["larger: 5M", true],
    ['"larger:5M"', false],
    ["a OR larger", false],
  ])("the size in %j stands beside smaller_than_mb: %j", (item, twice) =>
    expect(codesOf({ has_words: [item], smaller_than_mb: 9 }).includes("size-twice")).toBe(twice),
  );
});

describe("mailFilter() knows has_words that take almost all mail", () => {
  const remarks = (item: string) => {
    const codes = codesOf({ has_words: [item], label: undefined, delete: true });
    return codes.filter((code) => ["broad-delete", "matches-almost-all"].includes(code));
  };

  test.each([
    "-foo",
    '-"foo bar"',
    "-(a b)",
    "-{a b}",
    "-a -b",
    "x OR -foo",
    "x y OR -foo",
    "{-foo -bar}",
    "{foo -bar}",
    "(-foo)",
    "from:(-a@x.com)",
    "-(-foo)",
    "--foo OR a",
  ])("%j", (item) => expect(remarks(item)).toEqual(["broad-delete", "matches-almost-all"]));

  test.each(["larger:1M", "has:attachment -foo", "older_than:1y", "{larger:1M foo}"])(
    "%j names no mail, but narrows it",
    (item) => expect(remarks(item)).toEqual(["broad-delete"]),
  );

  test.each([
    "foo",
    '"foo bar" -x',
    "a OR b",
    "a -b OR c",
    "{a b}",
    "from:(a OR b)",
    "-x (a OR b)",
  ])("but %j says which mail", (item) => expect(remarks(item)).toEqual([]));

  test("unless another field says which mail", () => {
    const filter = { from: ["a@x.com"], has_words: ["-foo"], label: undefined, delete: true };
    expect(codesOf(filter)).toEqual(["only-excludes"]);
  });
});
