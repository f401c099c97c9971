import { MAX_MESSAGE_MB } from "../../schemas/mail-filter.ts";
import {
  error,
  type Findings,
  info,
  type RejectionMessages,
  type WarningMessages,
  warning,
} from "../findings.ts";
import { formatSome } from "../text.ts";

export type FilterFindings = Findings<typeof filterFindings>;

/** The parsers of an item do not know its path, so they can only add findings. */
export type ItemFindings = Pick<FilterFindings, "add">;

const USE_DOES_NOT_HAVE = "to exclude messages, use `does_not_have`, as in from:boss@example.com";

/** What to write instead of something that looks like an operator. */
const LITERAL_ADVICE = {
  "own item": "to match any of them, write each as a separate item",
  "only in words": "operators work only in `has_words`",
  "no wildcards": "Gmail has no wildcards and only finds whole words",
  around: "write it between two terms with a number, as in a AROUND 5 b",
  "a minus": "to exclude messages, write a minus before a word, a phrase or a bracket",
  does_not_have: USE_DOES_NOT_HAVE,
} as const;

export type LiteralAdvice = keyof typeof LITERAL_ADVICE;

const takenLiterally = ({ written, advice }: { written: string; advice: LiteralAdvice }) =>
  `${written} is taken literally here; ${LITERAL_ADVICE[advice]}`;

const IGNORED_FALSE =
  'has no effect when false: messages with attachments match too; to exclude them, write `does_not_have`: ["has:attachment"]';

const filterWarnings = {
  "acts-on-deleted": warning(
    ({ fields }: { fields: readonly string[] }) =>
      `moves the message to Trash, where ${quoteNames(fields, " and ")} ${fields.length > 1 ? "have" : "has"} little effect`,
  ),
  "all-words-required": info(
    "a message must match every item; to match any of them, write one item: {one} OR {other}",
  ),
  "all-words-required/senders": warning(
    "requires several senders at once, so no message matches; to match any of them, write from:({senders})",
  ),
  "broad-address": warning("matches every address whose domain ends in {domain}"),
  "broad-delete": warning(
    "deletes mail from any sender, or from a whole free mail service; name the senders, because Gmail empties Trash after 30 days",
  ),
  "conflicting-filters": warning(
    "conflicts with {other} ({title}): {reason}",
    "conflicts with {title}: {reason}",
  ),
  "duplicate-filter": warning(
    "{title} is the same as {same}; an import adds both",
    "is the same as another filter; an import adds both",
  ),
  "exclamation-mark": warning("Gmail may read ! as a minus; put the text in quotes"),
  "exclusion-is-text": warning(
    "is treated as plain text, and excludes only messages with exactly this text; write each word or operator as a separate item, or use -(a b) in `has_words`",
  ),
  "forward-loop": warning(
    "{term} also matches mail from this address, which may cause a forwarding loop",
  ),
  "forward-unverified": warning(
    "add and verify {addresses} in Gmail under Settings > Forwarding before the import",
  ),
  "ignored-condition": info(IGNORED_FALSE),
  "ignored-condition/harmful": warning(IGNORED_FALSE),
  "evaluated-at-delivery": warning(
    "{written} is rarely true for a new message, so this filter will rarely match",
  ),
  "evaluated-at-delivery/true": info(
    "{written} is nearly always true for a new message, so it may have no effect",
  ),
  "label-spaces": info("keeps its spaces; in Gmail, {tidy} is a different label"),
  "larger-than-any-message": warning(
    `{written}may match nothing: Gmail accepts messages of up to ${MAX_MESSAGE_MB} MB`,
  ),
  "left-out": warning("{line} is skipped: {reason}"),
  "matches-almost-all": warning(
    "matches almost all mail; add a sender, a recipient, a subject or words",
  ),
  "never-spam-without-sender": warning(
    ({ titles }: { titles: readonly string[] }) =>
      `${titles.length > 1 ? `${formatSome(titles)} let` : "lets"} spam from anyone through; name the senders`,
  ),
  "not-an-address": info(
    ({ phrase, domain }: { phrase: string; domain: string | undefined }) =>
      `is not an address or @domain, so it is searched as the phrase ${phrase}${domain === undefined ? ", in names too" : `; to match all mail of the domain, write @${domain}`}`,
  ),
  "operator-taken-literally": info(takenLiterally),
  "operator-taken-literally/sign": warning(takenLiterally),
  "read-as": info("read as {term}"),
  "read-as/items": info("read as {count} items: {terms}"),
  "read-as/any-recipient": warning(
    "read as {count} items, and any one is enough; Gmail itself would require all of them",
  ),
  "read-as/phrase": info(
    "is searched as one phrase, {phrase}; to find the words anywhere in a message, write each as a separate item",
  ),
  "read-as/visible": info("invisible or invalid characters were removed"),
  "read-as/once": info("{term} is already in the list and is skipped"),
  "read-as/domain": info("messages may have {domain} in its ASCII form, xn--…; add that form too"),
  "reserved-label": warning("{name} is one of Gmail's own names; the import may reject it"),
  "space-after-operator": warning("write {operator}: without a space after it"),
  split: info("was too long, so it was split into {count} filters that match the same messages"),
  "unknown-operator": warning("{word} is not a Gmail operator and is searched as text"),
  "unknown-operator/joiner": info("{word} is searched as a word; Gmail's operators are OR and AND"),
  "unknown-value": warning("{written} has a value that Gmail does not document; write {wanted}"),
  "unquoted-words": info(
    'words without quotes are searched separately; put a phrase in quotes, as in "out of office"',
  ),
} satisfies WarningMessages<"mail_filter_generator">;

const filterRejections = {
  "above-smaller": error("must be less than `smaller_than_mb`, or no message can match"),
  "below-a-byte": error("must be at least one byte"),
  blank: error("must not be blank"),
  "empty-term": error("contains no word to search for: {written}"),
  "label-parts": error("must have a name on both sides of each slash, as in Money/Bills"),
  "label-of-gmail": error("must not be {name}, which belongs to Gmail"),
  "lost-plus": error(
    "may be me+{address}, whose + became a space in a URL: write %2B instead; for your own addresses and this one, write me, {address}",
  ),
  "no-action": error(
    ({ fields }: { fields: readonly string[] }) =>
      `must have an action: one of ${quoteNames(fields)}`,
  ),
  "no-condition": error(
    ({ fields }: { fields: readonly string[] }) =>
      `must have a condition: one of ${quoteNames(fields)}`,
  ),
  "no-value": error("must not have {operator}: without a value"),
  "not-searchable": error(
    "must contain a letter or a digit: Gmail does not search for punctuation",
  ),
  "not-xml": error("must not contain {character}, which is invalid in XML"),
  "reserved-value": error(
    'must not have {value} as the value of {operator}:, because Gmail reads it as an operator; write {operator}:"{value}"',
  ),
  "result-too-large": error(
    "must be shorter: the result would exceed {bytes} bytes; or send the filters in several requests",
  ),
  "signed-address": error(
    `must not have - or ! before an address, as in {written}; ${USE_DOES_NOT_HAVE}`,
  ),
  "signed-exclusion": error(
    "must not have - or !, as in {written}: every item already excludes messages",
  ),
  "signed-item": error(`must not start with - or !; ${USE_DOES_NOT_HAVE}`),
  syntax: error("{problem}"),
  "too-long": error(
    "must be shorter: a Gmail filter has at most {most} characters. Only `from`, `to`, `subject` and ORs in `has_words` can be split",
  ),
  "too-many-filters": error(
    "must be shorter: it would become more than {most} filters, which is Gmail's limit",
  ),
} satisfies RejectionMessages;

/** Gmail accepts these mistakes, but misreads them. */
const SYNTAX_PROBLEMS = {
  "too deep": "within 1,000 others",
  unpaired: "without its partner",
  "wrong pair": "that do not match",
  "nothing before": "with nothing before it",
  "nothing after": "with nothing after it",
  "in a row": "in a row",
  "no value": "without a value",
};

export type SyntaxProblem = keyof typeof SYNTAX_PROBLEMS;

export const syntaxProblem = (written: string, what: SyntaxProblem, around: string): string =>
  `must not have ${written} ${SYNTAX_PROBLEMS[what]}: "${around}"`;

const quoteNames = (fields: readonly string[], joiner = ", "): string =>
  fields.map((field) => `\`${field}\``).join(joiner);

export const filterFindings = { ...filterWarnings, ...filterRejections };
