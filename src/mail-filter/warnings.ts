import type { Findings, Path } from "../issues.ts";
import type { Actions, Criteria } from "./filter.ts";
import { covers } from "./terms/address.ts";
import { requires } from "./terms/expression.ts";

/** These say how a mail is made or kept, not whose or what mail it is. */
const OF_ANY_MAIL = [
  ...["has", "is", "in", "label", "size", "larger", "smaller"],
  ...["after", "before", "older", "newer", "older_than", "newer_than"],
];

/** Whether a filter asks for anything that a mail must have, rather than only lack. */
const narrows = (criteria: Criteria): boolean =>
  criteria.hasAttachment ||
  criteria.larger !== undefined ||
  criteria.smaller !== undefined ||
  asksFor(criteria, () => true);

/** Whether a filter says whose or what mail it takes. */
const namesMail = (criteria: Criteria): boolean =>
  asksFor(criteria, (operator) => operator === undefined || !OF_ANY_MAIL.includes(operator));

const asksFor = (
  { from, to, subject, words }: Criteria,
  counts: (operator: string | undefined) => boolean,
): boolean =>
  [from, to, subject].some((terms) => terms.length > 0) ||
  words.some(({ expression }) => !expression || requires(expression, counts));

/** Anyone can have an address here, so the domain vouches for nobody. */
const FREE_MAIL =
  /@(?:gmail|googlemail|hotmail|outlook|live|yahoo|icloud|aol|gmx|proton|protonmail)\.[a-z.]+$/i;

/** Remarks on what one filter does that its author may not have meant. */
export function caution(
  criteria: Criteria,
  actions: Actions,
  path: Path,
  findings: Findings,
): void {
  if (actions.delete) cautionDelete(criteria, actions, path, findings);
  if (actions.neverSpam) cautionNeverSpam(criteria, path, findings);
  if (actions.forwardTo) cautionForward(actions.forwardTo, criteria, path, findings);
  if (actions.importance === "always" && criteria.from.some((term) => term.startsWith("@"))) {
    findings.info("domain-is-no-proof", [...path, "importance"], DOMAIN_IS_NO_PROOF);
  }
  if (actions.category && actions.skipInbox) {
    findings.info(
      "category-without-inbox",
      [...path, "category"],
      "has no visible effect with skip_inbox: the tabs sort the inbox only",
    );
  }
  if (!narrows(criteria)) {
    findings.warn(
      "matches-almost-all",
      [...path, criteria.exclusions.length > 0 ? "does_not_have" : "has_words"],
      "lets almost all mail match, as nothing in the filter says which mail; add a condition that does",
    );
  }
}

const DOMAIN_IS_NO_PROOF =
  "an @domain also matches its subdomains and look-alikes, and senders can be forged";

function cautionDelete(criteria: Criteria, actions: Actions, path: Path, findings: Findings): void {
  const at = [...path, "delete"];
  if (actions.skipInbox) {
    findings.info("redundant-skip-inbox", at, "already takes the mail out of the inbox");
  }
  const kept = [
    actions.star && "star",
    actions.label && "label",
    actions.category && "category",
    actions.importance && "importance",
  ].filter((name) => typeof name === "string" && name !== "");
  if (kept.length > 0) {
    findings.warn(
      "acts-on-deleted",
      at,
      `puts the mail in the bin, where ${kept.join(" and ")} can do little`,
    );
  }
  if (actions.neverSpam) {
    findings.warn(
      "deletes-spam-too",
      at,
      "with never_spam puts spam in the bin instead of in Spam",
    );
  }
  if (!namesMail(criteria)) {
    findings.warn(
      "broad-delete",
      at,
      "deletes mail from anyone, as no sender, recipient, subject or words say which; Gmail empties the bin after 30 days",
    );
  }
}

function cautionNeverSpam(criteria: Criteria, path: Path, findings: Findings): void {
  const at = [...path, "never_spam"];
  if (criteria.from.length === 0 && criteria.to.length === 0) {
    findings.warn(
      "never-spam-without-sender",
      at,
      "lets spam from any sender through; name the senders",
    );
  } else if (criteria.from.some((term) => term.startsWith("@") && FREE_MAIL.test(term))) {
    findings.warn(
      "never-spam-free-mail",
      at,
      "lets through spam from anyone at a free mail service",
    );
  } else if (criteria.from.some((term) => term.startsWith("@"))) {
    findings.info("domain-is-no-proof", at, DOMAIN_IS_NO_PROOF);
  }
}

function cautionForward(address: string, criteria: Criteria, path: Path, findings: Findings): void {
  const at = [...path, "forward_to"];
  findings.warn(
    "forward-unverified",
    at,
    `add and verify ${address} in Gmail under Settings > Forwarding before the import`,
  );
  const term = [...criteria.from, ...criteria.to].find((own) => covers(own, address));
  if (term !== undefined) {
    findings.warn(
      "forward-loop",
      at,
      `the condition ${term} takes mail of this address too, which may go in a circle`,
    );
  }
}
