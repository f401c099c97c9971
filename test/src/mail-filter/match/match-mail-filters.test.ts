import { describe, expect, test } from "bun:test";
import type { FilterInput } from "../../../../schemas/mail-filter.ts";
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

describe.each(Object.entries(CASES))("%s", (_, cases) => {
  test.each(cases.map((matched) => [nameOf(matched), matched] as const))("%s", (_, matched) => {
    expect(matchOf(matched)?.matched).toBe(matched[2]);
  });
});

describe("matchMailFilters()", () => {
  const mail = { ...EMPTY, from: "Shop <no-reply@mail.shop.example>", subject: "Your invoice" };
  test.each<[FilterInput, ...string[]]>([
    [{ from: ["@shop.example"], subject: ["order"] }, "subject:order: no, is not found"],
    [{ from: ["a@x.com", "b@y.org"] }, "from:(a@x.com OR b@y.org): no, has no match"],
    [
      { from: ["a@x.com", "@shop.example"], does_not_have: ["order"] },
      "from:@shop.example: yes, is found",
      "-order: yes, is not in the message",
    ],
    [
      { from: ["@shop.example"], subject: ["invoices"], has_words: ["is:unread"] },
      "subject:invoices: unknown, may be found in another form",
      "is:unread: unknown, depends on what only Gmail knows",
    ],
  ])("names what decides about %j", (filter, ...terms) => {
    const [match] = matchMailFilters([{ ...filter, star: true }], mail);
    const because = match?.because.map((one) => `${one.term}: ${one.verdict}, ${one.reason}`);
    expect<unknown>(because).toEqual(terms);
  });

  test("takes more filters than Gmail keeps, and names the wrong one by its place", () => {
    const filters = Array.from({ length: 2500 }, (_, index) => ({
      from: [`a${index}@x.com`],
      star: true,
    }));
    const matches = matchMailFilters(filters, { ...EMPTY, from: "a2400@x.com" });
    const matched = matches.flatMap((match, index) => (match.matched === "yes" ? [index] : []));
    expect(matched).toEqual([2400]);
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
      const mail = { ...EMPTY, from: header, subject: `請${header}`, text: `請${header}` };
      matchMailFilters([{ from: ["a@x.com", "@y.org", "Ann Bob"], star: true }], mail);
      matchMailFilters([{ has_words: ["invoice"], star: true }], mail);
    }),
  );
});
