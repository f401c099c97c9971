import type { FilterDiagnostics } from "./diagnostics.ts";
import { ACTIONS, type Actions, propertyValue } from "./fields.ts";
import { kindOf } from "./gmail.ts";
import { covers } from "./terms/address.ts";
import type { Criteria } from "./terms/criteria.ts";
import { type Counts, requires } from "./terms/expression.ts";

/** Warns about effects of one filter that its author may not have meant. */
export function warnAboutFilter(
  criteria: Criteria,
  actions: Actions,
  diagnostics: FilterDiagnostics,
): void {
  if (actions.delete) warnAboutDelete(criteria, actions, diagnostics.at("delete"));
  if (actions.never_spam) warnAboutNeverSpam(criteria, diagnostics.at("never_spam"));
  if (actions.forward_to) {
    warnAboutForward(actions.forward_to, criteria, diagnostics.at("forward_to"));
  }
  if (actions.importance === "always" && criteria.from.some((term) => term.startsWith("@"))) {
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
  if (actions.skip_inbox) {
    diagnostics.info("redundant-skip-inbox", "already takes the mail out of the inbox");
  }
  const kept = ACTIONS.filter(
    (action) => action.inBin !== undefined && propertyValue(action, actions) !== "",
  ).map(({ field }) => `\`${field}\``);
  if (kept.length > 0) {
    diagnostics.warn(
      "acts-on-deleted",
      `moves the mail to the bin, where ${kept.join(" and ")} ${kept.length > 1 ? "have" : "has"} little effect`,
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
  if (!namesPeople(criteria)) {
    diagnostics.warn(
      "never-spam-without-sender",
      "lets spam from any sender through; name the senders",
    );
  } else if (criteria.from.some(isFreeMail)) {
    diagnostics.warn(
      "never-spam-free-mail",
      "lets through spam from anyone at a free mail service",
    );
  } else if (criteria.from.some((term) => term.startsWith("@"))) {
    diagnostics.info("domain-is-no-proof", DOMAIN_IS_NO_PROOF);
  }
}

/** True when all mail that the filter matches comes from a sender or a mailing list that it names. */
const namesSender = ({ from, words }: Criteria): boolean =>
  (from.length > 0 && !from.some(isFreeMail)) ||
  words.some(({ expression }) => expression && requires(expression, isSender));

const isSender: Counts = (operator, text) =>
  operator === "list" || (operator === "from" && !isFreeMail(text));

const namesPeople = ({ from, to, words }: Criteria): boolean =>
  from.length > 0 ||
  to.length > 0 ||
  words.some(({ expression }) => expression && requires(expression, isOfPeople));

const isOfPeople: Counts = (operator) =>
  kindOf(operator) === "address" || kindOf(operator) === "list";

/** Anyone can get an address of these, so the domain proves nothing. */
const isFreeMail = (term: string): boolean => FREE_MAIL.test(term);

const FREE_MAIL =
  /^"?[*@]*(?:gmail|googlemail|hotmail|outlook|live|yahoo|icloud|aol|gmx|proton|protonmail)\.[a-z.]+"?$/i;

const DOMAIN_IS_NO_PROOF =
  "an @domain also matches its subdomains and look-alikes, and senders can be forged";

function warnAboutForward(
  address: string,
  criteria: Criteria,
  diagnostics: FilterDiagnostics,
): void {
  diagnostics.warn(
    "forward-unverified",
    `add and verify ${address} in Gmail under Settings > Forwarding before the import`,
  );
  const term = [...criteria.from, ...criteria.to].find((item) =>
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
  criteria.hasAttachment ||
  criteria.larger !== undefined ||
  criteria.smaller !== undefined ||
  [criteria.from, criteria.to, criteria.subject].some((terms) => terms.length > 0) ||
  criteria.words.some(({ expression }) => !expression || requires(expression, () => true));
