import { groupBy } from "../group-by.ts";
import { formatSome } from "../text.ts";
import { criteriaSearch } from "./conditions.ts";
import {
  ACTIONS,
  type Actions,
  CONFLICTING_ACTIONS,
  LIST_FIELDS,
  type ListField,
  propertyValue,
} from "./filter-fields.ts";
import type { FilterFindings } from "./filter-findings.ts";
import { actionsKey, criteriaKey, type ParsedFilter, quoteTitle } from "./parse-filter.ts";
import { addressTerm, listParentDomains, parseAddressList } from "./search/addresses.ts";
import { type Criteria, type Size, toBytes, toTexts } from "./search/criteria.ts";
import type { ListTerm } from "./search/has-words.ts";
import {
  listLeaves,
  OR,
  requiresLeaf,
  type Search,
  type SearchLeaf,
  splitUncertainLeaf,
} from "./search/search-tree.ts";

/** Warns about effects that the author may not have intended. */
export function warnAboutFilters(filters: readonly ParsedFilter[], findings: FilterFindings): void {
  for (const filter of filters) warnAboutFilter(filter, findings.at("filters", filter.index));
  warnAboutConflicts(filters, findings);
}

function warnAboutFilter({ criteria, actions }: ParsedFilter, findings: FilterFindings): void {
  if (actions.delete) warnAboutDelete(criteria, actions, findings.at("delete"));
  const address = actions.forward_to?.toLowerCase() ?? "";
  const covering = [address, ...listParentDomains(address)];
  const loop = [...criteria.from, ...criteria.to].find(({ key }) =>
    covering.includes(key.replaceAll('"', "")),
  );
  if (loop) findings.at("forward_to").add("forward-loop", { term: loop.text });
  // A fast path: the senders of the list are alternatives, and few filters search for others.
  const searchesSender = criteria.words.some(({ search }) =>
    listLeaves(search).some(({ operator }) => operator === "from"),
  );
  const senders = searchesSender ? findRivalSenders(criteriaSearch(criteria)) : [];
  if (senders.length > 0) {
    const shown = senders.length > 3 ? [...senders.slice(0, 3), "…"] : senders;
    findings.at("has_words").add("all-words-required/senders", { senders: shown.join(OR) });
  }
  // A fast path: most filters have a list, and building their search is slow.
  if (
    !LIST_FIELDS.some((field) => criteria[field].length > 0) &&
    !requiresLeaf(criteriaSearch(criteria), () => true)
  ) {
    const field = criteria.exclusions.length > 0 ? "does_not_have" : "has_words";
    findings.at(field).add("matches-almost-all");
  }
}

/** Finds several senders that a search requires at once. A message has only one. */
function findRivalSenders(search: Search): readonly string[] {
  const leaves = listLeaves(search);
  if (new Set(leaves.flatMap(readSenders)).size < 2) return [];
  const senders = [...new Set(leaves.filter(({ isExcluded }) => !isExcluded).flatMap(readSenders))];
  // A hostile search can have thousands.
  const isChecked = senders.length > 0 && senders.length <= 100;
  if (isChecked && !senders.some((one) => allows(search, one))) return senders;
  const inner = search.kind === "not" ? [search.of] : "parts" in search ? search.parts : [];
  return inner.map(findRivalSenders).find(({ length }) => length > 0) ?? [];
}

/** Lists the addresses and domains in a `from:` term. */
function readSenders(leaf: SearchLeaf): readonly string[] {
  if (leaf.operator !== "from" || leaf.ambiguity !== undefined) return [];
  const mailboxes = (splitUncertainLeaf(leaf).kind === "leaf" && parseAddressList(leaf.text)) || [];
  return mailboxes.map(({ address }) => addressTerm(address).toLowerCase());
}

/** Whether a search can match messages of a sender. */
function allows(search: Search, sender: string): boolean {
  const allowsPart = (part: Search): boolean => allows(part, sender);
  switch (search.kind) {
    case "leaf":
      return readSenders(search).every(
        (other) =>
          other === sender ||
          listParentDomains(other).includes(sender) ||
          listParentDomains(sender).includes(other),
      );
    case "not":
      return true;
    case "all":
      return search.parts.every(allowsPart);
    case "any":
      return search.parts.some(allowsPart);
    case "ambiguous":
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

/** Whether the filter only matches mail from senders or mailing lists that it names. */
const namesSender = ({ from, words }: Criteria): boolean =>
  (from.length > 0 && !toTexts(from).some((term) => FREE_MAIL.test(term))) ||
  words.some(({ search }) => requiresLeaf(search, isSender));

const isSender = ({ operator, text, ambiguity }: SearchLeaf): boolean =>
  ambiguity === undefined &&
  (operator === "list" || (operator === "from" && !FREE_MAIL.test(text)));

/** Anyone can get an address at these domains. */
const FREE_MAIL = new RegExp(
  `^"?[*@]*(?:${[
    ...["gmail", "googlemail", "hotmail", "outlook", "live", "yahoo", "icloud"],
    ...["aol", "gmx", "proton", "protonmail"],
  ].join("|")})\\.[a-z.]+"?$`,
  "i",
);

/**
 * Warns about duplicates and conflicts. Gmail applies every filter that matches, in no documented order, so
 * the result of opposite actions on the same message is undefined.
 */
function warnAboutConflicts(filters: readonly ParsedFilter[], findings: FilterFindings): void {
  if (filters.length < 2) return;
  const conflicts = findFirstConflicts(filters);
  const originals = findDuplicates(filters);
  const place = ({ index }: ParsedFilter) => `\`filters[${index}]\``;

  for (const [index, filter] of filters.entries()) {
    const { actions } = filter;
    const here = () => findings.at("filters", index);
    const same = originals.get(filter);
    const conflict = conflicts[index];
    if (same) {
      here().add("duplicate-filter", {
        title: quoteTitle(filter),
        same: `${place(same)} (${quoteTitle(same)})`,
      });
    } else if (conflict) {
      const { other } = conflict;
      let { reason } = conflict;
      if (actions.delete) reason = "this one deletes mail that the other keeps";
      else if (other.actions.delete) reason = "the other deletes mail that this one keeps";
      here().add("conflicting-filters", {
        other: place(other),
        title: quoteTitle(other),
        reason,
      });
    }
  }
}

/** Maps each duplicate to the first filter that does the same. */
function findDuplicates(filters: readonly ParsedFilter[]): ReadonlyMap<ParsedFilter, ParsedFilter> {
  const originals = new Map<ParsedFilter, ParsedFilter>();
  // Compare actions first, because few filters share them, and keys of criteria are slow.
  const rivals = [...groupBy(filters, ({ actions }) => actionsKey(actions)).values()].filter(
    ({ length }) => length > 1,
  );
  for (const group of rivals) {
    const same = groupBy(group, ({ criteria }) => criteriaKey(criteria));
    for (const [first, ...repeats] of same.values()) {
      if (first) for (const repeat of repeats) originals.set(repeat, first);
    }
  }
  return originals;
}

/** Finds all filters that conflict with an earlier or later one. */
export const findConflictingIndexes = (filters: readonly ParsedFilter[]): ReadonlySet<number> => {
  const before = findFirstConflicts(filters);
  const after = findFirstConflicts(filters.toReversed()).toReversed();
  return new Set(filters.flatMap((_, index) => (before[index] || after[index] ? [index] : [])));
};

/** Finds for each filter the first earlier filter that conflicts with it. */
function findFirstConflicts(filters: readonly ParsedFilter[]) {
  const rivals: ConflictCandidate[] = [];
  // Most filters only keep messages, and never conflict with each other.
  const opposing: ConflictCandidate[] = [];
  return filters.map((filter) => {
    const isOpposing = canBeInConflict(filter.actions);
    if (!isOpposing && !keepsMessage(filter.actions)) return undefined;
    const rival: ConflictCandidate = { ...filter, prepared: undefined };
    const others = [...(isOpposing ? rivals : opposing)];
    rivals.push(rival);
    if (isOpposing) opposing.push(rival);
    for (const other of others) {
      const reason = findConflict(other.actions, filter.actions);
      if (reason === undefined) continue;
      // Prepare filters late: it is slow, and most inputs have no opposite actions.
      rival.prepared ??= prepareFilter(filter);
      other.prepared ??= prepareFilter(other);
      if (!mayMatchSameMessage(rival.prepared, other.prepared)) continue;
      return { other, reason };
    }
    return undefined;
  });
}

interface ConflictCandidate extends ParsedFilter {
  prepared: ComparableFilter | undefined;
}

interface ComparableFilter extends Readonly<Record<ListField | "words" | "exclusions", TermKeys>> {
  readonly key: string;
  readonly criteria: Criteria;
}

interface TermKeys {
  readonly exact: ReadonlySet<string>;
  /** Terms that include an exact one: `@x.com` for `bob@x.com`. */
  readonly wider: ReadonlySet<string>;
}

function prepareFilter({ criteria }: ParsedFilter): ComparableFilter {
  const keys = (terms: readonly ListTerm[]): TermKeys => {
    const exact = new Set(terms.map(({ key }) => key));
    return { exact, wider: new Set([...exact].flatMap(listParentDomains)) };
  };
  const { from, to, subject, words, exclusions } = criteria;
  return {
    key: criteriaKey(criteria),
    criteria,
    from: keys(from),
    to: keys(to),
    subject: keys(subject),
    words: keys(words),
    exclusions: keys(exclusions),
  };
}

/** Returns why the actions of two filters conflict, if they do. */
function findConflict(a: Actions, b: Actions): string | undefined {
  if ((a.delete && keepsMessage(b)) || (b.delete && keepsMessage(a)))
    return "only one of them deletes it";
  for (const { field, conflict } of CONFLICTING_ACTIONS) {
    if (a[field] && b[field] && a[field] !== b[field]) return conflict;
  }
  return undefined;
}

const canBeInConflict = (actions: Actions): boolean =>
  actions.delete === true || CONFLICTING_ACTIONS.some(({ field }) => actions[field]);

const keepsMessage = (actions: Actions): boolean =>
  !actions.delete && KEEPING_ACTIONS.some((action) => propertyValue(action, actions) !== "");

const KEEPING_ACTIONS = ACTIONS.filter(({ besideDelete }) => besideDelete === "opposite");

/**
 * Whether a message is likely to match both filters: they share a sender, recipient, subject or word, and
 * no condition separates them. Different subjects do, although a message can contain the words of both.
 */
function mayMatchSameMessage(a: ComparableFilter, b: ComparableFilter): boolean {
  if (a.key === b.key) return true;
  let isShared = false;
  for (const field of LIST_FIELDS) {
    if (a[field].exact.size === 0 || b[field].exact.size === 0) continue;
    if (!shareTerms(a[field], b[field])) return false;
    isShared = true;
  }
  const { words } = a;
  return (
    (isShared || (words.exact.size > 0 && b.words.exact.size > 0)) &&
    (includesAll(words, b.words) || includesAll(b.words, words)) &&
    isBelow(a.criteria.larger, b.criteria.smaller) &&
    isBelow(b.criteria.larger, a.criteria.smaller) &&
    !excludes(a, b) &&
    !excludes(b, a)
  );
}

const isBelow = (larger: Size | undefined, smaller: Size | undefined): boolean =>
  !larger || !smaller || toBytes(larger) < toBytes(smaller);

/** Whether two lists have a common term, or one that includes the other's. */
const shareTerms = (a: TermKeys, b: TermKeys): boolean =>
  haveCommon(a.exact, b.exact) || haveCommon(a.wider, b.exact) || haveCommon(a.exact, b.wider);

const haveCommon = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
  for (const key of a) if (b.has(key)) return true;
  return false;
};

const includesAll = (terms: TermKeys, wanted: TermKeys): boolean => {
  for (const key of wanted.exact) if (!terms.exact.has(key)) return false;
  return true;
};

/** Whether the exclusions cover the other filter: one of its words, or all of its senders. */
function excludes({ exclusions: { exact } }: ComparableFilter, other: ComparableFilter): boolean {
  if (exact.size === 0) return false;
  return (
    haveCommon(other.words.exact, exact) ||
    LIST_FIELDS.some((field) => {
      const keys = [...other[field].exact];
      return keys.length > 0 && keys.every((key) => exact.has(key) || exact.has(`${field}:${key}`));
    })
  );
}

/** Adds one warning for all filters that forward mail, and one for all that let spam through. */
export function warnAboutResult(filters: readonly ParsedFilter[], findings: FilterFindings): void {
  const forwarding = filters.filter(({ actions }) => actions.forward_to);
  if (forwarding.length > 0) {
    const addresses = new Set(forwarding.flatMap(({ actions }) => actions.forward_to ?? []));
    const here = findingsAt(forwarding, "forward_to", findings);
    here.add("forward-unverified", { addresses: formatSome([...addresses]) });
  }
  const open = filters.filter(
    ({ criteria, actions }) => actions.never_spam && !namesSender(criteria),
  );
  if (open.length > 0) {
    const here = findingsAt(open, "never_spam", findings);
    here.add("never-spam-without-sender", { titles: open.map(quoteTitle) });
  }
}

/** Warns at the field of a single filter, or at the list of several. */
const findingsAt = (
  [first, ...others]: readonly ParsedFilter[],
  field: keyof Actions,
  findings: FilterFindings,
): FilterFindings =>
  first && others.length === 0
    ? findings.at("filters", first.index, field)
    : findings.at("filters");

type Warnings = FilterFindings["warnings"];

/** Puts warnings first that may cost mail or let spam in. */
export const sortByHarm = (warnings: Warnings): Warnings =>
  warnings.toSorted((one, other) => rankHarm(one) - rankHarm(other));

const rankHarm = ({ code, severity }: Warnings[number]): number => {
  const rank = MOST_HARMFUL.indexOf(code);
  return rank >= 0 ? rank : MOST_HARMFUL.length + (severity === "info" ? 1 : 0);
};

const MOST_HARMFUL: readonly Warnings[number]["code"][] = [
  ...(["broad-delete", "matches-almost-all", "conflicting-filters", "acts-on-deleted"] as const),
  ...(["forward-loop", "never-spam-without-sender"] as const),
];
