import type { Findings } from "../findings.ts";
import type { Path } from "../path.ts";
import type { Actions } from "./actions.ts";
import type { Criteria } from "./criteria.ts";

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
  if (isOnlyExclusions(criteria)) {
    findings.warn(
      "matches-almost-all",
      [...path, "does_not_have"],
      "is the only condition, so the filter takes almost all mail; add another condition",
    );
  }
}

const DOMAIN_IS_NO_PROOF =
  "an @domain also matches its subdomains and look-alikes, and senders can be forged";

const isOnlyExclusions = (criteria: Criteria): boolean =>
  !namesMail(criteria) &&
  criteria.exclusions.length > 0 &&
  !(criteria.hasAttachment || criteria.larger || criteria.smaller);

/** Whether a condition says whose or what mail, rather than only how it is made. */
const namesMail = ({ from, to, subject, words }: Criteria): boolean =>
  [from, to, subject, words].some((terms) => terms.length > 0);

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
      "deletes mail from anyone: the filter has no sender, recipient, subject or words; Gmail empties the bin after 30 days",
    );
  }
}

function cautionNeverSpam(criteria: Criteria, path: Path, findings: Findings): void {
  const at = [...path, "never_spam"];
  if (criteria.from.length === 0 && criteria.to.length === 0) {
    findings.warn(
      "never-spam-without-sender",
      at,
      "lets any spam through that has these words; name the senders",
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
  const involved = [...criteria.from, ...criteria.to].map((term) => term.toLowerCase());
  if (involved.includes(address.toLowerCase())) {
    findings.warn("forward-loop", at, `${address} is also a condition, so mail may go in a circle`);
  }
}
