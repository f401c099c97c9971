import type { Criteria } from "./criteria.ts";
import { searchSize } from "./size.ts";

/** Alternatives, as Gmail writes them in its own filters. */
export const anyOf = (terms: readonly string[]): string => terms.join(" OR ");

/** `from:(a OR b)`, as Gmail itself rewrites the field of a filter. */
const fieldSearch = (field: "from" | "to" | "subject", terms: readonly string[]): string =>
  terms.length === 0 ? "" : `${field}:(${anyOf(terms)})`;

/** What keeps mail out: `-sale`, or `-{sale "out of office"}`, in which any one of them does. */
const exclusionSearch = (terms: readonly string[]): string => {
  if (terms.length === 0) return "";
  return terms.length === 1 ? `-${terms[0]}` : `-{${terms.join(" ")}}`;
};

/** The search string that finds the mail a filter selects. */
export function searchString(criteria: Criteria): string {
  return [
    fieldSearch("from", criteria.from),
    fieldSearch("to", criteria.to),
    fieldSearch("subject", criteria.subject),
    ...criteria.words.map(({ text }) => text),
    exclusionSearch(criteria.exclusions),
    criteria.hasAttachment ? "has:attachment" : "",
    criteria.larger ? `larger:${searchSize(criteria.larger)}` : "",
    criteria.smaller ? `smaller:${searchSize(criteria.smaller)}` : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** Gmail's address of that search. A slash would end the search, so it is encoded too. */
export const previewUrl = (search: string): string =>
  `https://mail.google.com/mail/u/0/#search/${encodeURIComponent(search)}`;
