import type { FilterTest } from "../../../schemas/mail-tests.ts";
import { groupBy } from "../../group-by.ts";
import { ACTION_FIELDS, ACTIONS } from "../filter-fields.ts";
import type { FilterMatch, FilterMatcher } from "./match-filters.ts";
import { type MailMessage, SearchableMessage } from "./message.ts";

/**
 * Tests filters on a message.
 *
 * @returns one line for each wrong action, with the terms that decided.
 */
export function runFilterTest(
  filters: readonly FilterMatcher[],
  { expect, unknown }: Pick<FilterTest, "expect" | "unknown">,
  message: MailMessage,
): readonly string[] {
  const searchable = new SearchableMessage(message);
  const previews = filters.map((filter) => ({ filter, match: filter.match(searchable) }));
  return ACTION_FIELDS.flatMap((field) => {
    const wanted = [expect[field] ?? []].flat().filter(Boolean).map(String);
    const byValue = groupBy(
      previews.filter(({ filter }) => filter.actions[field]),
      ({ filter }) => String(filter.actions[field]),
    );
    return [...new Set([...wanted, ...byValue.keys()])].flatMap((value) => {
      const candidates = byValue.get(value) ?? [];
      const matching = candidates.filter(({ match }) => match.matched === "yes");
      const unsure = candidates.filter(({ match }) => match.matched === "unknown");
      const isWanted = wanted.includes(value);
      if (isWanted === matching.length > 0 && (isWanted || unsure.length === 0)) return [];
      const action = formatAction(field, value);
      if (matching.length > 0) return `${action} is not expected${formatPreviews(matching)}`;
      if (unsure.length === 0) return `${action} is missing${formatPreviews(candidates)}`;
      return unknown === "allow" ? [] : `${action} is unknown${formatPreviews(unsure)}`;
    });
  });
}

/** Formats `label Bills` or `archive`. */
function formatAction(field: string, value: string): string {
  const action = ACTIONS.find((known) => known.field === field && (known.value ?? value) === value);
  const { shortName = field, prefix } = action ?? {};
  return prefix === undefined ? shortName : `${shortName} ${value}`;
}

interface FilterPreview {
  readonly filter: FilterMatcher;
  readonly match: FilterMatch;
}

const MAX_REASONS = 5;

const formatPreviews = (previews: readonly FilterPreview[]): string =>
  previews.length === 0
    ? ": no filter does it"
    : `: ${previews
        .slice(0, MAX_REASONS)
        .map(({ filter, match }) => `${filter.title}: ${formatReasons(match)}`)
        .join("; ")}`;

/** Formats why a filter matches a message or not: `subject:invoice is not found`. */
export const formatReasons = (match: FilterMatch): string =>
  match.because.map(({ term, reason }) => `${term} ${reason}`).join(", ");
