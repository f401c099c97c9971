import { describe, expect, test } from "bun:test";
import {
  InvalidInputError,
  type MailMessage,
  matchMailFilters,
} from "../../../../src/mail-filter/index.ts";
import { expectNoSquare } from "../../../support/growth.ts";
import { CASES, type Case } from "./cases.ts";

/** A mail of which everything is known but size and date. */
const EMPTY: MailMessage = {
  ...{ from: "", to: "", cc: "", bcc: "", delivered_to: "", subject: "", list: "" },
  ...{ text: "", attachments: [] },
};

const matchOf = ([search, mail, , options]: Case) => {
  const conditions = typeof search === "string" ? { has_words: [search] } : search;
  const [match] = matchMailFilters([{ ...conditions, star: true }], { ...EMPTY, ...mail }, options);
  return match;
};

const nameOf = ([search, mail, verdict]: Case) =>
  `${JSON.stringify(search)} on ${JSON.stringify(mail)}: ${verdict}`;

test("there are enough cases", () => {
  expect(Object.values(CASES).flat().length).toBeGreaterThan(150);
});

describe.each(Object.entries(CASES))("%s", (_, cases) => {
  test.each(cases.map((matched) => [nameOf(matched), matched] as const))("%s", (_, matched) => {
    expect(matchOf(matched)?.matched).toBe(matched[2]);
  });
});

describe("matchMailFilters()", () => {
  const mail = { ...EMPTY, from: "Shop <no-reply@mail.shop.example>", subject: "Your invoice" };
  const because = (filter: object, options?: object) =>
    matchMailFilters([{ ...filter, star: true }], mail, options)[0]?.because;

  test.each([
    [
      "the term that decides against",
      { from: ["@shop.example"], subject: ["order"] },
      [{ term: "subject:order", verdict: "no", reason: "is not there" }],
    ],
    [
      "the whole list when none of it is found",
      { from: ["a@x.com", "b@y.org"] },
      [
        {
          term: "from:(a@x.com OR b@y.org)",
          verdict: "no",
          reason: "finds none of them",
        },
      ],
    ],
    [
      "every term that decides for",
      { from: ["a@x.com", "@shop.example"], does_not_have: ["order"] },
      [
        { term: "from:@shop.example", verdict: "yes", reason: "is there" },
        { term: "-order", verdict: "yes", reason: "is not in the mail" },
      ],
    ],
    [
      "every term that is unknown",
      { from: ["@shop.example"], subject: ["invoices"], has_words: ["is:unread"] },
      [
        {
          term: "subject:invoices",
          verdict: "unknown",
          reason: "may be there, perhaps in another form",
        },
        { term: "is:unread", verdict: "unknown", reason: "asks for what only Gmail knows" },
      ],
    ],
  ] as const)("names %s", (_, filter, expected) => {
    expect<unknown>(because(filter)).toEqual(expected);
  });

  test("takes more filters than Gmail keeps, and names the wrong one by its place", () => {
    const filters = Array.from({ length: 2500 }, (_, index) => ({
      from: [`a${index}@x.com`],
      star: true,
    }));
    const matches = matchMailFilters(filters, { ...EMPTY, from: "a2400@x.com" });
    expect(matches.flatMap(({ matched }, index) => (matched === "yes" ? [index] : []))).toEqual([
      2400,
    ]);
    const broken = filters.with(2001, { from: [""], star: true });
    expect(() => matchMailFilters(broken, EMPTY)).toThrow("filters[2001].from[0]");
    expect(() => matchMailFilters([{ from: ["-x@y.com"], star: true }], EMPTY)).toThrow(
      InvalidInputError,
    );
  });

  test.each([
    ["spaces", " "],
    ["quotes", '"'],
    ["backslashes", '\\"'],
    ["signs", "@<"],
    ["commas", "a@,"],
    ["words that nearly are there", "invoic "],
    ["letters without spaces, with blanks between", "請 \n "],
    ["blanks", " \n"],
  ])("reads a header of 200 kB of %s at once", (_, piece) =>
    expectNoSquare(200_000, (size) => {
      const header = piece.repeat(size / piece.length);
      matchMailFilters(
        [
          { from: ["a@x.com", "@y.org", "Ann Bob"], star: true },
          { has_words: ["invoice"], star: true },
        ],
        { ...EMPTY, from: header, subject: `請${header}`, text: `請${header}` },
      );
    }),
  );
});
