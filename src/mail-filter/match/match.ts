import type { FilterInput } from "../../../schemas/mail-filter.ts";
import { Findings } from "../../findings.ts";
import { validate } from "../../issues.ts";
import { fieldSearch } from "../conditions.ts";
import { abbreviate } from "../explain.ts";
import { type Actions, LIST_FIELDS } from "../fields.ts";
import { readFilters, validFilters } from "../filter.ts";
import { type FilterFindings, filterFindings } from "../findings.ts";
import { operatorKind } from "../gmail.ts";
import { type Criteria, inBytes, searchSize } from "../terms/criteria.ts";
import { not, printSearch, type Search, type SearchLeaf } from "../terms/search.ts";
import { DAY_MS, readAge, readDay, sizeBounds } from "../terms/words.ts";
import {
  type AddressField,
  type Field,
  type MailMessage,
  MailMessageSchema,
  type MatchOptions,
  MatchOptionsSchema,
  ownAddresses,
  SearchableMail,
} from "./mail.ts";
import type { Verdict } from "./text.ts";
import { findIn, toWantedWord, type WantedWord } from "./words.ts";

/** The answer of one term of a filter for a mail. */
export interface Finding {
  /** As Gmail's search has it: `from:bob@x.com`. */
  readonly term: string;
  readonly verdict: Verdict;
  /** Continues the term: "is not in From". */
  readonly reason: string;
}

/** The result of trying one filter on a mail. */
export interface Match {
  readonly matched: Verdict;
  /** The terms that decide: all terms for a yes, the first that fails for a no, all unknown ones otherwise. */
  readonly because: readonly Finding[];
}

/**
 * Tells which filters match a mail, by the rules of Gmail's search as far as they are known.
 * It is an estimate: what no source settles is `unknown`, and never a guess.
 *
 * @param filters up to 10,000, each within the local limits.
 * @returns one match for each filter, in order.
 * @throws {InvalidInputError} when a filter, the message or an option breaks its schema, or Gmail
 * cannot express a filter.
 *
 * @example
 * const filters = [{ from: ["@shop.example"], subject: ["invoice"], label: "Bills" }];
 * const mail = { from: "Shop <no-reply@mail.shop.example>", subject: "Your invoice" };
 * matchMailFilters(filters, mail)[0].matched; // yes
 */
export function matchMailFilters(
  filters: readonly FilterInput[],
  message: MailMessage,
  options: MatchOptions = {},
): Match[] {
  const mail = new SearchableMail(validate(MailMessageSchema, message, ["message"]));
  validate(MatchOptionsSchema, options, ["options"]);
  const valid = validFilters({ filters });
  return filterMatchers(valid, options).map(({ match }) => match(mail));
}

/** A filter that is ready to be tried on many mails. */
export interface FilterMatcher {
  readonly name: string;
  /** The name, with what tells it from other filters of that name. */
  readonly title: string;
  readonly search: string;
  readonly actions: Actions;
  match(mail: SearchableMail): Match;
}

/**
 * Prepares filters that are valid by the schema.
 *
 * @throws {InvalidInputError} for one that Gmail cannot express.
 */
export function filterMatchers(
  filters: readonly FilterInput[],
  options: MatchOptions,
): readonly FilterMatcher[] {
  const findings: FilterFindings = new Findings(filterFindings);
  const read = readFilters(filters, findings);
  findings.throwIfRejected();
  const titles = makeTitles(read);
  return read.map(({ name, search, criteria, actions }, index) => {
    const matchers = toMatchers(criteria, options);
    return {
      name,
      title: titles[index] ?? name,
      search,
      actions,
      match: (mail) => match(matchers, mail),
    };
  });
}

/** The names of the filters. A repeated name gets its search, and a repeated search its number. */
function makeTitles(filters: readonly Pick<FilterMatcher, "name" | "search">[]): readonly string[] {
  const repeated = findRepeated(filters.map(({ name }) => name));
  const titles = filters.map(({ name, search }) =>
    repeated.has(name) ? `${name} (${abbreviate(search)})` : name,
  );
  const same = findRepeated(titles);
  return titles.map((title, index) => (same.has(title) ? `${title}, filter ${index + 1}` : title));
}

function findRepeated(texts: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(texts.filter((text) => seen.size === seen.add(text).size));
}

function match(matchers: readonly Matcher[], mail: SearchableMail): Match {
  const found: Finding[] = [];
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

/** A term or a group of terms, prepared to be matched with many mails. */
type Matcher = (mail: SearchableMail) => Finding;

/** The conditions of a filter, the quickest first. All of them must hold. */
function toMatchers(criteria: Criteria, options: MatchOptions): readonly Matcher[] {
  const { words, exclusions, larger, smaller } = criteria;
  const lists = LIST_FIELDS.filter((field) => criteria[field].length > 0);
  return [
    ...lists.map((field) => {
      const matchers = criteria[field].map(({ search }) => searchMatcher(search, options));
      return matchAny(matchers, fieldSearch(field, criteria[field]));
    }),
    ...(larger ? [sizeMatcher(`larger:${searchSize(larger)}`, inBytes(larger))] : []),
    ...(smaller ? [sizeMatcher(`smaller:${searchSize(smaller)}`, inBytes(smaller))] : []),
    ...(criteria.hasAttachment ? [attachmentMatcher("has:attachment")] : []),
    ...words.map(({ search }) => searchMatcher(search, options)),
    ...exclusions.map(({ search }) => searchMatcher(not(search), options)),
  ];
}

/** Prepares a search, by Kleene's logic. */
function searchMatcher(search: Search, options: MatchOptions): Matcher {
  const toMatchers = (parts: readonly Search[]) =>
    parts.map((part) => searchMatcher(part, options));
  switch (search.kind) {
    case "leaf":
      return leafMatcher(search, options);
    case "not": {
      const matcher = searchMatcher(search.of, options);
      return (mail) => {
        const { term, verdict, reason } = matcher(mail);
        return { term: `-${term}`, verdict: OPPOSITE[verdict], reason };
      };
    }
    case "all":
      return matchAll(toMatchers(search.parts));
    case "any":
      return matchAny(toMatchers(search.parts), printSearch(search));
    case "unsure":
      return eitherReading(toMatchers(search.readings), search.written, search.reason);
  }
}

const OPPOSITE = { yes: "no", no: "yes", unknown: "unknown" } as const;

/** A matcher of all conditions: a single no decides, then an unknown. */
const matchAll =
  (matchers: readonly Matcher[]): Matcher =>
  (mail) => {
    let unsure: Finding | undefined;
    let sure: Finding = { term: "", verdict: "yes", reason: "has no condition" };
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
  const none: Finding = { term, verdict: "no", reason: "finds none of them" };
  return (mail) => {
    let unsure: Finding | undefined;
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
function eitherReading(readings: readonly Matcher[], term: string, reason: string): Matcher {
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
  const finding: Finding = { term, verdict: "unknown", reason };
  return () => finding;
}

/** The reasons for a yes, for a no, and for an unknown. */
type Reasons = readonly [found: string, missing: string, unsure: string];

/** A matcher with three findings, built once and shared by all mails, to save allocations. */
function answer(
  term: string,
  [found, missing, unsure]: Reasons,
  verdictOf: (mail: SearchableMail) => Verdict,
): Matcher {
  const findings: Readonly<Record<Verdict, Finding>> = {
    yes: { term, verdict: "yes", reason: found },
    no: { term, verdict: "no", reason: missing },
    unknown: { term, verdict: "unknown", reason: unsure },
  };
  return (mail) => findings[verdictOf(mail)];
}

/** The matcher of one word or phrase, after an operator or without one. */
function leafMatcher(leaf: SearchLeaf, options: MatchOptions): Matcher {
  const { operator = "", text, unclear } = leaf;
  const term = printSearch(leaf);
  if (unclear !== undefined) return unknownMatcher(term, unclear);
  const word = toWantedWord(leaf);
  const bare: WantedWord = { ...word, address: undefined };
  switch (operatorKind(operator)) {
    case undefined:
      return wordMatcher(term, word, options);
    case "address":
      return addressMatcher(term, operator, word, options);
    case "list":
      return fieldMatcher(term, "list", bare);
    case "size": {
      const size = sizeBounds(text);
      return size
        ? sizeMatcher(term, size.low, size.high)
        : unknownMatcher(term, "is not a size that Gmail documents");
    }
    case "since":
    case "until":
      return dateMatcher(term, operator, text, options);
    default:
  }
  if (operator === "subject") return fieldMatcher(term, "subject", word);
  if (operator === "filename") return fileNameMatcher(term, { ...bare, isExact: true });
  if (operator === "has" && /^attachment$/i.test(text)) return attachmentMatcher(term);
  return folderMatcher(term, `${operator}:${text}`.toLowerCase());
}

/** Matches a word in one text: `subject:invoice`, `list:dev.x.org`. */
const fieldMatcher = (term: string, field: Field, wanted: WantedWord): Matcher =>
  answer(term, IN_FIELD, (mail) => findIn(mail, field, wanted) ?? "unknown");

const IN_FIELD = ["is there", "is not there", "may be there, perhaps in another form"] as const;

/** Matches the name of an attachment, or its extension: `filename:report.pdf`, `filename:pdf` (help 7190). */
const fileNameMatcher = (term: string, wanted: WantedWord): Matcher =>
  answer(
    term,
    [
      "is the name of an attachment",
      "is not the name of an attachment",
      "may be the name of an attachment",
    ],
    (mail) => {
      const verdict = findIn(mail, "attachments", wanted) ?? "unknown";
      const isNameless = mail.message.attachments?.some(({ name }) => name === undefined);
      return verdict === "no" && isNameless ? "unknown" : verdict;
    },
  );

/**
 * Matches a word or phrase without an operator. Gmail looks for it in names and addresses, the subject,
 * the text, and in attachments, whose content is not read.
 */
function wordMatcher(term: string, wanted: WantedWord, options: MatchOptions): Matcher {
  const own = ownAddresses(options);
  const found = (mail: SearchableMail, fields: readonly Field[]): Verdict => {
    let isSimilar = false;
    for (const field of fields) {
      const verdict = findIn(mail, field, wanted, own);
      if (verdict === "yes") return verdict;
      isSimilar ||= verdict === "unknown";
    }
    return isSimilar ? "unknown" : "no";
  };
  const unsearched = unknownMatcher(term, "may be in a part of the mail that was not read");
  const elsewhere = unknownMatcher(term, "is only where Gmail may not search");
  const seen = answer(
    term,
    ["is in the mail", "is not in the mail", "may be in the mail in another form"],
    (mail) => found(mail, SEARCHED),
  );
  return (mail) => {
    const finding = seen(mail);
    if (finding.verdict !== "no") return finding;
    if (mail.isIncomplete) return unsearched(mail);
    return found(mail, ELSEWHERE) === "no" ? finding : elsewhere(mail);
  };
}

const SEARCHED: readonly Field[] = ["subject", "text", "from", "to", "cc"];
const ELSEWHERE: readonly Field[] = ["bcc", "delivered_to", "list", "attachments"];

/** Matches a word in the headers that an operator means: `from:bob`, `to:me`. */
function addressMatcher(
  term: string,
  operator: string,
  wanted: WantedWord,
  options: MatchOptions,
): Matcher {
  const fields = FIELDS[operator];
  if (!fields) return unknownMatcher(term, "asks for a header that is not read");
  const own = ownAddresses(options);
  const isMe = !wanted.quoted && /^me$/i.test(wanted.text);
  if (isMe && !own) return unknownMatcher(term, "depends on whose mail it is");
  const find = (mail: SearchableMail, field: AddressField): Verdict => {
    if (!isMe) return findIn(mail, field, wanted, own) ?? "unknown";
    const { canonical } = mail.mailboxes(field);
    if (canonical.some((address) => own?.has(address))) return "yes";
    return mail.text(field)?.absent ?? "unknown";
  };
  // The recipient of a blind copy, or of forwarded mail, is in Delivered-To alone.
  const mayBeHidden = operator === "to" || operator === "bcc";
  return answer(term, IN_FIELD, (mail) => {
    const found = fields.map((field) => find(mail, field));
    if (found.includes("yes")) return "yes";
    const elsewhere = mayBeHidden && mail.text("delivered_to") ? find(mail, "delivered_to") : "no";
    if (elsewhere === "yes" && isMe && operator === "to") return "yes";
    return elsewhere === "no" && !found.includes("unknown") ? "no" : "unknown";
  });
}

/** `to` covers To, Cc and Bcc (Gmail's API, Filter.Criteria). */
const FIELDS: Readonly<Record<string, readonly AddressField[]>> = {
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
function sizeMatcher(term: string, low: number, high = low): Matcher {
  const [above, below] = /^smaller/i.test(term) ? NO_YES : YES_NO;
  return answer(term, aboutBound("size"), ({ message: { bytes = Number.NaN } }) => {
    if (bytes > high * (1 + NEAR)) return above;
    return bytes < low * (1 - NEAR) ? below : "unknown";
  });
}

const NEAR = 0.03;

const aboutBound = (what: string): Reasons => [
  `matches its ${what}`,
  `does not match its ${what}`,
  `is too close to its ${what}, or its ${what} is unknown`,
];

const YES_NO = ["yes", "no"] as const;
const NO_YES = ["no", "yes"] as const;

/** Matches mail with an attachment. Inline images count (Gmail's help 7190); of a part without a name it is not known. */
const attachmentMatcher = (term: string): Matcher =>
  answer(
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

/** Matches what Gmail decides: mail that arrives is in no folder yet and no chat, but may be spam. */
const folderMatcher = (term: string, search: string): Matcher =>
  answer(
    term,
    ["is true of all mail", "is not true of mail that arrives", "asks for what only Gmail knows"],
    ({ message: { labels = [] } }) => {
      if (search === "in:anywhere") return "yes";
      if (search === "in:spam") return labels.some(isSpam) ? "unknown" : "no";
      return /^(?:in:(?:trash|drafts?|chats?)|is:chat)$/.test(search) ? "no" : "unknown";
    },
  );

/** True for the label of spam, in any language of Gmail. */
export const isSpam = (label: string): boolean => SPAM.includes(label.normalize().toLowerCase());

const SPAM: readonly string[] = [
  ...["spam", "nevyžádaná pošta", "nevyžiadaná pošta", "rämpspost", "roskaposti", "skräppost"],
  ...[
    "søppelpost",
    "neželena pošta",
    "нежелана пошта",
    "спам",
    "ανεπιθύμητα",
    "ανεπιθύμητη αλληλογραφία",
  ],
  ...[
    "迷惑メール",
    "垃圾邮件",
    "垃圾郵件",
    "스팸",
    "스팸함",
    "غير المرغوب فيها",
    "الرسائل غير المرغوب فيها",
  ],
  ...["ספאם", "דואר זבל", "สแปม", "จดหมายขยะ", "thư rác", "स्पैम"],
];

/**
 * Matches a date or an age: `after:2026/01/31`, `older_than:3d`. The sender sets the Date header, so
 * within a day of the bound the answer is unknown.
 */
function dateMatcher(
  term: string,
  operator: string,
  value: string,
  { now }: MatchOptions,
): Matcher {
  const isAge = operator.endsWith("_than");
  const range = isAge ? readAge(value) : readDay(value);
  if (!range) return unknownMatcher(term, "is not a date that Gmail documents");
  if (isAge && now === undefined) return unknownMatcher(term, "depends on the time");
  const end = Date.parse(now ?? "");
  const bound = isAge ? { low: end - range.high * DAY_MS, high: end - range.low * DAY_MS } : range;
  const [later, earlier] = /^(?:after|newer)/.test(operator) ? YES_NO : NO_YES;
  return answer(term, aboutBound("date"), ({ message: { date = "" } }) => {
    const at = Date.parse(date);
    if (at > bound.high + DAY_MS) return later;
    return at < bound.low - DAY_MS ? earlier : "unknown";
  });
}
