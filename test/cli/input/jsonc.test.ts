import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseJsonText } from "../../../cli/input/jsonc.ts";
import { tries } from "../../support/runs.ts";

describe("parseJsonText()", () => {
  const accepted: [text: string, value: unknown][] = [
    ["{}", {}],
    ["// why\n[1, /* two */ 2,]", [1, 2]],
    ['{"a": [true, null, -1.5e3,],}', { a: [true, null, -1500] }],
    ['"\\u00e9\\n"', "é\n"],
    ['\r\n{"a": 1}\r\n', { a: 1 }],
  ];
  for (const [text, value] of accepted) {
    test(`takes ${JSON.stringify(text)}`, () => expect(parseJsonText(text, "x")).toEqual(value));
  }

  const rejected: [text: string, error: string][] = [
    ["", "x: is empty"],
    [" \n", "x: is empty"],
    ["// nothing\n", "x:2:1: expected a value"],
    ['{"a": 1 "b": 2}', "x:1:9: expected a comma"],
    ['{\n  "a" 1}', "x:2:7: expected a colon"],
    ["{'a': 1}", "x:1:2: this is not JSON; texts and keys need double quotes"],
    ["{a: 1}", "x:1:2: this is not JSON; texts and keys need double quotes"],
    ["[1, 2", "x:1:6: expected a closing ]"],
    ['{"a": 1', "x:1:8: expected a closing }"],
    ["{} {}", "x:1:4: expected the end after the first value"],
    ['["a\n"]', "x:1:2: the text is not closed; its line break is written \\n"],
    ['["a\tb"]', "x:1:2: a control character in a text is written as an escape, such as \\t"],
    ['["\\x"]', "x:1:2: this escape is not JSON; a backslash is written \\\\"],
    ['["\\u12"]', "x:1:2: \\u needs four hexadecimal digits"],
    ["[1.]", "x:1:2: the number is not finished"],
    ["/* open", "x:1:1: the comment is not closed"],
    ['{"a": 1,\r\n "b": 2,\r "a": 3}', 'x:3:2: the key "a" is given twice'],
    ['[{"__proto__": 1, "__proto__": 2}]', 'x:1:19: the key "__proto__" is given twice'],
    ["[".repeat(200_000), "x:1:1: is nested too deeply"],
  ];
  for (const [text, error] of rejected) {
    test(`rejects ${JSON.stringify(text.slice(0, 40))}`, () =>
      expect(() => parseJsonText(text, "x")).toThrow(new Error(error)));
  }

  test("keeps every key, also those that objects inherit", () => {
    const text = '{"__proto__":{"a":1},"constructor":2,"toString":3}';
    expect(JSON.stringify(parseJsonText(text, "x"))).toBe(text);
  });

  test("reads all JSON as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: "binary" }), fc.nat(8), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(JSON.stringify(parseJsonText(text, "x"))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      tries(200),
    );
  });

  test("any text at all gives a value, a place in it, or is empty", () => {
    const piece = fc.constantFrom(..."{}[]:,\"\\/*\n\r\t u1.-e'a", "null", "//");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        try {
          parseJsonText(pieces.join(""), "x");
        } catch (error) {
          expect(String(error)).toMatch(/^UsageError: x:(\d+:\d+: \S| is empty$)/);
        }
      }),
      tries(500),
    );
  });
});
