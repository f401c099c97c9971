import type { FilterInput } from "../../../schemas/mail-filter.ts";
import { groupBy } from "../../group-by.ts";
import { validate } from "../../issues.ts";
import { CONDITION_OUTPUTS } from "../conditions.ts";
import type { Actions } from "../filter-fields.ts";
import { asDomain, operatorKind, removeWildcard, sizeBounds } from "../gmail.ts";
import { abbreviate, parseFilters, validFilters } from "../parse-filter.ts";
import { formatSearch, readLeaf, type Search, type SearchLeaf } from "../search/search-tree.ts";
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

/** Whether one term of a filter matches a message. */
export interface TermMatch {
  /** In the syntax of Gmail's search: `from:bob@x.com`. */
  readonly term: string;
  readonly verdict: Verdict;
  /** Continues the term: "is not in From". */
  readonly reason: string;
}

/** Whether one filter matches a message. */
export interface FilterMatch {
  readonly matched: Verdict;
  /** The deciding terms: all terms for yes, the first that fails for no, all unknown terms otherwise. */
  readonly because: readonly TermMatch[];
}

/**
 * Says for each filter whether it matches a message, by the known rules of Gmail's search. If no source
 * says how Gmail decides, the result is `unknown`, never a guess.
 *
 * @param filters up to 10,000, each within the extended limits.
 * @returns one match for each filter, in order.
 * @throws {InvalidInputError} when a filter, the message or an option breaks its schema, or Gmail
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
  const mail = new SearchableMessage(validate(MailMessageSchema, message, ["message"]));
  validate(MatchOptionsSchema, options, ["options"]);
  return createFilterMatchers({ filters }, options).map(({ match }) => match(mail));
}

/** A filter that is ready to be matched with many messages. */
export interface FilterMatcher {
  readonly name: string;
  /** The name, with the search if other filters have that name. */
  readonly title: string;
  readonly search: string;
  readonly actions: Actions;
  match(mail: SearchableMessage): FilterMatch;
}

/**
 * Prepares the filters of an input.
 *
 * @throws {InvalidInputError} when one breaks the schema or Gmail cannot express it.
 */
export function createFilterMatchers(
  input: unknown,
  { me }: MatchOptions,
): readonly FilterMatcher[] {
  const read = parseFilters(validFilters(input));
  const own = me && new Set(me.map((address) => canonicalAddress(foldCase(address))));
  const sameName = groupBy(read, ({ name }) => name);
  return read.map(({ name, search, criteria, actions }) => {
    const conditions = CONDITION_OUTPUTS.flatMap(({ meaning }) => meaning(criteria));
    const matchers = conditions.map((condition) => searchMatcher(condition, own));
    const isRepeated = sameName.get(name)?.length !== 1;
    return {
      name,
      title: isRepeated ? `${name} (${abbreviate(search)})` : name,
      search,
      actions,
      match: (mail) => matchFilter(matchers, mail),
    };
  });
}

/** The account's own addresses, each in one form; undefined when they are not known. */
type OwnAddresses = ReadonlySet<string> | undefined;

function matchFilter(matchers: readonly Matcher[], mail: SearchableMessage): FilterMatch {
  const found: TermMatch[] = [];
  for (const matcher of matchers) {
    const finding = matcher(mail);
    if (finding.verdict === "no") return { matched: "no", because: [finding] };
    found.push(finding);
  }
  const unknown = found.filter(({ verdict }) => verdict === "unknown");
  return unknown.length > 0
    ? { matched: "unknown", because: unknown }
    : { matched: "yes", because: found };
}

/** A term or a group of terms, prepared to be matched with many messages. */
type Matcher = (mail: SearchableMessage) => TermMatch;

/** Prepares a search, by Kleene's logic. */
function searchMatcher(search: Search, own: OwnAddresses): Matcher {
  const toMatchers = (parts: readonly Search[]) => parts.map((part) => searchMatcher(part, own));
  switch (search.kind) {
    case "leaf": {
      const meant = readLeaf(search);
      return meant.kind === "leaf" ? leafMatcher(meant, own) : searchMatcher(meant, own);
    }
    case "not": {
      const matcher = searchMatcher(search.of, own);
      return (mail) => {
        const { term, verdict, reason } = matcher(mail);
        return { term: `-${term}`, verdict: OPPOSITE[verdict], reason };
      };
    }
    case "all":
      return matchAll(toMatchers(search.parts));
    case "any":
      return matchAny(toMatchers(search.parts), formatSearch(search));
    case "unsure":
      return matchAmbiguous(toMatchers(search.readings), search.written, search.reason);
  }
}

const OPPOSITE = { yes: "no", no: "yes", unknown: "unknown" } as const;

/** A matcher of all conditions: a single no decides, then an unknown. */
const matchAll =
  (matchers: readonly Matcher[]): Matcher =>
  (mail) => {
    let unsure: TermMatch | undefined;
    let sure: TermMatch = { term: "", verdict: "yes", reason: "has no condition" };
    for (const matcher of matchers) {
      const finding = matcher(mail);
      if (finding.verdict === "no") return finding;
      if (finding.verdict === "unknown") unsure ??= finding;
      else sure = finding;
    }
    return unsure ?? sure;
  };

/** A matcher of any condition: a single yes decides, then an unknown. */
function matchAny(matchers: readonly Matcher[], term: string): Matcher {
  const [only] = matchers;
  if (only && matchers.length === 1) return only;
  const none: TermMatch = { term, verdict: "no", reason: "finds none of them" };
  return (mail) => {
    let unsure: TermMatch | undefined;
    for (const matcher of matchers) {
      const finding = matcher(mail);
      if (finding.verdict === "yes") return finding;
      if (finding.verdict === "unknown") unsure ??= finding;
    }
    return unsure ?? none;
  };
}

/**
 * A matcher of a term with several readings: unknown if they differ. Of a single reading only a no is
 * sure, because a mail that meets it may not meet the whole term.
 */
function matchAmbiguous(readings: readonly Matcher[], term: string, reason: string): Matcher {
  const unsure = unknownMatcher(term, reason);
  return (mail) => {
    const [first, ...others] = readings.map((reading) => reading(mail));
    const isSure =
      others.length === 0
        ? first?.verdict === "no"
        : others.every(({ verdict }) => verdict === first?.verdict);
    return first && isSure ? first : unsure(mail);
  };
}

/** A matcher of what no mail file can answer. */
function unknownMatcher(term: string, reason: string): Matcher {
  const finding: TermMatch = { term, verdict: "unknown", reason };
  return () => finding;
}

/** The reasons for a yes, for a no, and for an unknown. */
type Reasons = readonly [found: string, missing: string, unsure: string];

/** A matcher with three findings, built once and shared by all mails, to save allocations. */
function createMatcher(
  term: string,
  [found, missing, unsure]: Reasons,
  verdictOf: (mail: SearchableMessage) => Verdict,
): Matcher {
  const findings: Readonly<Record<Verdict, TermMatch>> = {
    yes: { term, verdict: "yes", reason: found },
    no: { term, verdict: "no", reason: missing },
    unknown: { term, verdict: "unknown", reason: unsure },
  };
  return (mail) => findings[verdictOf(mail)];
}

/** The matcher of one word or phrase, after an operator or without one. */
function leafMatcher(leaf: SearchLeaf, own: OwnAddresses): Matcher {
  const { operator = "", text, unclear } = leaf;
  const term = formatSearch(leaf);
  if (unclear !== undefined) return unknownMatcher(term, unclear);
  const word = toWantedWord(leaf);
  const kind = operatorKind(operator);
  if (kind === undefined) return wordMatcher(term, word, own);
  if (kind === "address") return addressMatcher(term, operator, word, own);
  if (kind === "size") {
    const size = sizeBounds(text);
    return size
      ? sizeMatcher(term, size.low, size.high)
      : unknownMatcher(term, "is not a size that Gmail documents");
  }
  const bare: WantedWord = { ...word, address: undefined };
  if (kind === "list") return fieldMatcher(term, "list", bare);
  if (operator === "subject") return fieldMatcher(term, "subject", word);
  if (operator === "filename") return filenameMatcher(term, { ...bare, ...toPhrase(text, true) });
  if (operator === "has" && /^attachment$/i.test(text)) return attachmentMatcher(term);
  return folderMatcher(term, `${operator}:${text}`.toLowerCase());
}

/** A word or phrase of a search, as Gmail looks for it. */
interface WantedWord extends Phrase {
  /** As it was written. */
  readonly text: string;
  readonly quoted: boolean;
  /** An address with something on both sides of its @, which must be whole (sensefulsolutions.com). */
  readonly address: string | undefined;
  /** True for `@x.com`. */
  readonly isDomain: boolean;
}

/** Reads a word, or a phrase in quotes, of a search. */
function toWantedWord({ operator, text, quoted, exact }: SearchLeaf): WantedWord {
  const toBare = operatorKind(operator) === "address" ? asDomain : removeWildcard;
  const bare = toBare(foldCase(text).trim());
  const isAddress = /^[^\s@*]*[\p{L}\p{N}_&][^\s@*]*@[^\s@*]+$/u.test(bare);
  return {
    text,
    quoted,
    address: isAddress ? bare : undefined,
    isDomain: /^@[^\s@]+$/.test(bare),
    ...toPhrase(bare, quoted || exact || isAddress || /^[+@]/.test(bare)),
  };
}

/** Looks for a word in a field of a message; undefined if the message lacks it. */
function findIn(
  mail: SearchableMessage,
  field: MessageField,
  wanted: WantedWord,
  own?: OwnAddresses,
): Verdict | undefined {
  const searched = mail.text(field);
  if (!searched) return undefined;
  const { text, quoted, address, isDomain, words } = wanted;
  const found = searched.find(wanted);
  if (isAddressHeader(field) && (address ?? isDomain)) {
    const { addresses, domains } = mail.mailboxes(field);
    if (address !== undefined)
      return findAddress(addresses, address, own) ?? downgradeToUnknown(found);
    if (found !== "no") return domains.some((one) => one.endsWith(words)) ? "yes" : "unknown";
    // The header may have the ASCII form of the domain.
    return isAscii(text) ? "no" : "unknown";
  }
  // Elsewhere it may be a part of a longer address.
  if (address !== undefined) return downgradeToUnknown(found);
  if (found !== "no" || quoted || !LIKE_A_SPACE.test(text)) return found;
  // It is not known if the words must be adjacent, nor if a plus means OR.
  const isAny = words
    .trim()
    .split(" ")
    .some((word) => searched.find(toPhrase(word, true)) !== "no");
  return isAny ? "unknown" : "no";
}

const downgradeToUnknown = (verdict: Verdict): Verdict => (verdict === "no" ? "no" : "unknown");

/** Gmail reads these signs as a space, others as the inside of a phrase (sensefulsolutions.com). */
const LIKE_A_SPACE = /[~#$%^*+;",<>?`]/;

/** Looks for an address among those of a header; undefined if none of them can be it. */
function findAddress(
  addresses: readonly string[],
  address: string,
  own: OwnAddresses,
): Verdict | undefined {
  if (addresses.includes(address)) return "yes";
  const [canonical, tag] = [canonicalAddress(address), findTag(address).replaceAll(".", "")];
  // A filter for `me+news@…` matches that tag only. Whether Gmail ignores dots in it is not known.
  const isSame = addresses.some(
    (other) =>
      canonicalAddress(other) === canonical &&
      (tag === "" || findTag(other).replaceAll(".", "") === tag),
  );
  if (!isSame || own?.has(canonical) === false) return undefined;
  return own && isGmail(canonical) && tag === "" ? "yes" : "unknown";
}

/** Matches a word in one text: `subject:invoice`, `list:dev.x.org`. */
const fieldMatcher = (term: string, field: MessageField, wanted: WantedWord): Matcher =>
  createMatcher(term, IN_FIELD, (mail) => findIn(mail, field, wanted) ?? "unknown");

/**
 * Matches the whole name of an attachment, or its extension: `filename:pdf` (help 7190). Gmail may know
 * the type of a part whose name does not tell it.
 */
function filenameMatcher(term: string, wanted: WantedWord): Matcher {
  const isExtension = /^\.?[\p{L}\p{N}]{1,5}$/u.test(wanted.text);
  return createMatcher(term, IN_FIELD, (mail) => {
    const verdict = findIn(mail, "attachments", wanted) ?? "unknown";
    if (verdict !== "no" || !isExtension) return verdict;
    const { attachments = [] } = mail.message;
    return attachments.every(({ name = "" }) => EXTENSION.test(name)) ? "no" : "unknown";
  });
}

const EXTENSION = /[^\s.]\.[\p{L}\p{N}]+\s*$/u;

const IN_FIELD = ["is there", "is not there", "may be there, perhaps in another form"] as const;

/**
 * Matches a word or phrase without an operator. Gmail looks for it in names and addresses, the subject,
 * the text, and in attachments, whose content is not read.
 */
function wordMatcher(term: string, wanted: WantedWord, own: OwnAddresses): Matcher {
  const find = (mail: SearchableMessage, fields: readonly MessageField[]): Verdict => {
    let isSimilar = false;
    for (const field of fields) {
      const verdict = findIn(mail, field, wanted, own);
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
    (mail) => find(mail, SEARCHED),
  );
  return (mail) => {
    const finding = seen(mail);
    if (finding.verdict !== "no") return finding;
    if (mail.isIncomplete) return unsearched(mail);
    return find(mail, UNSEARCHED_PARTS) === "no" ? finding : elsewhere(mail);
  };
}

const SEARCHED: readonly MessageField[] = ["subject", "text", "from", "to", "cc"];
const UNSEARCHED_PARTS: readonly MessageField[] = ["bcc", "delivered_to", "list", "attachments"];

/** Matches a word in the headers that an operator means: `from:bob`, `to:me`. */
function addressMatcher(
  term: string,
  operator: string,
  wanted: WantedWord,
  own: OwnAddresses,
): Matcher {
  const fields = HEADERS_BY_OPERATOR[operator];
  if (!fields) return unknownMatcher(term, "asks for a header that is not read");
  const isMe = !wanted.quoted && /^me$/i.test(wanted.text);
  if (isMe && !own) return unknownMatcher(term, "depends on which addresses are yours");
  const find = (mail: SearchableMessage, field: AddressField): Verdict => {
    if (!isMe) return findIn(mail, field, wanted, own) ?? "unknown";
    const { canonical } = mail.mailboxes(field);
    if (canonical.some((address) => own?.has(address))) return "yes";
    return mail.text(field)?.absent ?? "unknown";
  };
  // The recipient of a blind copy, or of forwarded mail, is in Delivered-To alone. Gmail adds that
  // header to all received mail, so alone it proves nothing.
  const mayBeHidden = operator === "to" || operator === "bcc";
  return createMatcher(term, IN_FIELD, (mail) => {
    const found = fields.map((field) => find(mail, field));
    if (found.includes("yes")) return "yes";
    const elsewhere = mayBeHidden && mail.text("delivered_to") ? find(mail, "delivered_to") : "no";
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
 * Matches mail above or below a size in bytes. How Gmail counts a mail is not known to the octet, so
 * near the bound the answer is unknown.
 *
 * @param low the least that the bound can mean, and `high` the most.
 */
function sizeMatcher(term: string, low: number, high: number): Matcher {
  const [above, below] = /^smaller/i.test(term)
    ? (["no", "yes"] as const)
    : (["yes", "no"] as const);
  return createMatcher(term, BY_SIZE, ({ message: { bytes = Number.NaN } }) => {
    if (bytes > high * (1 + SIZE_TOLERANCE)) return above;
    return bytes < low * (1 - SIZE_TOLERANCE) ? below : "unknown";
  });
}

const SIZE_TOLERANCE = 0.03;

const BY_SIZE = [
  "matches its size",
  "does not match its size",
  "is too close to its size, or its size is unknown",
] as const;

/** Matches mail with an attachment. Inline images count (Gmail's help 7190); of a part without a name it is not known. */
const attachmentMatcher = (term: string): Matcher =>
  createMatcher(
    term,
    [
      "finds an attachment",
      "finds no attachment",
      "may find an attachment that Gmail does not count",
    ],
    ({ message: { attachments } }) => {
      if (attachments?.length === 0) return "no";
      return attachments?.some(({ name }) => name !== undefined) ? "yes" : "unknown";
    },
  );

/** Matches what Gmail decides: mail that arrives is in no folder yet and no chat. */
function folderMatcher(term: string, search: string): Matcher {
  const verdict = /^(?:in:(?:spam|trash|drafts?|chats?)|is:chat)$/.test(search) ? "no" : "unknown";
  return createMatcher(
    term,
    ["is true of all mail", "is not true of mail that arrives", "depends on what only Gmail knows"],
    () => (search === "in:anywhere" ? "yes" : verdict),
  );
}
