import type { MailFilterResult } from "../../schemas/mail-filter.ts";
import { listSome } from "../text.ts";
import { criteriaSearch } from "./conditions.ts";
import { warnAboutConflicts } from "./conflicts.ts";
import { ACTIONS, type Actions, LIST_FIELDS, propertyValue } from "./fields.ts";
import { type ParsedFilter, quotedTitle } from "./filter.ts";
import type { FilterFindings } from "./findings.ts";
import { addressTerm, readMailboxes, widerTerms } from "./terms/address.ts";
import { type Criteria, toTexts } from "./terms/criteria.ts";
import { listLeaves, OR, requires, type Search, type SearchLeaf } from "./terms/search.ts";

/** Warns about effects of each filter, and of one upon another, that its author may not have meant. */
export function warnAboutEach(filters: readonly ParsedFilter[], findings: FilterFindings): void {
  for (const filter of filters) warnAboutFilter(filter, findings.at("filters", filter.index));
  warnAboutConflicts(filters, findings);
}

function warnAboutFilter({ criteria, actions }: ParsedFilter, findings: FilterFindings): void {
  if (actions.delete) warnAboutDelete(criteria, actions, findings.at("delete"));
  const address = actions.forward_to?.toLowerCase() ?? "";
  const covering = [address, ...widerTerms(address)];
  const loop = [...criteria.from, ...criteria.to].find(({ key }) =>
    covering.includes(key.replaceAll('"', "")),
  );
  if (loop) findings.at("forward_to").add("forward-loop", { term: loop.text });
  const senders = criteria.words.length > 0 ? findRivalSenders(criteriaSearch(criteria)) : [];
  if (senders.length > 0) {
    const shown = senders.length > 3 ? [...senders.slice(0, 3), "…"] : senders;
    findings.at("has_words").add("all-words-required/senders", { senders: shown.join(OR) });
  }
  // Most filters have a list, and making their search takes longer than to look.
  if (
    !LIST_FIELDS.some((field) => criteria[field].length > 0) &&
    !requires(criteriaSearch(criteria), () => true)
  ) {
    const field = criteria.exclusions.length > 0 ? "does_not_have" : "has_words";
    findings.at(field).add("matches-almost-all");
  }
}

/** The senders that a search, or a part of it, asks for at once: no message has two. */
function findRivalSenders(search: Search): readonly string[] {
  const named = listLeaves(search).filter(({ excluded }) => !excluded);
  const senders = [...new Set(named.flatMap(readSenders))];
  // A hostile search names thousands.
  const isRead = senders.length > 0 && senders.length <= 100;
  if (isRead && !senders.some((one) => allows(search, one))) return senders;
  const inner = search.kind === "not" ? [search.of] : "parts" in search ? search.parts : [];
  return inner.map(findRivalSenders).find(({ length }) => length > 0) ?? [];
}

/** The addresses and domains that a term of `from` consists of. */
const readSenders = ({ operator, text, unclear }: SearchLeaf): readonly string[] =>
  operator === "from" && unclear === undefined
    ? (readMailboxes(text) ?? []).map(({ address }) => addressTerm(address).toLowerCase())
    : [];

/** False for a search that surely finds no message of a sender. */
function allows(search: Search, sender: string): boolean {
  const allowsPart = (part: Search): boolean => allows(part, sender);
  switch (search.kind) {
    case "leaf":
      return readSenders(search).every(
        (other) =>
          other === sender ||
          widerTerms(other).includes(sender) ||
          widerTerms(sender).includes(other),
      );
    case "not":
      return true;
    case "all":
      return search.parts.every(allowsPart);
    case "any":
      return search.parts.some(allowsPart);
    case "unsure":
      return search.readings.some(allowsPart);
  }
}

function warnAboutDelete(criteria: Criteria, actions: Actions, findings: FilterFindings): void {
  const ineffective = ACTIONS.filter(
    (action) => action.besideDelete !== undefined && propertyValue(action, actions) !== "",
  ).map(({ field }) => field);
  if (ineffective.length > 0) findings.add("acts-on-deleted", { fields: ineffective });
  if (!namesSender(criteria)) findings.add("broad-delete");
}

/** True when all mail that the filter matches comes from a sender or a mailing list that it names. */
const namesSender = ({ from, words }: Criteria): boolean =>
  (from.length > 0 && !toTexts(from).some((term) => FREE_MAIL.test(term))) ||
  words.some(({ search }) => requires(search, isSender));

const isSender = ({ operator, text, unclear }: SearchLeaf): boolean =>
  unclear === undefined && (operator === "list" || (operator === "from" && !FREE_MAIL.test(text)));

/** Anyone can get an address of these, so the domain proves nothing. */
const FREE_MAIL = new RegExp(
  `^"?[*@]*(?:${[
    ...["gmail", "googlemail", "hotmail", "outlook", "live", "yahoo", "icloud"],
    ...["aol", "gmx", "proton", "protonmail"],
  ].join("|")})\\.[a-z.]+"?$`,
  "i",
);

/** Gives one warning for all filters that forward mail, and one for all that let spam through. */
export function warnAboutAll(filters: readonly ParsedFilter[], findings: FilterFindings): void {
  const forwarding = filters.filter(({ actions }) => actions.forward_to);
  if (forwarding.length > 0) {
    const addresses = new Set(forwarding.flatMap(({ actions }) => actions.forward_to ?? []));
    const here = findingsAt(forwarding, "forward_to", findings);
    here.add("forward-unverified", { addresses: listSome([...addresses]) });
  }
  const open = filters.filter(
    ({ criteria, actions }) => actions.never_spam && !namesSender(criteria),
  );
  if (open.length > 0) {
    const here = findingsAt(open, "never_spam", findings);
    here.add("never-spam-without-sender", { titles: open.map(quotedTitle) });
  }
}

/** Where to warn: at the field of a single filter, or at the list of several. */
const findingsAt = (
  [first, ...others]: readonly ParsedFilter[],
  field: keyof Actions,
  findings: FilterFindings,
): FilterFindings =>
  first && others.length === 0
    ? findings.at("filters", first.index, field)
    : findings.at("filters");

type Warnings = FilterFindings["warnings"];

/** The warnings, those first that may cost mail or let spam in. */
export const mostHarmfulFirst = (warnings: Warnings): MailFilterResult["warnings"] =>
  warnings.toSorted((one, other) => rankHarm(one) - rankHarm(other));

const rankHarm = ({ code, severity }: Warnings[number]): number => {
  const rank = MOST_HARMFUL.indexOf(code);
  return rank >= 0 ? rank : MOST_HARMFUL.length + (severity === "info" ? 1 : 0);
};

const MOST_HARMFUL: readonly Warnings[number]["code"][] = [
  ...(["broad-delete", "matches-almost-all", "conflicting-filters", "acts-on-deleted"] as const),
  ...(["forward-loop", "never-spam-without-sender"] as const),
];
