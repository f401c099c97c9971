import { describe, expect, test } from "bun:test";
import { type FilterFields, oneFilter, rejections } from "../support.ts";

const phrases: [items: string[], words: string][] = [
  [["unsubscribe"], "unsubscribe"],
  [["annual report"], '"annual report"'],
  [["f(x)"], '"f(x)"'],
  [["https://x.test/a?b=1&c=2"], '"https://x.test/a?b=1&c=2"'],
  [["12” disk"], '"12” disk"'],
  [['"say “a b” now"'], '"say “a b” now"'],
  [["“out of office”"], '"out of office"'],
  [["AROUND 5 b"], '"AROUND 5 b"'],
  [["ann+shop@x.com"], '"ann+shop@x.com"'],
  [["+49 170 1234567"], '"+49 170 1234567"'],
  [['"+invoice total"'], '"+invoice total"'],
  [["constructor"], "constructor"],
];

const expressions: [items: string[], words: string][] = [
  [["annual report", "list:dev@x.org"], '"annual report" list:dev@x.org'],
  [["a OR b", "c"], "(a OR b) c"],
  [["a OR b"], "(a OR b)"],
  [["{a b}"], "{a b}"],
  [["-{a b} c"], "-{a b} c"],
  [["subject:(a OR b) from:c"], "subject:(a OR b) from:c"],
  [["“a b” OR c"], '("a b" OR c)'],
  [["a AROUND 5 b"], "(a AROUND 5 b)"],
  [['"a" & "b"'], '"a" & "b"'],
  [["f(x) OR c"], "(f(x) OR c)"],
  [["+invoice total"], "+invoice total"],
  [["+wow-", "b"], "(+wow-) b"],
  [["verif +(y ied)"], "verif +(y ied)"],
  [["-+sale +größe"], "-+sale +größe"],
];

for (const [kind, rows] of Object.entries({ phrases, expressions })) {
  describe(`createMailFilters() searches ${kind} of has_words`, () => {
    test.each(rows)("%j", (items, words) => {
      const { properties, search } = oneFilter({ has_words: items });
      expect([properties.hasTheWord, search]).toEqual([words, words]);
    });
  });
}

test("createMailFilters() reads brackets as deep as an item can hold", () => {
  const deep = `${"(".repeat(99)}a${")".repeat(99)}`;
  expect(oneFilter({ has_words: [deep], delete: true }).search).toBe(deep);
});

describe("createMailFilters() takes for one item of has_words", () => {
  test.each([
    [["Report", "report"], "Report"],
    [["a OR b", "A  OR  B"], "(a OR b)"],
    [["a OR b", "a|b"], "(a OR b)"],
    [['"A OR B"', '"a or b"'], '"A OR B"'],
  ])("%j", (items, words) => {
    const { properties, codes } = oneFilter({ has_words: items });
    expect(properties.hasTheWord).toBe(words);
    expect(codes).toContain("read-as");
  });

  test.each([[["a OR(b)", "a or(b)"]], [["{a b}", "(a b)"]], [["-a", "a"]], [["+(a b)", "(a b)"]]])(
    "but not %j",
    (items) => expect(oneFilter({ has_words: items }).codes).not.toContain("read-as"),
  );
});

describe("createMailFilters() rejects in has_words", () => {
  test.each([
    ['"a', 'must not have a quotation mark without its partner: ""a"'],
    ["smile :)", 'must not have ) without its partner: "smile :)"'],
    ["f(x}", 'must not have ( and } that do not match: "f(x}"'],
    ["a long text before this (b", 'must not have ( without its partner: "…before this (b"'],
    ["a OR", 'must not have OR with nothing after it: "a OR"'],
    ["a OR OR b", 'must not have OR and OR in a row: "a OR OR b"'],
    ["from:", 'must not have from: without a value: "from:"'],
    ["from:OR", "must not have OR as the value of from:, because Gmail reads it as an operator"],
    ["a ()", "contains no word to search for: ()"],
    ['-list:"" a', 'contains no word to search for: -list:""'],
    ["(a OR -)", "contains no word to search for: -"],
    ['subject:("")', 'contains no word to search for: subject:("")'],
    ["from:*", "contains no word to search for: from:*"],
    ['{a ""}', 'contains no word to search for: ""'],
    ['"..."', "must contain a letter or a digit"],
  ])("%j", (item, message) =>
    expect(rejections({ has_words: [item] })).toEqual([
      expect.stringContaining(`filters[0].has_words[0]: ${message}`),
    ]),
  );
});

const codesOf = (filter: FilterFields) => oneFilter(filter).codes;
const words = (...items: string[]): FilterFields => ({ from: ["a@x.com"], has_words: items });

describe("createMailFilters() warns about has_words", () => {
  const WARNED = {
    "evaluated-at-delivery": ["is:unread", "a -label:x", "after:2028/02/29"],
    "unknown-operator": [
      "sender:bob",
      "body:{passcode}",
      "x-mailer:foo OR a",
      "a or b",
      'a NOT "b"',
    ],
    "operator-taken-literally": ['"inv* total"', '"*.pdf"', "a !b", "inv*", "a AROUND b"],
    "broad-address": ["from:com", "-from:(@co.uk OR a@x.com)"],
    "unknown-value": ["has:attachement", "category:newsletters", "larger:5G"],
    "larger-than-any-message": ["larger:60M"],
    "space-after-operator": ["from: x"],
    "exclamation-mark": ["wow!great OR c", "from:(!(a b) c)"],
    "unquoted-words": ["Sale! Now (50%)", "Invoice (copy)", "out of office OR vacation"],
    "read-as": ["from：bob", "Attention ! Sale", "terms and conditions", "Note: x", "“a b” OR c"],
  };
  const warned = Object.entries(WARNED).flatMap(([code, items]) =>
    items.map((item) => [item, code] as const),
  );
  test.each(warned)("%j: %s", (item, code) =>
    expect<readonly string[]>(codesOf(words(item))).toEqual([code]),
  );

  test("of two items that are both required", () =>
    expect(codesOf(words("a", "b"))).toEqual(["all-words-required"]));

  test.each([
    ...['"terms and conditions"', "well-known", "(annual report)", "a AND b", "a AROUND 5 b"],
    ...["invoice paid from:shop", 'invoice (paid OR "on its way")', "a OR b -c"],
    ...["f(x) has:attachment", "+invoice", "+invoice total", "verif +(y ied)", "has:drive"],
    ...["HAS:Attachment", 'has:"attachment"', "category:Promotions", "larger:49M"],
    ...["larger:1.5MB a", "-larger:60M a", "smaller:60M", "size:1000000", '"sender: bob"'],
    ...['"*** sale ***"', 'from:"*@x.com"', "subject:(sale! now)", 'subject:("you!now" a)'],
    ...["-a", "-{a b}", "-list:<dev.x.org>"],
  ])("but not %j", (item) => expect(codesOf(words(item))).toEqual([]));

  test("and says once a list that plain words are one phrase, with the other form", () => {
    const { warnings } = oneFilter(words("invoice payment", "out of office", '"a b"', "c"));
    const message = expect.stringMatching(/^is searched as one phrase, "invoice .* 1 more item\)$/);
    const found = warnings.filter(({ code }) => code === "read-as");
    expect(found).toMatchObject([{ path: "filters[0].has_words", message }]);
  });

  test("and never advises the field that has the text", () => {
    for (const item of ["inv*", "a AROUND b", "a !b", "a NOT b"]) {
      for (const { message } of oneFilter(words(item)).warnings) {
        expect(message).not.toContain("has_words");
      }
    }
  });

  test.each([
    ["label:a", "is rarely true"],
    ["-has:nouserlabels", "is rarely true"],
    ["after:2024/01/31", "is nearly always true"],
    ["older_than:1y", "is rarely true"],
    ["in:anywhere", "is nearly always true"],
    ["-(-is:unread)", "is rarely true"],
  ])("%j %s when a mail arrives", (item, meaning) => {
    const found = oneFilter(words(item)).warnings.filter(
      ({ code }) => code === "evaluated-at-delivery",
    );
    expect(found.map(({ message }) => message)).toEqual([expect.stringContaining(meaning)]);
  });
});

describe("createMailFilters() warns that a message has one sender, of", () => {
  test.each<FilterFields>([
    { has_words: ["from:(a@x.com b@x.com)"] },
    { has_words: ["from:a@x.com sale from:@y.com"] },
    { has_words: ['from:"a@x.com b@x.com"'] },
    { from: ["a@x.com"], has_words: ["from:@y.com"] },
  ])("%j", (filter) => expect(codesOf(filter)).toContain("all-words-required"));

  test.each<FilterFields>([
    { has_words: ["from:(a@x.com OR b@x.com)"] },
    { has_words: ["from:(a@mail.x.com @x.com)"] },
    { has_words: ["from:(ann bob)"] },
    { has_words: ["from:a@x.com -from:b@x.com"] },
    { from: ["a@x.com", "b@x.com"], has_words: ["from:b@x.com"] },
    { has_words: ['from:"Ann via a@x.com" from:list@y.com'] },
  ])("but not %j", (filter) => expect(codesOf(filter)).not.toContain("all-words-required"));

  test("many, and shows three", () => {
    const [warning] = oneFilter({ has_words: ["from:(a@x.com b@x.com c@x.com d@x.com)"] }).warnings;
    expect(warning?.message).toEndWith("write from:(a@x.com OR b@x.com OR c@x.com OR …)");
  });
});

describe("createMailFilters() knows has_words that match almost all mail", () => {
  const warningCodes = (item: string) => {
    const codes = codesOf({ has_words: [item], label: undefined, delete: true });
    return codes.filter((code) => ["broad-delete", "matches-almost-all"].includes(code));
  };

  test.each([
    ...["-foo", '-"foo bar"', "-(a b)", "-{a b}", "-a -b", "x OR -foo", "x y OR -foo"],
    ...["{-foo -bar}", "{foo -bar}", "(-foo)", "from:(-a@x.com)", "-(-foo)", "--foo OR a"],
    ...["!foo OR a", "!(a b) OR c", "x OR !foo"],
  ])("%j", (item) => expect(warningCodes(item)).toEqual(["broad-delete", "matches-almost-all"]));

  test.each([
    ...["larger:1M", "has:attachment -foo", "older_than:1y", "{larger:1M foo}", "foo"],
    ...["from: a@x.com", "from: (a OR b)", "a!b OR c"],
  ])("%j names no mail, but narrows it", (item) =>
    expect(warningCodes(item)).toEqual(["broad-delete"]),
  );

  test("unless another field says which mail", () => {
    const filter = { from: ["a@x.com"], has_words: ["-foo"], label: undefined, delete: true };
    expect(codesOf(filter)).toEqual([]);
  });
});

describe("createMailFilters() warns that mail from anyone is deleted by", () => {
  const one = (item: string): FilterFields => ({ has_words: [item] });
  test.each<FilterFields>([
    ...["sale", '"foo bar" -x', "from:a@x.com OR sale", "-from:a@x.com sale"].map(one),
    ...["from:(-a@x.com)", "from:(!a@x.com)", '"from:a@x.com"'].map(one),
    ...["from:(a@x.com OR @gmail.com)"].map(one),
    { has_words: ["to:me", "cc:a@x.com", "subject:sale", "filename:pdf", "category:promotions"] },
    { subject: ["sale"] },
    { to: ["me+shop@x.com"] },
    { smaller_than_mb: 1 },
    { does_not_have: ["from:a@x.com"] },
    { from: ["@gmail.com"] },
    { from: ["a@x.com", "*@hotmail.com"] },
  ])("%j", (filter) => expect(deleting(filter)).toContain("broad-delete"));

  test.each<FilterFields>([
    { from: ["a@x.com"] },
    { from: ["bob@gmail.com"], has_words: ["sale"] },
    { from: ["@x.com"] },
    { from: ["Acme Billing"] },
    { has_words: ["sale", "-x list:dev.x.org"] },
    ...["{from:a@x.com list:dev.x.org}", "(sale from:a@x.com) OR (list:dev.x.org -x)"].map(one),
    ...["(from:(*x.com) AND subject:(sale OR news))"].map(one),
  ])("but not by %j", (filter) => expect(deleting(filter)).not.toContain("broad-delete"));
});

const deleting = (filter: FilterFields) => codesOf({ ...filter, label: undefined, delete: true });
