import type { FilterDiagnostics } from "./diagnostics.ts";
import type { Actions, Criteria } from "./filter.ts";
import { covers } from "./terms/address.ts";
import { requires } from "./terms/expression.ts";

/** Warns about what one filter does that its author may not have meant. */
export function warnAboutFilter(
  criteria: Criteria,
  actions: Actions,
  diagnostics: FilterDiagnostics,
): void {
  if (actions.delete) warnAboutDelete(criteria, actions, diagnostics.at("delete"));
  if (actions.neverSpam) warnAboutNeverSpam(criteria, diagnostics.at("never_spam"));
  if (actions.forwardTo) {
    warnAboutForward(actions.forwardTo, criteria, diagnostics.at("forward_to"));
  }
  if (actions.importance === "always" && criteria.from.some((term) => term.startsWith("@"))) {
    diagnostics.at("importance").info("domain-is-no-proof", DOMAIN_IS_NO_PROOF);
  }
  if (!hasPositiveCondition(criteria)) {
    diagnostics
      .at(criteria.exclusions.length > 0 ? "does_not_have" : "has_words")
      .warn(
        "matches-almost-all",
        "lets almost all mail match, as nothing in the filter says which mail; add a condition that does",
      );
  }
}

function warnAboutDelete(
  criteria: Criteria,
  actions: Actions,
  diagnostics: FilterDiagnostics,
): void {
  if (actions.skipInbox) {
    diagnostics.info("redundant-skip-inbox", "already takes the mail out of the inbox");
  }
  const kept = [
    actions.star && "star",
    actions.label && "label",
    actions.category && "category",
    actions.importance === "always" && "importance",
  ].filter((name) => typeof name === "string" && name !== "");
  if (kept.length > 0) {
    diagnostics.warn(
      "acts-on-deleted",
      `puts the mail in the bin, where ${kept.join(" and ")} can do little`,
    );
  }
  if (actions.neverSpam) {
    diagnostics.warn("deletes-spam-too", "with never_spam puts spam in the bin instead of in Spam");
  }
  if (!identifiesMail(criteria)) {
    diagnostics.warn(
      "broad-delete",
      "deletes mail from anyone, as no sender, recipient, subject or words say which; Gmail empties the bin after 30 days",
    );
  }
}

function warnAboutNeverSpam(criteria: Criteria, diagnostics: FilterDiagnostics): void {
  if (!namesSender(criteria)) {
    diagnostics.warn(
      "never-spam-without-sender",
      "lets spam from any sender through; name the senders",
    );
  } else if (criteria.from.some((term) => term.startsWith("@") && FREE_MAIL.test(term))) {
    diagnostics.warn(
      "never-spam-free-mail",
      "lets through spam from anyone at a free mail service",
    );
  } else if (criteria.from.some((term) => term.startsWith("@"))) {
    diagnostics.info("domain-is-no-proof", DOMAIN_IS_NO_PROOF);
  }
}

/** Whether a filter says whose mail, or mail to whom, it takes. */
const namesSender = ({ from, to, words }: Criteria): boolean =>
  from.length > 0 ||
  to.length > 0 ||
  words.some(
    ({ expression }) =>
      expression &&
      requires(expression, (operator) => operator !== undefined && PEOPLE.includes(operator)),
  );

const PEOPLE = ["from", "to", "cc", "bcc", "deliveredto", "list"];

/** Anyone can get an address of these, so the domain proves nothing. */
const FREE_MAIL =
  /@(?:gmail|googlemail|hotmail|outlook|live|yahoo|icloud|aol|gmx|proton|protonmail)\.[a-z.]+$/i;

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
  const term = [...criteria.from, ...criteria.to].find((own) => covers(own, address));
  if (term !== undefined) {
    diagnostics.warn(
      "forward-loop",
      `the condition ${term} takes mail of this address too, which may go round in circles`,
    );
  }
}

/** Whether a filter asks for something that a mail must have, not only for what it must lack. */
const hasPositiveCondition = (criteria: Criteria): boolean =>
  criteria.hasAttachment ||
  criteria.larger !== undefined ||
  criteria.smaller !== undefined ||
  asksFor(criteria, () => true);

/** Whether a filter names senders, recipients, subjects or words. */
const identifiesMail = (criteria: Criteria): boolean =>
  asksFor(criteria, (operator) => operator === undefined || !OF_ANY_MAIL.includes(operator));

/** Operators that say how a mail is made or kept, not who sent it or what it says. */
const OF_ANY_MAIL = [
  ...["has", "is", "in", "label", "size", "larger", "smaller"],
  ...["after", "before", "older", "newer", "older_than", "newer_than"],
];

const asksFor = (
  { from, to, subject, words }: Criteria,
  counts: (operator: string | undefined) => boolean,
): boolean =>
  [from, to, subject].some((terms) => terms.length > 0) ||
  words.some(({ expression }) => !expression || requires(expression, counts));
