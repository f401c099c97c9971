import type { FilterInput } from "../../../schemas/mail-filter.ts";
import { groupBy } from "../../group-by.ts";
import { validate } from "../../issues.ts";
import { CONDITION_OUTPUTS } from "../conditions.ts";
import type { Actions } from "../filter-fields.ts";
import { asDomain, operatorKind, removeWildcard, sizeBounds } from "../gmail.ts";
import { abbreviate, parseFilters, validateFilters } from "../parse-filter.ts";
import {
  formatSearch,
  type Search,
  type SearchLeaf,
  splitUncertainLeaf,
} from "../search/search-tree.ts";
import {
  type AddressField,
  canonicalAddress,
  findTag,
  isAddressHeader,
  isGmail,
  type MailMessage,
  MailMessageSchema,
  type MatchOptions,
  MatchOptionsSchema,
  type MessageField,
  SearchableMessage,
} from "./message.ts";
import { foldCase, isAscii, type Phrase, toPhrase, type Verdict } from "./searchable-text.ts";

/** Whether a term of a filter matches a message. */
export interface TermMatch {
  /** In the syntax of Gmail's search: `from:bob@x.com`. */
  readonly term: string;
  readonly verdict: Verdict;
  /** Continues the term: "is not in From". */
  readonly reason: string;
}

/** Whether a filter matches a message. */
export interface FilterMatch {
  readonly matched: Verdict;
  /** For yes all terms, for no the first one that fails, otherwise all unknown terms. */
  readonly because: readonly TermMatch[];
}

/**
 * Predicts which filters match a message, by the known rules of Gmail's search. Where no source documents
 * what Gmail does, the result is `unknown`, never a guess.
 *
 * @param filters up to 10,000, each within the extended limits.
 * @returns one match for each filter, in order.
 * @throws {InvalidInputError} if a filter, the message or an option breaks its schema, or Gmail
 * cannot express a filter.
 *
 * @example
 * const filters = [{ from: ["@shop.example"], subject: ["invoice"], label: "Bills" }];
 * const message = { from: "Shop <no-reply@mail.shop.example>", subject: "Your invoice" };
 * matchMailFilters(filters, message)[0].matched; // yes
 */
export function matchMailFilters(
  filters: readonly FilterInput[],
  message: MailMessage,
  options: MatchOptions = {},
): FilterMatch[] {
  const searchable = new SearchableMessage(validate(MailMessageSchema, message, ["message"]));
  validate(MatchOptionsSchema, options, ["options"]);
  return createFilterMatchers({ filters }, options).map(({ match }) => match(searchable));
}

export interface FilterMatcher {
  readonly name: string;
  /** The name, and the search if other filters have the same name. */
  readonly title: string;
  readonly search: string;
  readonly actions: Actions;
  match(message: SearchableMessage): FilterMatch;
}

/**
 * Prepares filters for matching many messages.
 *
 * @throws {InvalidInputError} if a filter breaks the schema or Gmail cannot express it.
 */
export function createFilterMatchers(
  input: unknown,
  { me }: MatchOptions,
): readonly FilterMatcher[] {
  const parsedFilters = parseFilters(validateFilters(input));
  const own = me && new Set(me.map((address) => canonicalAddress(foldCase(address))));
  const sameName = groupBy(parsedFilters, ({ name }) => name);
  return parsedFilters.map(({ name, search, criteria, actions }) => {
    const conditions = CONDITION_OUTPUTS.flatMap(({ meaning }) => meaning(criteria));
    const matchers = conditions.map((condition) => searchMatcher(condition, own));
    const isRepeated = sameName.get(name)?.length !== 1;
    return {
      name,
      title: isRepeated ? `${name} (${abbreviate(search)})` : name,
      search,
      actions,
      match: (message) => matchFilter(matchers, message),
    };
  });
}

/** The account's canonical addresses; undefined if they are not known. */
type OwnAddresses = ReadonlySet<string> | undefined;

function matchFilter(matchers: readonly Matcher[], message: SearchableMessage): FilterMatch {
  const found: TermMatch[] = [];
  for (const matcher of matchers) {
    const finding = matcher(message);
    if (finding.verdict === "no") return { matched: "no", because: [finding] };
    found.push(finding);
  }
  const unknown = found.filter(({ verdict }) => verdict === "unknown");
  return unknown.length > 0
    ? { matched: "unknown", because: unknown }
    : { matched: "yes", because: found };
}

type Matcher = (message: SearchableMessage) => TermMatch;

/** Prepares a search, with Kleene's three-valued logic. */
function searchMatcher(search: Search, own: OwnAddresses): Matcher {
  const toMatchers = (parts: readonly Search[]) => parts.map((part) => searchMatcher(part, own));
  switch (search.kind) {
    case "leaf": {
      const meant = splitUncertainLeaf(search);
      return meant.kind === "leaf" ? leafMatcher(meant, own) : searchMatcher(meant, own);
    }
    case "not": {
      const matcher = searchMatcher(search.of, own);
      return (message) => {
        const { term, verdict, reason } = matcher(message);
        return { term: `-${term}`, verdict: OPPOSITE_VERDICTS[verdict], reason };
      };
    }
    case "all":
      return matchAll(toMatchers(search.parts));
    case "any":
      return matchAny(toMatchers(search.parts), formatSearch(search));
    case "ambiguous":
      return matchAmbiguous(toMatchers(search.readings), search.sourceText, search.reason);
  }
}

const OPPOSITE_VERDICTS = { yes: "no", no: "yes", unknown: "unknown" } as const;

/** A no decides, then an unknown. */
const matchAll =
  (matchers: readonly Matcher[]): Matcher =>
  (message) => {
    let unsure: TermMatch | undefined;
    let sure: TermMatch = { term: "", verdict: "yes", reason: "has no condition" };
    for (const matcher of matchers) {
      const finding = matcher(message);
      if (finding.verdict === "no") return finding;
      if (finding.verdict === "unknown") unsure ??= finding;
      else sure = finding;
    }
    return unsure ?? sure;
  };

/** A yes decides, then an unknown. */
function matchAny(matchers: readonly Matcher[], term: string): Matcher {
  const [only] = matchers;
  if (only && matchers.length === 1) return only;
  const none: TermMatch = { term, verdict: "no", reason: "has no match" };
  return (message) => {
    let unsure: TermMatch | undefined;
    for (const matcher of matchers) {
      const finding = matcher(message);
      if (finding.verdict === "yes") return finding;
      if (finding.verdict === "unknown") unsure ??= finding;
    }
    return unsure ?? none;
  };
}

/**
 * If the readings differ, the result is unknown. If there is only one reading, only its no is certain,
 * because the term may require more.
 */
function matchAmbiguous(readings: readonly Matcher[], term: string, reason: string): Matcher {
  const unsure = unknownMatcher(term, reason);
  return (message) => {
    const [first, ...others] = readings.map((reading) => reading(message));
    const isSure =
      others.length === 0
        ? first?.verdict === "no"
        : others.every(({ verdict }) => verdict === first?.verdict);
    return first && isSure ? first : unsure(message);
  };
}

function unknownMatcher(term: string, reason: string): Matcher {
  const finding: TermMatch = { term, verdict: "unknown", reason };
  return () => finding;
}

/** The reasons for yes, no and unknown. */
type Reasons = readonly [found: string, missing: string, unsure: string];

/** Creates the three possible results once, to save allocations for each message. */
function createMatcher(
  term: string,
  [found, missing, unsure]: Reasons,
  verdictOf: (message: SearchableMessage) => Verdict,
): Matcher {
  const findings: Readonly<Record<Verdict, TermMatch>> = {
    yes: { term, verdict: "yes", reason: found },
    no: { term, verdict: "no", reason: missing },
    unknown: { term, verdict: "unknown", reason: unsure },
  };
  return (message) => findings[verdictOf(message)];
}

function leafMatcher(leaf: SearchLeaf, own: OwnAddresses): Matcher {
  const { operator = "", text, ambiguity } = leaf;
  const term = formatSearch(leaf);
  if (ambiguity !== undefined) return unknownMatcher(term, ambiguity);
  const word = toWantedWord(leaf, own);
  const kind = operatorKind(operator);
  if (kind === undefined) return wordMatcher(term, word);
  if (kind === "address") return addressMatcher(term, operator, word);
  if (kind === "size") {
    const size = sizeBounds(text);
    return size
      ? sizeMatcher(term, /^smaller/i.test(operator), size)
      : unknownMatcher(term, "is not a size that Gmail documents");
  }
  const bare: WantedWord = { ...word, address: undefined };
  if (kind === "list") return fieldMatcher(term, "list", bare);
  if (operator === "subject") return fieldMatcher(term, "subject", word);
  if (operator === "filename") return filenameMatcher(term, { ...bare, ...toPhrase(text, true) });
  if (operator === "has" && /^attachment$/i.test(text)) return attachmentMatcher(term);
  return folderMatcher(term, `${operator}:${text}`.toLowerCase());
}

interface WantedWord extends Phrase {
  /** As it was written. */
  readonly text: string;
  readonly isQuoted: boolean;
  /** A complete address, which must match as a whole (sensefulsolutions.com). */
  readonly address: string | undefined;
  /** Whether it is a domain, such as `@x.com`. */
  readonly isDomain: boolean;
  readonly own: OwnAddresses;
}

function toWantedWord(leaf: SearchLeaf, own: OwnAddresses): WantedWord {
  const { operator, text, isQuoted, isExact } = leaf;
  const toBare = operatorKind(operator) === "address" ? asDomain : removeWildcard;
  const bare = toBare(foldCase(text).trim());
  const isAddress = /^[^\s@*]*[\p{L}\p{N}_&][^\s@*]*@[^\s@*]+$/u.test(bare);
  return {
    text,
    isQuoted,
    address: isAddress ? bare : undefined,
    isDomain: /^@[^\s@]+$/.test(bare),
    own,
    ...toPhrase(bare, isQuoted || isExact || isAddress || /^[+@]/.test(bare)),
  };
}

function findIn(message: SearchableMessage, field: MessageField, wanted: WantedWord): Verdict {
  const searched = message.text(field);
  if (!searched) return "unknown";
  const { text, isQuoted, address, isDomain, words } = wanted;
  const found = searched.find(wanted);
  if (isAddressHeader(field) && (address ?? isDomain)) {
    const { addresses, domains } = message.mailboxes(field);
    if (address !== undefined)
      return findAddress(addresses, address, wanted.own) ?? downgradeToUnknown(found);
    if (found !== "no") return domains.some((one) => one.endsWith(words)) ? "yes" : "unknown";
    // The header may contain the domain in ASCII form.
    return isAscii(text) ? "no" : "unknown";
  }
  // In other fields it may be part of a longer address.
  if (address !== undefined) return downgradeToUnknown(found);
  if (found !== "no" || isQuoted || !LIKE_A_SPACE.test(text)) return found;
  // Not documented: whether the words must be adjacent, and whether a plus means OR.
  const isAny = words
    .trim()
    .split(" ")
    .some((word) => searched.find(toPhrase(word, true)) !== "no");
  return isAny ? "unknown" : "no";
}

const downgradeToUnknown = (verdict: Verdict): Verdict => (verdict === "no" ? "no" : "unknown");

/** Gmail reads these characters as a space, others as part of a phrase (sensefulsolutions.com). */
const LIKE_A_SPACE = /[~#$%^*+;",<>?`]/;

/** Returns undefined if none of the addresses can be the wanted one. */
function findAddress(
  addresses: readonly string[],
  address: string,
  own: OwnAddresses,
): Verdict | undefined {
  if (addresses.includes(address)) return "yes";
  const [canonical, tag] = [canonicalAddress(address), findTag(address).replaceAll(".", "")];
  // A filter for `me+news@…` matches only that tag. We do not know whether Gmail ignores dots in it.
  const isSame = addresses.some(
    (other) =>
      canonicalAddress(other) === canonical &&
      (tag === "" || findTag(other).replaceAll(".", "") === tag),
  );
  if (!isSame || own?.has(canonical) === false) return undefined;
  return own && isGmail(canonical) && tag === "" ? "yes" : "unknown";
}

/** Matches a word in one field: `subject:invoice`, `list:dev.x.org`. */
const fieldMatcher = (term: string, field: MessageField, wanted: WantedWord): Matcher =>
  createMatcher(term, IN_FIELD, (message) => findIn(message, field, wanted));

/**
 * Matches the whole name of an attachment, or its extension: `filename:pdf` (help 7190). If the name has
 * no extension, Gmail may know the type anyway.
 */
function filenameMatcher(term: string, wanted: WantedWord): Matcher {
  const isExtension = /^\.?[\p{L}\p{N}]{1,5}$/u.test(wanted.text);
  return createMatcher(term, IN_FIELD, (message) => {
    const verdict = findIn(message, "attachments", wanted);
    if (verdict !== "no" || !isExtension) return verdict;
    const { attachments = [] } = message.source;
    return attachments.every(({ name = "" }) => FILE_EXTENSION.test(name)) ? "no" : "unknown";
  });
}

const FILE_EXTENSION = /[^\s.]\.[\p{L}\p{N}]+\s*$/u;

const IN_FIELD = ["is found", "is not found", "may be found in another form"] as const;

/**
 * Matches a word or phrase without an operator. Gmail searches names and addresses, the subject, the
 * text, and the content of attachments, which we do not read.
 */
function wordMatcher(term: string, wanted: WantedWord): Matcher {
  // A missing field is reported as a part that was not read.
  const find = (message: SearchableMessage, fields: readonly MessageField[]): Verdict => {
    let isSimilar = false;
    for (const field of fields) {
      const verdict = message.text(field) ? findIn(message, field, wanted) : "no";
      if (verdict === "yes") return verdict;
      isSimilar ||= verdict === "unknown";
    }
    return isSimilar ? "unknown" : "no";
  };
  const unsearched = unknownMatcher(term, "may be in a part of the message that was not read");
  const elsewhere = unknownMatcher(term, "is only where Gmail may not search");
  const seen = createMatcher(
    term,
    ["is in the message", "is not in the message", "may be in the message in another form"],
    (message) => find(message, SEARCHED),
  );
  return (message) => {
    const finding = seen(message);
    if (finding.verdict !== "no") return finding;
    if (message.isIncomplete) return unsearched(message);
    return find(message, UNSEARCHED_PARTS) === "no" ? finding : elsewhere(message);
  };
}

const SEARCHED: readonly MessageField[] = ["subject", "text", "from", "to", "cc"];
const UNSEARCHED_PARTS: readonly MessageField[] = ["bcc", "delivered_to", "list", "attachments"];

/** Matches a word in address headers: `from:bob`, `to:me`. */
function addressMatcher(term: string, operator: string, wanted: WantedWord): Matcher {
  const { own } = wanted;
  const fields = HEADERS_BY_OPERATOR[operator];
  if (!fields) return unknownMatcher(term, "asks for a header that is not read");
  const isMe = !wanted.isQuoted && /^me$/i.test(wanted.text);
  if (isMe && !own) return unknownMatcher(term, "depends on which addresses are yours");
  const find = (message: SearchableMessage, field: AddressField): Verdict => {
    if (!isMe) return findIn(message, field, wanted);
    const { canonical } = message.mailboxes(field);
    if (canonical.some((address) => own?.has(address))) return "yes";
    return message.text(field)?.absent ?? "unknown";
  };
  // Delivered-To is the only header with the recipient of a blind copy or of a forwarded message. Gmail
  // adds it to every message it receives, so it proves nothing by itself.
  const mayBeHidden = operator === "to" || operator === "bcc";
  return createMatcher(term, IN_FIELD, (message) => {
    const found = fields.map((field) => find(message, field));
    if (found.includes("yes")) return "yes";
    const elsewhere =
      mayBeHidden && message.text("delivered_to") ? find(message, "delivered_to") : "no";
    return elsewhere === "no" && !found.includes("unknown") ? "no" : "unknown";
  });
}

/** `to` covers To, Cc and Bcc (Gmail's API, Filter.Criteria). */
const HEADERS_BY_OPERATOR: Readonly<Record<string, readonly AddressField[]>> = {
  from: ["from"],
  to: ["to", "cc", "bcc"],
  cc: ["cc"],
  bcc: ["bcc"],
  deliveredto: ["delivered_to"],
};

/**
 * Matches messages above or below a size. We do not know exactly how Gmail counts bytes, so the result is
 * unknown near the limit.
 *
 * @param bounds the smallest and largest possible meaning of the limit in bytes.
 */
function sizeMatcher(
  term: string,
  isSmaller: boolean,
  { low, high }: { readonly low: number; readonly high: number },
): Matcher {
  const [above, below] = isSmaller ? (["no", "yes"] as const) : (["yes", "no"] as const);
  return createMatcher(term, BY_SIZE, ({ source: { bytes = Number.NaN } }) => {
    if (bytes > high * (1 + SIZE_TOLERANCE)) return above;
    return bytes < low * (1 - SIZE_TOLERANCE) ? below : "unknown";
  });
}

const SIZE_TOLERANCE = 0.03;

const BY_SIZE = [
  "matches the message's size",
  "does not match the message's size",
  "cannot be decided: the message's size is unknown or too close to the limit",
] as const;

/** Inline images count (Gmail's help 7190). Whether a part without a name counts is not documented. */
const attachmentMatcher = (term: string): Matcher =>
  createMatcher(
    term,
    [
      "finds an attachment",
      "finds no attachment",
      "may find an attachment that Gmail does not count",
    ],
    ({ source: { attachments } }) => {
      if (attachments?.length === 0) return "no";
      return attachments?.some(({ name }) => name !== undefined) ? "yes" : "unknown";
    },
  );

/** A message that arrives is in no folder yet, and is not a chat. */
function folderMatcher(term: string, search: string): Matcher {
  const verdict = /^(?:in:(?:spam|trash|drafts?|chats?)|is:chat)$/.test(search) ? "no" : "unknown";
  return createMatcher(
    term,
    [
      "is true for all messages",
      "is not true for new messages",
      "depends on what only Gmail knows",
    ],
    () => (search === "in:anywhere" ? "yes" : verdict),
  );
}
