import { expect, test } from "bun:test";
import fc from "fast-check";
import { matchMailFilters, type Verdict } from "../../../../src/mail-filter/index.ts";
import { tries } from "../../../support/runs.ts";

/*
 * Searches and mails at random, and what they mean together by a second, plain reading of the rules:
 * it cuts every text into words first, while the library looks for words in the text.
 */

const WORDS = ["alpha", "bravo", "invoice", "invoices", "it", "x_y", "a&b", "2026"];
const PEOPLE = ["ann@x.com", "ann@mail.x.com", "bob@y.org", "ann.bob@y.org"];

interface Mail {
  readonly from: string;
  readonly cc: string;
  readonly subject: string;
  readonly text: string;
}

const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 4 });
const texts = fc
  .tuple(words, fc.constantFrom(" ", "-", ", ", ". ", "\n"))
  .map(([list, separator]) => list.join(separator));
const header = fc
  .tuple(words, fc.constantFrom(...PEOPLE))
  .map(([name, address]) => `${name.join(" ")} <${address}>`);
const mails: fc.Arbitrary<Mail> = fc.record({
  from: header,
  cc: header,
  subject: texts,
  text: texts,
});

/** A search as text, and what it means. */
interface Search {
  readonly text: string;
  readonly holds: (mail: Mail) => Verdict;
}

const tokens = (text: string) =>
  text
    .toLowerCase()
    .split(/[^a-z0-9_&]+/)
    .filter(Boolean);

const among = (values: readonly Verdict[]): Verdict => {
  if (values.includes("yes")) return "yes";
  return values.includes("unknown") ? "unknown" : "no";
};
const FLIPPED = { yes: "no", no: "yes", unknown: "unknown" } as const;
const flip = (verdict: Verdict): Verdict => FLIPPED[verdict];

function hasPhrase(text: string, phrase: readonly string[]): boolean {
  const found = tokens(text);
  return found.some((_, at) => phrase.every((word, index) => found[at + index] === word));
}

/** Words that differ in three last letters at most, and share four or more. */
function isSimilar(one: string, other: string): boolean {
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared += 1;
  return (
    /^[a-z]{4}/.test(one) && shared >= 4 && one.length - shared <= 3 && other.length - shared <= 3
  );
}

function wordIn(text: string, word: string): Verdict {
  if (hasPhrase(text, [word])) return "yes";
  return tokens(text).some((other) => isSimilar(word, other)) ? "unknown" : "no";
}

const FIELDS = {
  "": ["from", "cc", "subject", "text"],
  "subject:": ["subject"],
  "from:": ["from"],
  "to:": ["cc"],
} as const;

const fields = fc.constantFrom<keyof typeof FIELDS>("", "subject:", "from:", "to:");

const wordSearch: fc.Arbitrary<Search> = fc
  .tuple(fields, fc.constantFrom("", "+"), fc.constantFrom(...WORDS))
  .map(([field, plus, word]) => ({
    text: field + plus + word,
    holds: (mail) => {
      const verdict = among(FIELDS[field].map((name) => wordIn(mail[name], word)));
      return plus && verdict === "unknown" ? "no" : verdict;
    },
  }));

const phraseSearch: fc.Arbitrary<Search> = fc
  .tuple(fields, fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }))
  .map(([field, phrase]) => ({
    text: `${field}"${phrase.join(" ")}"`,
    holds: (mail) => (FIELDS[field].some((name) => hasPhrase(mail[name], phrase)) ? "yes" : "no"),
  }));

const addressSearch: fc.Arbitrary<Search> = fc
  .tuple(fc.constantFrom("from:" as const, "to:" as const), fc.constantFrom(...PEOPLE, "@x.com"))
  .map(([field, wanted]) => ({
    text: field + wanted,
    holds: (mail) => {
      const found = /<(.*)>/.exec(mail[FIELDS[field][0]])?.[1] ?? "";
      if (!wanted.startsWith("@")) return found === wanted ? "yes" : "no";
      return /[@.]x\.com$/.test(found) ? "yes" : "no";
    },
  }));

const { search } = fc.letrec<{ search: Search }>((tie) => ({
  search: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(wordSearch, phraseSearch, addressSearch),
    tie("search").map(({ text, holds }) => ({
      text: `-(${text})`,
      holds: (mail: Mail) => flip(holds(mail)),
    })),
    fc
      .tuple(
        fc.constantFrom("OR", "AND", "", "{}"),
        fc.array(tie("search"), { minLength: 2, maxLength: 3 }),
      )
      .map(([joiner, parts]) => {
        const list = parts.map(({ text }) => text);
        const isAny = joiner === "OR" || joiner === "{}";
        return {
          text:
            joiner === "{}"
              ? `{${list.join(" ")}}`
              : `(${list.join(joiner ? ` ${joiner} ` : " ")})`,
          holds: (mail: Mail) => {
            const verdicts = parts.map(({ holds }) => holds(mail));
            return isAny ? among(verdicts) : flip(among(verdicts.map(flip)));
          },
        };
      }),
  ),
}));

const complete = (mail: Mail) => ({
  ...{ to: "", bcc: "", delivered_to: "", list: "", attachments: [] },
  ...mail,
});

test("a search means what a plain reading of the rules says", () => {
  fc.assert(
    fc.property(search, mails, ({ text, holds }, mail) => {
      // A list of plain words would be a phrase, so an operator that is always true is beside it.
      const filter = { has_words: [`(${text}) -subject:nothing`], star: true };
      const [match] = matchMailFilters([filter], complete(mail));
      expect(match?.matched).toBe(holds(mail));
    }),
    tries(2000),
  );
});

test("a filter takes the mail that each of its conditions takes", () => {
  const lists = fc.record({
    from: fc.array(fc.constantFrom(...PEOPLE), { minLength: 1, maxLength: 3 }),
    subject: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }),
    does_not_have: fc.array(fc.constantFrom("alpha", "it"), { maxLength: 2 }),
  });
  fc.assert(
    fc.property(lists, mails, (filter, mail) => {
      const [match] = matchMailFilters([{ ...filter, star: true }], complete(mail));
      const sender = /<(.*)>/.exec(mail.from)?.[1] ?? "";
      const verdicts: Verdict[] = [
        filter.from.includes(sender) ? "yes" : "no",
        among(filter.subject.map((word) => wordIn(mail.subject, word))),
        ...filter.does_not_have.map((word) =>
          flip(among(Object.values(mail).map((text) => wordIn(text, word)))),
        ),
      ];
      expect(match?.matched).toBe(flip(among(verdicts.map(flip))));
    }),
    tries(1000),
  );
});

test("a missing fact can only make a verdict unknown", () => {
  const field = fc.constantFrom("from", "cc", "subject", "text", "attachments", "list");
  fc.assert(
    fc.property(search, mails, field, ({ text }, mail, untold) => {
      const filter = { has_words: [`(${text}) -subject:nothing`], star: true };
      const [all] = matchMailFilters([filter], complete(mail));
      const [some] = matchMailFilters([filter], { ...complete(mail), [untold]: undefined });
      if (some?.matched !== "unknown") expect<unknown>(some?.matched).toBe(all?.matched);
    }),
    tries(1000),
  );
});
