import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parsePlainJson } from "../../cli/input.ts";
import { parseJsonText } from "../../cli/jsonc.ts";

describe("parsePlainJson()", () => {
  const taken = [
    '{"a": {"b": [1, {"a": 2}]}, "a:b": ":", "\\"": "\\\\"}',
    '{"__proto__": {"a": 1}, "constructor": 2, "": 3}',
    '[{"a": 1}, {"a": 2}]',
    ' "a:b" ',
    "-1.5e3",
  ];
  for (const text of taken) {
    test(`takes ${text}`, () =>
      expect(JSON.stringify(parsePlainJson(text)?.value)).toBe(JSON.stringify(JSON.parse(text))));
  }

  const left = [
    '{"a": 1, "a": 1}',
    '{"a": 1, "\\u0061": 2}',
    '[{"x": {"__proto__": 1, "__proto__": 2}}]',
    '{"a": 1,}',
    '{"a": 1} // why',
    '{"a": 1',
    "",
    "[".repeat(200_000),
  ];
  for (const text of left) {
    test(`leaves ${JSON.stringify(text.slice(0, 40))} to the other parser`, () =>
      expect(parsePlainJson(text)).toBeUndefined());
  }

  /** Short keys, so that many are given twice; values with what JSON is written with. */
  const key = fc.constantFrom('"a"', '"b"', '"\\u0061"', '":"', '"\\\\"', '"__proto__"');
  const { json } = fc.letrec<{ json: string; object: string; array: string }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom("1", "null", '"a:b"', '"\\":"', '"{"'),
      tie("object"),
      tie("array"),
    ),
    object: fc
      .array(fc.tuple(key, tie("json")), { maxLength: 3 })
      .map((members) => `{${members.map(([name, value]) => `${name}: ${value}`).join(",")}}`),
    array: fc.array(tie("json"), { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
  }));

  test("takes a text if and only if the other parser takes it, and reads the same", () => {
    const seen = { taken: 0, left: 0 };
    fc.assert(
      fc.property(json, (text) => {
        const plain = parsePlainJson(text);
        seen[plain ? "taken" : "left"] += 1;
        if (plain) {
          expect(JSON.stringify(plain.value)).toBe(JSON.stringify(parseJsonText(text, "x")));
        } else {
          expect(() => parseJsonText(text, "x")).toThrow("is given twice");
        }
      }),
      { numRuns: 5000 },
    );
    expect(Math.min(seen.taken, seen.left)).toBeGreaterThan(100);
  });
});
