import type { FilterTest } from "../../../schemas/mail-tests.ts";
import { ACTION_FIELDS, ACTIONS } from "../filter-fields.ts";
import type { FilterMatch, FilterMatcher } from "./match-filters.ts";
import { type MailMessage, SearchableMessage } from "./message.ts";

/**
 * Runs a test of filters on its mail.
 *
 * @returns what is wrong, one line each, with the terms that decided; nothing when the test passes.
 */
export function runFilterTest(
  filters: readonly FilterMatcher[],
  { expect, unknown }: Pick<FilterTest, "expect" | "unknown">,
  message: MailMessage,
): readonly string[] {
  const mail = new SearchableMessage(message);
  const tried = filters.map((filter) => ({ filter, match: filter.match(mail) }));
  return ACTION_FIELDS.flatMap((field) => {
    const wanted = [expect[field] ?? []].flat().filter(Boolean).map(String);
    const doing = tried.filter(({ filter }) => filter.actions[field]);
    const values = new Set([
      ...wanted,
      ...doing.map(({ filter }) => String(filter.actions[field])),
    ]);
    return [...values].flatMap((value) => {
      const able = doing.filter(({ filter }) => String(filter.actions[field]) === value);
      const isWanted = wanted.includes(value);
      const taken = able.filter(({ match }) => match.matched === "yes");
      if (isWanted && taken.length > 0) return [];
      const unsure = able.filter(({ match }) => match.matched === "unknown");
      if (unsure.length > 0 && taken.length === 0) {
        return unknown === "allow"
          ? []
          : [`${printAction(field, value)} is unknown${reasons(unsure)}`];
      }
      if (isWanted) return [`${printAction(field, value)} is missing${reasons(able)}`];
      return taken.length > 0
        ? [`${printAction(field, value)} is not expected${reasons(taken)}`]
        : [];
    });
  });
}

/** `label Bills`, `archive`. */
function printAction(field: string, value: string): string {
  const action = ACTIONS.find((known) => known.field === field && (known.value ?? value) === value);
  const { shortName = field, prefix } = action ?? {};
  return prefix === undefined ? shortName : `${shortName} ${value}`;
}

interface FilterPreview {
  readonly filter: FilterMatcher;
  readonly match: FilterMatch;
}

/** Reasons of more filters would not help. */
const MAX_REASONS = 5;

const reasons = (tried: readonly FilterPreview[]): string =>
  tried.length === 0
    ? ": no filter does it"
    : `: ${tried
        .slice(0, MAX_REASONS)
        .map(({ filter, match }) => `${filter.title}: ${formatReasons(match)}`)
        .join("; ")}`;

/** Why a filter matches a mail, or not: `subject:invoice is not there`. */
export const formatReasons = (match: FilterMatch): string =>
  match.because.map(({ term, reason }) => `${term} ${reason}`).join(", ");
