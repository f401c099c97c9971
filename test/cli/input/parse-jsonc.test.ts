import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseJsonc } from "../../../cli/input/parse-jsonc.ts";
import { tries } from "../../support/runs.ts";

describe("parseJsonc()", () => {
  test("keeps every key, also those that objects inherit", () => {
    const text = '{"__proto__":{"a":1},"constructor":2,"toString":3}';
    expect(JSON.stringify(parseJsonc(text, "x"))).toBe(text);
  });

  test("reads all JSON as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: "binary" }), fc.nat(8), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(JSON.stringify(parseJsonc(text, "x"))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      tries(200),
    );
  });

  test("any text at all gives a value, a place in it, or is empty", () => {
    const piece = fc.constantFrom(..."{}[]:,\"\\/*\n\r\t u1.-e'a", "null", "//");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        try {
          parseJsonc(pieces.join(""), "x");
        } catch (error) {
          expect(String(error)).toMatch(/^UsageError: x:(\d+:\d+: \S| is empty$)/);
        }
      }),
      tries(200),
    );
  });
});
