import type { FilterDiagnostics } from "./diagnostics.ts";
import { ACTIONS, type Actions, LIST_FIELDS, propertyValue } from "./fields.ts";
import { operatorKind } from "./gmail.ts";
import { covers } from "./terms/address.ts";
import { type Criteria, criteriaSearch, toTexts } from "./terms/criteria.ts";
import { requires, type SearchLeaf } from "./terms/search.ts";

/** Warns about effects of one filter that its author may not have meant. */
export function warnAboutFilter(
  criteria: Criteria,
  actions: Actions,
  diagnostics: FilterDiagnostics,
): void {
  if (actions.delete) warnAboutDelete(criteria, actions, diagnostics.at("delete"));
  if (actions.never_spam) warnAboutNeverSpam(criteria, diagnostics.at("never_spam"));
  if (actions.forward_to) {
    warnAboutLoop(actions.forward_to, criteria, diagnostics.at("forward_to"));
  }
  if (actions.importance === "always" && criteria.from.some(({ text }) => text.startsWith("@"))) {
    diagnostics.at("importance").info("domain-is-no-proof", DOMAIN_IS_NO_PROOF);
  }
  if (!hasPositiveCondition(criteria)) {
    diagnostics
      .at(criteria.exclusions.length > 0 ? "does_not_have" : "has_words")
      .warn(
        "matches-almost-all",
        "matches almost all mail; add a sender, a recipient, a subject or words",
      );
  }
}

function warnAboutDelete(
  criteria: Criteria,
  actions: Actions,
  diagnostics: FilterDiagnostics,
): void {
  const ineffective = ACTIONS.filter(
    (action) => action.besideDelete !== undefined && propertyValue(action, actions) !== "",
  ).map(({ field }) => `\`${field}\``);
  if (ineffective.length > 0) {
    diagnostics.warn(
      "acts-on-deleted",
      `moves the mail to the bin, where ${ineffective.join(" and ")} ${ineffective.length > 1 ? "have" : "has"} little effect`,
    );
  }
  if (actions.never_spam) {
    diagnostics.warn(
      "deletes-spam-too",
      "with `never_spam` puts spam in the bin instead of in Spam",
    );
  }
  if (!namesSender(criteria)) {
    const named = criteria.from.length > 0 ? "a whole free mail service" : "no sender";
    diagnostics.warn(
      "broad-delete",
      `deletes mail from anyone, as the filter names ${named}; Gmail empties the bin after 30 days`,
    );
  }
}

function warnAboutNeverSpam(criteria: Criteria, diagnostics: FilterDiagnostics): void {
  if (!namesSenderOrList(criteria)) return;
  if (toTexts(criteria.from).some(isFreeMail)) {
    diagnostics.warn(
      "never-spam-free-mail",
      "lets through spam from anyone at a free mail service",
    );
  } else if (criteria.from.some(({ text }) => text.startsWith("@"))) {
    diagnostics.info("domain-is-no-proof", DOMAIN_IS_NO_PROOF);
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

const DOMAIN_IS_NO_PROOF =
  "an @domain also matches its subdomains and look-alikes, and senders can be forged";

function warnAboutLoop(address: string, criteria: Criteria, diagnostics: FilterDiagnostics): void {
  const term = toTexts([...criteria.from, ...criteria.to]).find((item) =>
    covers(item.replaceAll('"', ""), address),
  );
  if (term !== undefined) {
    diagnostics.warn(
      "forward-loop",
      `the condition ${term} matches mail of this address too, which may then be forwarded in a circle`,
    );
  }
}

/** True for a filter with a condition that is not an exclusion. */
const hasPositiveCondition = (criteria: Criteria): boolean =>
  LIST_FIELDS.some((field) => criteria[field].length > 0) ||
  requires(criteriaSearch(criteria), () => true);
