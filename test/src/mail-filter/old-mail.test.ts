import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { callTool } from "../../../src/index.ts";
import {
  type MailFilterResult,
  mailFilter,
  searchOldMail,
} from "../../../src/mail-filter/index.ts";
import { parseExpression } from "../../../src/mail-filter/terms/expression.ts";
import { tries } from "../../support/runs.ts";
import { hostileInput } from "./hostile-filters.ts";
import type { FilterFields } from "./support.ts";

const oldMailOf = (filter: FilterFields) =>
  mailFilter({ filters: [{ from: ["a@x.example"], ...filter }] }).filters.map(searchOldMail)[0];

const searchesOf = (filter: FilterFields) =>
  oldMailOf(filter)?.searches.map(({ search }) => search.replace("(from:(a@x.example)) ", ""));

describe("the search of old mail that a filter would still change", () => {
  const actions: [FilterFields, string][] = [
    [{ label: "Bills" }, "-label:Bills"],
    [{ label: "Money/Two words" }, "-label:Money-Two-words"],
    [{ label: "A & (B)" }, "-label:A----B-"],
    [{ label: "r?" }, '-label:"r?"'],
    [{ label: "- last" }, '-label:"--last"'],
    [{ label: "Größe" }, "-label:Größe"],
    [{ label: "🎉" }, '-label:"🎉"'],
    [{ label: "$& *" }, '-label:"$--*"'],
    [{ skip_inbox: true }, "in:inbox"],
    [{ mark_read: true }, "is:unread"],
    [{ star: true }, "-is:starred"],
    [{ importance: "always" }, "-is:important"],
    [{ importance: "never" }, "is:important"],
    [{ category: "personal" }, "-category:primary"],
    [{ category: "promo" }, "-category:promotions"],
    [{ delete: true }, "-in:trash"],
    [{ delete: true, mark_read: true }, "-in:trash"],
    [{ label: "A", skip_inbox: true, mark_read: true }, "{-label:A in:inbox is:unread}"],
  ];
  test.each(actions)("asks for what %j has not done", (filter, search) => {
    expect(searchesOf(filter)).toEqual([search]);
  });

  test("has an address in Gmail", () => {
    expect(oldMailOf({ star: true })?.searches[0]?.preview_url).toBe(
      "https://mail.google.com/mail/u/0/#search/(from%3A(a%40x.example))%20-is%3Astarred",
    );
  });

  test("names what Gmail cannot search for", () => {
    const filter = { forward_to: "me@x.example", never_spam: true } as const;
    expect(oldMailOf(filter)).toEqual({
      searches: [],
      unsearchable: ["never spam", "forward to me@x.example"],
    });
    expect(oldMailOf({ ...filter, star: true })?.unsearchable).toHaveLength(2);
    expect(searchesOf({ ...filter, star: true })).toEqual(["-is:starred"]);
  });

  // With the last word of 186 characters the search has 1,400.
  const words = (length: number) =>
    Array.from({ length: 7 }, (_, n) => `${n}`.padEnd(n < 6 ? 194 : length, "x"));
  test.each([
    [186, 1],
    [187, 2],
  ])("is one for each action where a single one is too long: %i", (last, count) => {
    const filter = { has_words: words(last), star: true, skip_inbox: true };
    const searches = searchesOf(filter) ?? [];
    expect(searches).toHaveLength(count);
    expect(searches.at(-1)).toEndWith(count === 1 ? "{in:inbox -is:starred}" : ") -is:starred");
  });

  test("is one for each entry of a long filter", () => {
    const from = Array.from({ length: 20 }, (_, n) => `${n}${"x".repeat(90)}@x.example`);
    const searches = searchesOf({ from, star: true }) ?? [];
    expect(searches).toHaveLength(2);
    for (const address of from) expect(searches.join()).toContain(address);
  });

  test("is one that Gmail reads as it is meant, whatever the filter has", () => {
    fc.assert(
      fc.property(hostileInput, (input) => {
        const called = callTool("mail_filter_generator", input);
        for (const filter of called.ok ? (called.value as MailFilterResult).filters : []) {
          for (const { search } of searchOldMail(filter).searches) {
            const parsed = parseExpression(search);
            expect("problem" in parsed ? parsed.problem : parsed.expression.terms.length).toBe(2);
          }
        }
      }),
      tries(200),
    );
  });
});
