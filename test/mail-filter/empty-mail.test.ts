import { expect, test } from "bun:test";
import fc from "fast-check";
import { oneFilter } from "./one-filter.ts";

/** Made to be judged without our parser: whether it finds a mail with nothing in it. */
interface Made {
  readonly text: string;
  readonly findsEmptyMail: boolean;
}

const made = (text: string, findsEmptyMail: boolean): Made => ({ text, findsEmptyMail });

const bracketed: fc.Arbitrary<Made> = fc.letrec<{ term: Made; list: Made; group: Made }>((tie) => ({
  term: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("a", '"b c"', "from:d", "has:attachment").map((text) => made(text, false)),
    fc.constantFrom("-a", '-"b c"', "-from:d").map((text) => made(text, true)),
    tie("group"),
    tie("group").map(({ text, findsEmptyMail }) => made(`-${text}`, !findsEmptyMail)),
    tie("group").map(({ text, findsEmptyMail }) => made(`subject:${text}`, findsEmptyMail)),
  ),
  list: fc
    .array(fc.tuple(tie("term"), fc.constantFrom(" ", " AND ", " OR ", " | ")), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) =>
      made(
        parts.map(([{ text }, joiner], index) => text + (parts[index + 1] ? joiner : "")).join(""),
        findsEmptyMail(parts),
      ),
    ),
  group: fc.oneof(
    tie("list").map(({ text, findsEmptyMail }) => made(`(${text})`, findsEmptyMail)),
    fc.array(tie("term"), { minLength: 1, maxLength: 3 }).map((terms) =>
      made(
        `{${terms.map(({ text }) => text).join(" ")}}`,
        terms.some((term) => term.findsEmptyMail),
      ),
    ),
  ),
})).list;

/** Whichever Gmail joins first: what stands beside an OR, or what stands beside a space. */
function findsEmptyMail(parts: readonly (readonly [Made, string])[]): boolean {
  const written = parts.map(([term, joiner], index) => {
    const joins = parts[index + 1] ? (/OR|\|/.test(joiner) ? "+" : "*") : "";
    return `${term.findsEmptyMail ? 1 : 0}${joins}`;
  });
  const bits = written.join("");
  const spacesFirst = bits.split("+").some((part) => !part.includes("0"));
  const orsFirst = bits.split("*").every((part) => part.includes("1"));
  return spacesFirst || orsFirst;
}

test("an expression that finds a mail with nothing in it is said to match almost all mail", () => {
  let found = 0;
  fc.assert(
    fc.property(bracketed, ({ text, findsEmptyMail }) => {
      fc.pre(text.length <= 200 && /[" (){}|:-]/.test(text));
      if (!findsEmptyMail) return;
      found += 1;
      expect(oneFilter({ has_words: [text] }).codes).toContain("matches-almost-all");
    }),
    { numRuns: 5000 },
  );
  expect(found).toBeGreaterThan(500);
});
