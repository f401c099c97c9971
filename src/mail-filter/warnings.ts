import { ACTIONS, type Actions, LIST_FIELDS, propertyValue } from "./fields.ts";
import type { FilterFindings } from "./findings.ts";
import { operatorKind } from "./gmail.ts";
import { covers } from "./terms/address.ts";
import { type Criteria, criteriaSearch, toTexts } from "./terms/criteria.ts";
import { requires, type SearchLeaf } from "./terms/search.ts";

/** Warns about effects of one filter that its author may not have meant. */
export function warnAboutFilter(
  criteria: Criteria,
  actions: Actions,
  findings: FilterFindings,
): void {
  if (actions.delete) warnAboutDelete(criteria, actions, findings.at("delete"));
  if (actions.never_spam) warnAboutNeverSpam(criteria, findings.at("never_spam"));
  if (actions.forward_to) {
    warnAboutLoop(actions.forward_to, criteria, findings.at("forward_to"));
  }
  if (actions.importance === "always" && criteria.from.some(({ text }) => text.startsWith("@"))) {
    findings.at("importance").add("domain-is-no-proof");
  }
  if (!hasPositiveCondition(criteria)) {
    const field = criteria.exclusions.length > 0 ? "does_not_have" : "has_words";
    findings.at(field).add("matches-almost-all");
  }
}

function warnAboutDelete(criteria: Criteria, actions: Actions, findings: FilterFindings): void {
  const ineffective = ACTIONS.filter(
    (action) => action.besideDelete !== undefined && propertyValue(action, actions) !== "",
  ).map(({ field }) => field);
  if (ineffective.length > 0) findings.add("acts-on-deleted", { fields: ineffective });
  if (actions.never_spam) findings.add("deletes-spam-too");
  if (!namesSender(criteria)) {
    findings.add("broad-delete", { namesService: criteria.from.length > 0 });
  }
}

function warnAboutNeverSpam(criteria: Criteria, findings: FilterFindings): void {
  if (!namesSenderOrList(criteria)) return;
  if (toTexts(criteria.from).some(isFreeMail)) {
    findings.add("never-spam-free-mail");
  } else if (criteria.from.some(({ text }) => text.startsWith("@"))) {
    findings.add("domain-is-no-proof");
  }
}

/** True when all mail that the filter matches comes from a sender or a mailing list that it names. */
const namesSender = ({ from, words }: Criteria): boolean =>
  (from.length > 0 && !toTexts(from).some(isFreeMail)) ||
  words.some(({ search }) => requires(search, isSender));

const isSender = ({ operator, text, unclear }: SearchLeaf): boolean =>
  unclear === undefined && (operator === "list" || (operator === "from" && !isFreeMail(text)));

export const namesSenderOrList = ({ from, to, words }: Criteria): boolean =>
  from.length > 0 || to.length > 0 || words.some(({ search }) => requires(search, isOfPeople));

const isOfPeople = ({ operator, unclear }: SearchLeaf): boolean =>
  unclear === undefined &&
  (operatorKind(operator) === "address" || operatorKind(operator) === "list");

/** Anyone can get an address of these, so the domain proves nothing. */
const isFreeMail = (term: string): boolean => FREE_MAIL.test(term);

const FREE_MAIL =
  /^"?[*@]*(?:gmail|googlemail|hotmail|outlook|live|yahoo|icloud|aol|gmx|proton|protonmail)\.[a-z.]+"?$/i;

function warnAboutLoop(address: string, criteria: Criteria, findings: FilterFindings): void {
  const term = toTexts([...criteria.from, ...criteria.to]).find((item) =>
    covers(item.replaceAll('"', ""), address),
  );
  if (term !== undefined) findings.add("forward-loop", { term });
}

/** True for a filter with a condition that is not an exclusion. */
const hasPositiveCondition = (criteria: Criteria): boolean =>
  LIST_FIELDS.some((field) => criteria[field].length > 0) ||
  requires(criteriaSearch(criteria), () => true);
