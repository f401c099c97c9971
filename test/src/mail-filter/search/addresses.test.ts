import { describe, expect, test } from "bun:test";
import { type FilterFields, oneFilter, rejections } from "../support.ts";

type Row = [items: string[], value: string, ...codes: string[]];

const addresses: Row[] = [
  [["a@x.com"], "a@x.com"],
  [["a@x.com", "@y.org"], "a@x.com OR @y.org"],
  [["shop+tag@x.com"], "shop+tag@x.com"],
  [["a!b@x.com"], '"a!b@x.com"'],
  [["*@x.com"], "@x.com", "read-as"],
  [["user@bücher.example"], "user@bücher.example", "read-as"],
  [["@com"], "@com", "broad-address"],
  [["A@x.com", "a@X.com"], "A@x.com", "read-as"],
  [[".@x.com"], "@x.com", "broad-address"],
  [["*.x.com", "*y.com", "*@z.com"], "@x.com OR @y.com OR @z.com", "read-as"],
  [[".x.com", "*@*.y.com"], "@x.com OR @y.com", "read-as"],
  [["*@*.ru"], "@ru", "broad-address"],
];

const dressed: Row[] = [
  [["Bob <b@x.com>"], "b@x.com", "read-as"],
  [['"Doe, Jane" <jane@x.com>'], "jane@x.com", "read-as"],
  [["Doe, Jane <jane@x.com>"], "jane@x.com", "read-as"],
  [['"Smith <x" <s@x.com>'], "s@x.com", "read-as"],
  [["mailto:a@x.com"], "a@x.com", "read-as"],
  [["(a@x.com)"], "a@x.com", "read-as"],
];

const several: Row[] = [
  [["a@x.com, Bob <b@y.com>"], "a@x.com OR b@y.com", "read-as"],
  [["a@x.com b@y.com"], "a@x.com OR b@y.com", "read-as"],
  [["a@x.com OR Bob <b@y.com>"], "a@x.com OR b@y.com", "read-as"],
  [["a@x.com <b@x.com> c@x.com"], "a@x.com OR b@x.com OR c@x.com", "read-as"],
  [['"a@x.com" <b@x.com>'], "a@x.com OR b@x.com", "read-as"],
  [["Doe, Jane <j@x.com>, a@y.com"], "j@x.com OR a@y.com", "read-as"],
  [["a@x.com, b@x.com", "B@x.com"], "a@x.com OR b@x.com", "read-as"],
  [["(a@x.com OR b@y.com)"], "a@x.com OR b@y.com", "read-as"],
  [['{x@y.com "Google Voice"}'], 'x@y.com OR "Google Voice"', "read-as"],
  [["Sales OR Bob <b@x.com>"], '"Sales" OR b@x.com', "read-as"],
  [[".gov OR irs.gov"], '@gov OR "irs.gov"', "broad-address"],
  [['"me" OR a@x.com'], '"me" OR a@x.com', "read-as"],
];

const names: Row[] = [
  [["Acme Billing"], '"Acme Billing"'],
  [["heroku.com"], '"heroku.com"', "not-an-address"],
  [[".NET Foundation"], '".NET Foundation"'],
  [["NOT me"], '"NOT me"', "operator-taken-literally"],
  [["me"], "me"],
  [["ME", "a@x.com"], "me OR a@x.com"],
  [["a@x.com AND b@y.com"], '"a@x.com AND b@y.com"', "operator-taken-literally"],
  [["a@x.com, Bob"], '"a@x.com, Bob"', "not-an-address"],
  [["bob -ann"], '"bob -ann"', "operator-taken-literally"],
  [["a@x.com me"], '"a@x.com me"', "not-an-address"],
];

for (const [kind, rows] of Object.entries({ addresses, dressed, several, names })) {
  describe(`createMailFilters() reads ${kind} in from and to`, () => {
    test.each(rows)("%j", (items, value, ...codes) => {
      const from = oneFilter({ from: items });
      expect(from.properties.from).toBe(value);
      expect(from.search).toBe(`from:(${value})`);
      expect<readonly string[]>(from.codes).toEqual(codes);
      const to = oneFilter({ to: items });
      expect(to.properties.to).toBe(value);
      expect(to.search).toBe(`to:(${value})`);
    });
  });
}

describe("createMailFilters() rejects - and ! before an address, wherever it is", () => {
  test.each([
    ["-boss@x.com", "must not start with - or !"],
    ["a@x.com -b@y.com", "must not have - or ! before an address, as in -b@y.com"],
    ["a@x.com OR -b@y.com", "must not have - or ! before an address"],
    ["Bob <-b@y.com>", "must not have - or ! before an address"],
    ['"-b@y.com"', "must not have - or ! before an address"],
    ["me -b@y.com", "must not have - or ! before an address, as in -b@y.com"],
    ["@", "must contain a letter or a digit"],
  ])("%j", (item, message) => {
    for (const field of ["from", "to"] as const) {
      expect(rejections({ [field]: [item] })).toEqual([
        expect.stringContaining(`filters[0].${field}[0]: ${message}`),
      ]);
    }
  });
});

describe("createMailFilters() rejects a me that a URL may have cut off an address", () => {
  test.each([
    ...["me x@gmail.com", "ME\nx@gmail.com", "(me x@gmail.com)", "me x@gmail.com, a@y.com"],
    ...["a@y.com, me x@gmail.com", "a@y.com OR me x@gmail.com"],
  ])("%j", (item) => {
    const message =
      "may be me+x@gmail.com, whose + became a space in a URL: write %2B instead; for your own addresses and this one, write me, x@gmail.com";
    for (const field of ["from", "to"] as const) {
      expect(rejections({ [field]: [item] })).toEqual([`filters[0].${field}[0]: ${message}`]);
    }
  });
});

test.each(["me x@gmail.com", "a@y.com, me x@gmail.com"])(
  "createMailFilters() rejects it as an exclusion too: from:%s",
  (list) =>
    expect(rejections({ does_not_have: [`from:${list}`] })).toEqual([
      expect.stringContaining("filters[0].does_not_have[0]: may be me+x@gmail.com"),
    ]),
);

describe("createMailFilters() says of a list in one item of to that it is wider than Gmail's reading", () => {
  test.each<[string, "warning" | "info"]>([
    ["a@x.com, b@y.com", "warning"],
    ["{a@x.com b@y.com}", "info"],
  ])("%j: %s", (item, severity) => {
    const { warnings } = oneFilter({ to: [item] });
    expect(warnings).toEqual([expect.objectContaining({ code: "read-as", severity })]);
    const [info] = oneFilter({ from: [item] }).warnings;
    expect(info?.severity).toBe("info");
  });
});

describe("createMailFilters() reads the operator of a field in that field as nothing more", () => {
  test.each<[FilterFields, string]>([
    [{ from: ["from:a@x.com"] }, "from:(a@x.com)"],
    [{ from: ["From: Acme Billing"] }, 'from:("Acme Billing")'],
    [{ from: ["from:a@x.com OR from:b@x.com"] }, "from:(a@x.com OR b@x.com)"],
    [{ subject: ["Subject: Your order"] }, 'subject:("Your order")'],
  ])("%j", (filter, search) => {
    const read = oneFilter(filter);
    expect(read.search).toBe(search);
    expect<readonly string[]>(read.codes).toEqual(["read-as"]);
  });

  test.each<[FilterFields, string]>([
    [{ from: ["to:me"] }, 'from:("to:me")'],
    [{ subject: ["Rules for subject: maths"] }, 'subject:("Rules for subject: maths")'],
    [{ subject: ['"Subject: x"'] }, 'subject:("Subject: x")'],
    [{ to: ["to:"] }, 'to:("to:")'],
  ])("but leaves %j a text", (filter, search) => expect(oneFilter(filter).search).toBe(search));
});

test("createMailFilters() tells the same of several items once", () => {
  const { warnings } = oneFilter({ from: ["*@x.com", "*y.com", "a@x.com", "<b@z.com>"] });
  expect(warnings.map(({ path, message }) => `${path}: ${message}`)).toEqual([
    "filters[0].from: read as @x.com (likewise for 2 more items)",
  ]);
});

test("createMailFilters() says how to write a bare domain", () => {
  const [info] = oneFilter({ from: ["heroku.com"] }).warnings;
  expect(info?.message).toContain("write @heroku.com");
});
