import type { Criteria } from "./criteria.ts";
import { requires } from "./expression-meaning.ts";

/** These say how a mail is made or kept, not whose or what mail it is. */
const OF_ANY_MAIL = [
  ...["has", "is", "in", "label", "size", "larger", "smaller"],
  ...["after", "before", "older", "newer", "older_than", "newer_than"],
];

/** Whether a filter asks for anything that a mail must have, rather than only lack. */
export const narrows = (criteria: Criteria): boolean =>
  criteria.hasAttachment ||
  criteria.larger !== undefined ||
  criteria.smaller !== undefined ||
  asksFor(criteria, () => true);

/** Whether a filter says whose or what mail it takes. */
export const namesMail = (criteria: Criteria): boolean =>
  asksFor(criteria, (operator) => operator === undefined || !OF_ANY_MAIL.includes(operator));

const asksFor = (
  { from, to, subject, words }: Criteria,
  counts: (operator: string | undefined) => boolean,
): boolean =>
  [from, to, subject].some((terms) => terms.length > 0) ||
  words.some(({ expression }) => !expression || requires(expression, counts));
