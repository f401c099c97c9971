import { describe, expect, test } from "bun:test";
import { oneFilter, refusals } from "../support.ts";

type Row = [items: string[], value: string, ...codes: string[]];

const addresses: Row[] = [
  [["a@x.com"], "a@x.com"],
  [["a@x.com", "@y.org"], "a@x.com OR @y.org"],
  [["shop+tag@x.com"], "shop+tag@x.com"],
  [["_@x.com"], "_@x.com"],
  [["foo*@x.com"], '"foo*@x.com"', "operator-taken-literally"],
  [["o'hara@x.com"], "o'hara@x.com"],
  [["a!b@x.com"], '"a!b@x.com"'],
  [["*@x.com"], "@x.com", "address-taken"],
  [["user@bücher.example"], "user@bücher.example", "international-domain"],
  [["@com"], "@com", "top-level-domain"],
  [["A@x.com", "a@X.com"], "A@x.com", "repeated"],
  [["***@x.com"], "@x.com", "local-part-ignored"],
  [["#@x.com"], "@x.com", "local-part-ignored"],
  [[".@x.com"], "@x.com", "local-part-ignored"],
  [["+@x.com"], "@x.com", "local-part-ignored"],
];

const dressed: Row[] = [
  [["Bob <b@x.com>"], "b@x.com", "address-taken"],
  [["<b@x.com>"], "b@x.com", "address-taken"],
  [['"Doe, Jane" <jane@x.com>'], "jane@x.com", "address-taken"],
  [["Doe, Jane <jane@x.com>"], "jane@x.com", "address-taken"],
  [['"Smith <x" <s@x.com>'], "s@x.com", "address-taken"],
  [["mailto:a@x.com"], "a@x.com", "address-taken"],
  [["<mailto:a@x.com>"], "a@x.com", "address-taken"],
  [["'a@x.com'"], "a@x.com", "address-taken"],
  [["(a@x.com)"], "a@x.com", "address-taken"],
  [['"a@x.com"'], "a@x.com", "address-taken"],
  [["b@x.com (Bob)"], "b@x.com", "address-taken"],
  [['"b@x.com" <b@x.com>'], "b@x.com", "address-taken"],
];

const several: Row[] = [
  [["a@x.com, Bob <b@y.com>"], "a@x.com OR b@y.com", "several-addresses"],
  [["a@x.com OR b@y.com"], "a@x.com OR b@y.com", "several-addresses"],
  [["a@x.com; b@y.com"], "a@x.com OR b@y.com", "several-addresses"],
  [["a@x.com|b@y.com,"], "a@x.com OR b@y.com", "several-addresses"],
  [["a@x.com b@y.com"], "a@x.com OR b@y.com", "several-addresses"],
  [["a@x.com OR Bob <b@y.com>"], "a@x.com OR b@y.com", "several-addresses"],
  [["a@x.com Bob <b@y.com>"], "a@x.com OR b@y.com", "several-addresses"],
  [["Bob <b@x.com> OR c@y.com"], "b@x.com OR c@y.com", "several-addresses"],
  [["Bob <b@x.com>,Jo <c@y.com>"], "b@x.com OR c@y.com", "several-addresses"],
  [["a@x.com <b@x.com> c@x.com"], "a@x.com OR b@x.com OR c@x.com", "several-addresses"],
  [['"a@x.com" <b@x.com>'], "a@x.com OR b@x.com", "several-addresses"],
  [["Doe, Jane <j@x.com>, a@y.com"], "j@x.com OR a@y.com", "several-addresses"],
  [["a@x.com, b@x.com", "B@x.com"], "a@x.com OR b@x.com", "several-addresses", "repeated"],
];

const names: Row[] = [
  [["Acme"], '"Acme"', "not-an-address"],
  [["Acme Billing"], '"Acme Billing"', "not-an-address"],
  [["shop+tag"], '"shop+tag"', "not-an-address"],
  [["Tom OR Jerry"], '"Tom OR Jerry"', "operator-taken-literally", "not-an-address"],
  [["a@x.com AND b@y.com"], '"a@x.com AND b@y.com"', "operator-taken-literally", "not-an-address"],
  [["a@x.com NOT Bob <b@y.com>"], '"a@x.com NOT Bob <b@y.com>"', "not-an-address"],
  [["a@x.com, Bob"], '"a@x.com, Bob"', "not-an-address"],
  [["a|b@x.com"], '"a|b@x.com"', "operator-taken-literally", "not-an-address"],
  [["Bob (a@x.com) <b@x.com>"], '"Bob (a@x.com) <b@x.com>"', "not-an-address"],
  [
    ["Sales OR Bob <b@x.com>"],
    '"Sales OR Bob <b@x.com>"',
    "operator-taken-literally",
    "not-an-address",
  ],
  [["bob -ann"], '"bob -ann"', "not-an-address"],
];

for (const [kind, rows] of Object.entries({ addresses, dressed, several, names })) {
  describe(`mailFilter() reads ${kind} in from and to`, () => {
    test.each(rows)("%j", (items, value, ...codes) => {
      const from = oneFilter({ from: items });
      expect(from.properties.from).toBe(value);
      expect(from.search).toBe(`from:(${value})`);
      expect(from.codes).toEqual(codes);
      const to = oneFilter({ to: items });
      expect(to.properties.to).toBe(value);
      expect(to.search).toBe(`to:(${value})`);
    });
  });
}

describe("mailFilter() refuses - and ! before an address, wherever it stands", () => {
  test.each([
    ["-boss@x.com", "must not start with -"],
    ["!boss@x.com", "must not start with !"],
    ["-Bob <b@x.com>", "must not start with -"],
    ["a@x.com -b@y.com", "must not have - before an address, as in -b@y.com"],
    ["a@x.com, -@y.com", "must not have - before an address, as in -@y.com"],
    ["a@x.com; -b@y.com", "must not have - before an address"],
    ["a@x.com|-b@y.com", "must not have - before an address"],
    ["a@x.com OR -b@y.com", "must not have - before an address"],
    ["a@x.com !b@y.com", "must not have ! before an address"],
    ["Bob <-b@y.com>", "must not have - before an address"],
    ['"x" <-b@q.com>', "must not have - before an address"],
    ["a@x.com, -Bob <b@y.com>", "must not have - before an address"],
    ['"-b@y.com"', "must not have - before an address"],
    ["mailto:-b@y.com", "must not have - before an address"],
    ["@", "must contain a letter or a digit"],
  ])("%j", (item, message) => {
    for (const field of ["from", "to"] as const) {
      expect(refusals({ [field]: [item] })).toEqual([
        expect.stringContaining(`filters[0].${field}[0]: ${message}`),
      ]);
    }
  });
});
