import { describe, expect, test } from "bun:test";
import { oneFilter, rejections } from "../support.ts";

type Row = [items: string[], value: string, search: string, ...codes: string[]];

const words: Row[] = [
  [["sale"], "sale", "-sale"],
  [["out of office"], '"out of office"', '-"out of office"'],
  [["sale", "out of office"], 'sale OR "out of office"', '-{sale "out of office"}'],
  [["invoice OR receipt"], "invoice OR receipt", "-{invoice receipt}", "read-as"],
  [["{a b}"], "a OR b", "-{a b}", "read-as"],
  [["(a b) OR c"], '"a b" OR c', '-{"a b" c}', "read-as"],
  [["a AND b"], '"a AND b"', '-"a AND b"', "exclusion-is-text"],
  [["(a OR b) c"], '"(a OR b) c"', '-"(a OR b) c"', "exclusion-is-text"],
  [["sale from:a@x.com"], '"sale from:a@x.com"', '-"sale from:a@x.com"', "exclusion-is-text"],
  [["Sent from: iPhone"], '"Sent from: iPhone"', '-"Sent from: iPhone"'],
  [["invoice, receipt"], '"invoice, receipt"', '-"invoice, receipt"', "exclusion-is-text"],
  [["“a b”"], '"a b"', '-"a b"', "read-as"],
  [['"a@x.com, -b@x.com"'], '"a@x.com, -b@x.com"', '-"a@x.com, -b@x.com"'],
];

const operators: Row[] = [
  [["from:boss@x.com"], "from:boss@x.com", "-from:boss@x.com"],
  [["from:a!b@x.com"], 'from:"a!b@x.com"', '-from:"a!b@x.com"', "read-as"],
  [["from:“Jo Boss”"], 'from:"Jo Boss"', '-from:"Jo Boss"', "read-as"],
  [["subject:+sale"], "subject:+sale", "-subject:+sale"],
  [["from: boss@x.com"], "from:boss@x.com", "-from:boss@x.com", "read-as"],
  [["has:yellow-star"], "has:yellow-star", "-has:yellow-star", "evaluated-at-delivery"],
  [["after:2024/01/31"], "after:2024/01/31", "-after:2024/01/31", "evaluated-at-delivery"],
  [["subject:NOT"], 'subject:"NOT"', '-subject:"NOT"', "read-as"],
  [["from:(a OR b)"], "from:a OR from:b", "-{from:a from:b}", "read-as"],
  [["from:a@x.co,b@x.co"], "from:a@x.co OR from:b@x.co", "-{from:a@x.co from:b@x.co}", "read-as"],
  [["list:*@y.org"], "list:@y.org", "-list:@y.org", "read-as"],
  [["a OR b AND c"], '"a OR b AND c"', '-"a OR b AND c"', "exclusion-is-text"],
  [["from：boss@x.com"], "from:boss@x.com", "-from:boss@x.com", "read-as"],
  [["sender:boss@x.com"], '"sender:boss@x.com"', '-"sender:boss@x.com"', "unknown-operator"],
  [["回复:合同"], '"回复:合同"', '-"回复:合同"'],
];

const inert = (item: string): Row => [[item], `"${item}"`, `-"${item}"`, "exclusion-is-text"];

const texts: Row[] = ["from:jo boss", "subject:it's", "filename:*.pdf"].map(inert);

for (const [kind, rows] of Object.entries({ words, operators, texts })) {
  describe(`createMailFilters() reads ${kind} in does_not_have`, () => {
    test.each(rows)("%j", (items, value, search, ...codes) => {
      const result = oneFilter({ from: ["a@x.com"], does_not_have: items });
      expect(result.properties.doesNotHaveTheWord).toBe(value);
      expect(result.search).toBe(`from:(a@x.com) ${search}`);
      expect<readonly string[]>(result.codes).toEqual(codes);
    });
  });
}

describe("createMailFilters() rejects in does_not_have", () => {
  test.each([
    ["-x", "must not have - or !, as in -x"],
    ["from:", "must not have from: without a value"],
    ["subject:OR", "must not have OR as the value of subject:, because Gmail reads it as an"],
    ["a OR -b", "must not have - or !, as in -b"],
    ["from:a@x.com,-b@x.com", "must not have - or !, as in -b@x.com"],
    ["a@x.com, !b@x.com", "must not have - or !, as in !b@x.com"],
    ["a OR _", "contains no word to search for: _"],
    ['{a ">" b}', 'contains no word to search for: ">"'],
    ["from:@", "must not have from: without a value"],
    ["\ud800", "must not contain U+D800"],
  ])("%j", (item, message) =>
    expect(rejections({ does_not_have: [item] })).toEqual([
      expect.stringContaining(`filters[0].does_not_have[0]: ${message}`),
    ]),
  );
});
