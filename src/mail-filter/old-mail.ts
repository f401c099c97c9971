import * as v from "valibot";
import { recordOf } from "../../schemas/common.ts";
import type { MailFilterResult } from "../../schemas/mail-filter.ts";
import { validate } from "../validate.ts";
import { ACTIONS } from "./fields.ts";
import { MAX_SEARCH_LENGTH } from "./gmail.ts";
import { previewUrl } from "./write.ts";

/** Searches for the mail in Gmail that a filter would still change. */
export interface OldMail {
  /**
   * One search with its address in Gmail. Several, one for each entry and action, where it would have
   * more than 1,400 characters; none where Gmail can search for none of the actions.
   */
  readonly searches: readonly { readonly search: string; readonly preview_url: string }[];
  /** The actions that Gmail cannot search for, in short: `forward to a@x.com`. */
  readonly unsearchable: readonly string[];
}

/**
 * Finds old mail that a filter of a result matches and has not changed: `(from:(a@x.com)) {-label:A
 * in:inbox}`. Operators are those of Gmail's help (support.google.com/mail/answer/7190). Gmail's search
 * leaves out Spam and the bin.
 *
 * @param filter one of `filters` of a result of `mailFilter()`.
 * @throws {InvalidInputError} for anything else.
 *
 * @example
 * const { filters } = mailFilter({ filters: [{ from: ["a@x.com"], label: "A", skip_inbox: true }] });
 * filters.map(searchOldMail)[0]?.searches[0]?.search; // (from:(a@x.com)) {-label:A in:inbox}
 */
export function searchOldMail(
  filter: Pick<MailFilterResult["filters"][number], "search" | "entries">,
): OldMail {
  const { search, entries } = validate(FilterSchema, filter, ["filter"]);
  const properties = entries[0]?.properties ?? {};
  const done = ACTIONS.flatMap(({ property, prefix, names, shortName, undone }) => {
    const value = properties[property];
    if (value === undefined) return [];
    const text = prefix === undefined ? "" : value.slice(prefix.length);
    const name = names?.[text] ?? text;
    const term = undone?.replace("*", () => (names ? name.toLowerCase() : toLabelSearch(text)));
    return [{ property, term, words: `${shortName} ${name}`.trim() }];
  });
  // Nothing else matters to mail that goes to the bin.
  const deletes = done.filter(({ property }) => property === "shouldTrash");
  const terms = (deletes.length > 0 ? deletes : done).flatMap(({ term }) => term ?? []);
  const whole = `(${search}) ${terms.length > 1 ? `{${terms.join(" ")}}` : terms.join("")}`;
  const searches =
    whole.length > MAX_SEARCH_LENGTH
      ? entries.flatMap((entry) => terms.map((term) => `(${entry.search}) ${term}`))
      : [whole];
  return {
    searches: (terms.length > 0 ? searches : []).map((text) => ({
      search: text,
      preview_url: previewUrl(text),
    })),
    unsearchable: done.filter(({ term }) => term === undefined).map(({ words }) => words),
  };
}

const FilterSchema = v.object({
  search: v.string(),
  entries: v.array(v.object({ search: v.string(), properties: recordOf(v.string()) })),
});

/**
 * A label as Gmail's search accepts it. A space and these signs are the same as a hyphen to Gmail
 * (`Money/Two words` is `Money-Two-words`); a label with others must be in quotes.
 */
function toLabelSearch(label: string): string {
  const name = label.replace(/[\s"&()/{|}]/g, "-");
  return /^[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}_-]*$/u.test(name) ? name : `"${name}"`;
}
