import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { nearName } from "../../schemas/common.ts";

const known = ["name", "from", "to", "subject", "larger_than_mb", "smaller_than_mb", "star"];

describe("nearName()", () => {
  test.each<[string, string | undefined]>([
    ["form", "from"],
    ["From", "from"],
    ["frm", "from"],
    ["too", "to"],
    ["ot", "to"],
    ["subjcts", "subject"],
    ["larger-than-mb", "larger_than_mb"],
    ["stat", "star"],
    ["colour", undefined],
    ["t", undefined],
    ["", undefined],
    ["larger_than", undefined],
  ])("%s -> %s", (name, near) => expect(nearName(name, known)).toBe(near));

  test("is done soon with a name of any length", () => {
    expect(nearName(`name${"x".repeat(1_000_000)}`, known)).toBeUndefined();
  });

  test("finds a name with one slip in it", () => {
    const slip = fc.record({
      name: fc.constantFrom("subject", "larger_than_mb"),
      at: fc.nat(6),
      kind: fc.constantFrom("add", "leave out", "change", "swap"),
      letter: fc.constantFrom(..."axz_"),
    });
    fc.assert(
      fc.property(slip, ({ name, at, kind, letter }) => {
        const [start, here, next, end] = [
          name.slice(0, at),
          name.slice(at, at + 1),
          name.slice(at + 1, at + 2),
          name.slice(at + 2),
        ];
        const misspelt = {
          add: start + letter + here + next + end,
          "leave out": start + next + end,
          change: start + letter + next + end,
          swap: start + next + here + end,
        }[kind];
        expect(nearName(misspelt, known)).toBe(name);
      }),
      { numRuns: 1000 },
    );
  });
});
