import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Node, parseTree } from "jsonc-parser/lib/esm/main.js";
import { findDuplicateKey, parseJson } from "../../src/parse-json.ts";
import { tries } from "../support/runs.ts";

describe("findDuplicateKey()", () => {
  test.each<[string, (string | number)[]?]>([
    ['{"a":[{"a":1},{"b":[],"a":1,"a":2}]}', ["a", 1, "a"]],
    ['[[],{},[{}],{"a":1,"a":2}]', [3, "a"]],
    ['{"é":1,"\\u00E9":2}', ["é"]],
    ['{"\\ud800":1,"\\uD800":2}', ["\ud800"]],
    ['{"constructor":1,"constructor":2}', ["constructor"]],
    // The second `b` comes before the second `a`.
    ['{"a":{"b":1,"b":2},"a":3}', ["a", "b"]],
    ["-1.5e3"],
    ['"{\\"a\\":1,\\"a\\":2}"'],
    ['{"a":1,"A":2,"a ":3,"ａ":4}'],
    ['{"__proto__":1,"constructor":2,"toString":3,"size":4}'],
  ])("%j -> %j", (text, path = undefined) => expect(findDuplicateKey(text)).toEqual(path));

  test("looks into any depth", () => {
    const depth = 100_000;
    const text = `${"[".repeat(depth)}{"a":1,"a":2}${"]".repeat(depth)}`;
    expect(findDuplicateKey(text)).toEqual([...new Array(depth).fill(0), "a"]);
  });

  test("finds what the tree of a JSON parser has twice", () => {
    const seen = { duplicate: 0, unique: 0 };
    fc.assert(
      fc.property(json, (text) => {
        const expected = firstDuplicateInTree(text);
        seen[expected ? "duplicate" : "unique"] += 1;
        expect(findDuplicateKey(text)).toEqual(expected);
        if (expected) expect(() => parseJson(text)).toThrow("is given twice");
        else expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
      tries(400),
    );
    expect(Math.min(seen.duplicate, seen.unique)).toBeGreaterThan(20);
  });

  test("finds nothing in what JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: "binary" }), fc.nat(8), (text, indent) => {
        const rewritten = JSON.stringify(JSON.parse(text), null, indent);
        expect(findDuplicateKey(rewritten)).toBeUndefined();
      }),
      tries(200),
    );
  });
});

/** JSON with few keys, in several spellings, and strings that hold JSON's own punctuation. */
const key = fc.constantFrom(
  ...['"a"', '"\\u0061"', '" a"', '"b"', '":"', '"\\\\"', '"\\""', '"\\u0022"'],
  ...['"__proto__"', '""'],
);
const space = fc.constantFrom("", "", " ", "\n\t", "\r\n");
const joined = (items: fc.Arbitrary<string[]>) =>
  fc.tuple(items, space).map(([texts, gap]) => texts.join(`${gap},${gap}`));
const { json } = fc.letrec<{ json: string; object: string; array: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom("1", "-0.5e+3", "null", "true", '"a:b"', '"\\":"', '"{"', '"\\\\"', '"],"'),
    tie("object"),
    tie("array"),
  ),
  object: joined(
    fc.array(
      fc.tuple(key, space, tie("json")).map(([name, gap, value]) => `${name}${gap}:${gap}${value}`),
      { maxLength: 4 },
    ),
  ).map((members) => `{${members}}`),
  array: joined(fc.array(tie("json"), { maxLength: 3 })).map((items) => `[ ${items} ]`),
}));

type KeyPath = readonly (string | number)[];

/** The path of the key whose second occurrence comes first in the text. */
function firstDuplicateInTree(text: string): KeyPath | undefined {
  const root = parseTree(text);
  if (!root) throw new Error(`No tree of ${text}`);
  const [first] = duplicatesIn(root, []).sort((one, other) => one.offset - other.offset);
  return first?.path;
}

function duplicatesIn(node: Node, path: KeyPath): { path: KeyPath; offset: number }[] {
  const children = node.children ?? [];
  if (node.type === "array") {
    return children.flatMap((child, index) => duplicatesIn(child, [...path, index]));
  }
  if (node.type !== "object") return [];
  const members = children.map(({ children: [name, value] = [] }) => {
    if (!name || !value) throw new Error("A member has no key or no value");
    return { name: String(name.value), offset: name.offset, value };
  });
  const names = members.map(({ name }) => name);
  return members.flatMap(({ name, offset, value }, index) => [
    ...(names.indexOf(name) < index ? [{ path: [...path, name], offset }] : []),
    ...duplicatesIn(value, [...path, name]),
  ]);
}
