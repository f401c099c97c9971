import { MAX_MAIL_MB } from "../../schemas/mail-filter.ts";
import {
  error,
  type Findings,
  info,
  type RejectionWords,
  type WarningWords,
  warning,
} from "../findings.ts";
import { listSome, plural, thousands } from "../text.ts";

/** The words of all findings about filters. */
export type FilterFindings = Findings<typeof filterFindings>;

/** The findings about one item: those who read it do not know its path. */
export type ItemFindings = Pick<FilterFindings, "add">;

/** The findings about a part of an item: without infos, as the whole item has one of its own. */
export const withoutInfos = (findings: ItemFindings): ItemFindings => ({
  add: (...finding) => {
    if (filterFindings[finding[0]].severity !== "info") findings.add(...finding);
  },
});

const OWN_ITEM = 'for "any of them" give each its own item';
const ONLY_IN_WORDS = "operators work in `has_words` only";
const USE_DOES_NOT_HAVE = "to keep mail out, use `does_not_have`, as in";
const NO_WILDCARDS = "Gmail has no wildcards and finds whole words only";

/** What to write in place of a text that looks like an operator. */
const ADVICE = {
  "own item": OWN_ITEM,
  "only in words": ONLY_IN_WORDS,
  "keep out": "to keep mail out, use `does_not_have`",
  "no wildcards": NO_WILDCARDS,
} as const;

const warnings = {
  "acts-on-deleted": warning(
    ({ fields }: { fields: readonly string[] }) =>
      `moves the mail to the bin, where ${quoteNames(fields, " and ")} ${fields.length > 1 ? "have" : "has"} little effect`,
  ),
  "all-words-required": info(
    ({ one, other }: Record<"one" | "other", string>) =>
      `a mail must have all of these; for any of them write one item, as in ${one} OR ${other}`,
  ),
  "backslash-in-label": warning(() => "a backslash does not nest labels; use a slash"),
  "broad-delete": warning(
    ({ namesService }: { namesService: boolean }) =>
      `deletes mail from anyone, as the filter names ${namesService ? "a whole free mail service" : "no sender"}; Gmail empties the bin after 30 days`,
  ),
  "comma-in-exclusion": warning(
    () =>
      "keeps out only mail with the whole phrase; write one item for each part to exclude them all",
  ),
  "conflicting-filters": warning(
    ({ other, reason }: Record<"other" | "reason", string>) => `clashes with ${other}: ${reason}`,
  ),
  "conflicting-filters/deletes": warning(
    ({ other }: { other: string }) =>
      `clashes with ${other}: this one deletes mail that the other keeps`,
  ),
  "conflicting-filters/deleted": warning(
    ({ other }: { other: string }) =>
      `clashes with ${other}: the other deletes mail that this one keeps`,
  ),
  "deletes-spam-too": warning(() => "with `never_spam` puts spam in the bin instead of in Spam"),
  "domain-is-no-proof": info(
    () => "an @domain also matches its subdomains and look-alikes, and senders can be forged",
  ),
  "duplicate-filter": warning(
    ({ title, same }: Record<"title" | "same", string>) =>
      `${title} is the same as ${same}; the import adds both`,
  ),
  "exclamation-mark": warning(() => "Gmail may read ! as a minus; put the text in quotes"),
  "exclusion-is-text": warning(
    () =>
      "is read as text and keeps out only mail with exactly this text; for a search use `has_words`, as in -(a b)",
  ),
  "exclusion-is-text/value": warning(
    ({ operator, hasStar }: { operator: string; hasStar: boolean }) =>
      `is read as text and excludes nothing by ${operator}:; ${hasStar ? "Gmail has no wildcards: leave the * out" : `write one item for each value, as in ${operator}:"a b"`}`,
  ),
  "forward-loop": warning(
    ({ term }: { term: string }) =>
      `the condition ${term} matches mail of this address too, which may then be forwarded in a circle`,
  ),
  "forward-split": warning(
    () => "may get a mail twice: the filter became several, and a mail can match two of them",
  ),
  "forward-unverified": warning(
    ({ addresses }: { addresses: readonly string[] }) =>
      `add and verify ${listSome(addresses)} in Gmail under Settings > Forwarding before the import`,
  ),
  "judged-at-delivery": warning(
    ({ written }: { written: string }) =>
      `${written} is rarely true when a mail arrives, so such filters rarely match`,
  ),
  "judged-at-delivery/true": info(
    ({ written }: { written: string }) =>
      `${written} is nearly always true when a mail arrives, so it may have no effect`,
  ),
  "label-differs-in-case": warning(
    ({ other }: { other: string }) =>
      `differs from the label ${other} only in case; Gmail treats them as one`,
  ),
  "label-spaces": info(
    ({ tidy }: { tidy: string }) =>
      `is kept with its spaces; Gmail treats ${tidy} as another label`,
  ),
  "larger-than-any-mail": warning(
    ({ written }: { written?: string }) =>
      `${written === undefined ? "" : `${written} `}may match nothing: Gmail receives mail of up to ${MAX_MAIL_MB} MB`,
  ),
  "left-out": warning(
    ({ line, reason }: Record<"line" | "reason", string>) => `${line} is left out: ${reason}`,
  ),
  "local-part-ignored": warning(
    ({ local, domain }: Record<"local" | "domain", string>) =>
      `Gmail ignores ${local} and takes all mail of @${domain}`,
  ),
  "long-in-bytes": info(
    () =>
      "is near Gmail's limit when counted in bytes; check after the import that Gmail kept all of it",
  ),
  "lower-case-operator": info(
    () => 'lower-case "or" and "and" are searched as words; write OR or AND to join alternatives',
  ),
  "matches-almost-all": warning(
    () => "matches almost all mail; add a sender, a recipient, a subject or words",
  ),
  "never-spam-free-mail": warning(() => "lets through spam from anyone at a free mail service"),
  "never-spam-without-sender": warning(
    ({ titles }: { titles: readonly string[] }) =>
      `${titles.length > 1 ? `${listSome(titles)} let` : "lets"} spam from any sender through; name the senders`,
  ),
  "not-an-address": info(
    ({ phrase, domain }: { phrase: string; domain: string | undefined }) =>
      `is not an address or @domain, so it is searched as the phrase ${phrase}${domain === undefined ? ", in names too" : `; for all mail of the domain write @${domain}`}`,
  ),
  "not-operator": warning(
    () => 'Gmail has no NOT and searches it as a word; write -word or -"a phrase"',
  ),
  "operator-taken-literally": info(
    ({ written, advice }: { written: string; advice: keyof typeof ADVICE }) =>
      `${written} is taken literally here; ${ADVICE[advice]}`,
  ),
  "operator-taken-literally/star": info(() => `* has no meaning here: ${NO_WILDCARDS}`),
  "operator-taken-literally/around": info(
    () =>
      "AROUND is taken literally here; write it between two terms with a number, as in a AROUND 5 b",
  ),
  "operator-taken-literally/minus": info(
    ({ word }: { word: string }) =>
      `the - of ${word} is taken literally here; write one minus and a word to keep mail out`,
  ),
  "operator-taken-literally/sign": warning(
    ({ sign, word, example }: Record<"sign" | "word" | "example", string>) =>
      `the ${sign} of ${sign}${word} is taken literally here; ${USE_DOES_NOT_HAVE} ${example}`,
  ),
  "operator-taken-literally/exclamation": warning(
    ({ written }: { written: string }) =>
      `the ! of ${written} is taken literally here; write a minus before a word, a phrase or a bracket to keep mail out`,
  ),
  "read-as": info(({ term }: { term: string }) => `read as ${term}`),
  "read-as/items": info(
    ({ terms }: { terms: readonly string[] }) =>
      `read as ${terms.length} items: ${terms.join(", ")}`,
  ),
  "read-as/any-recipient": warning(
    ({ count }: { count: number }) =>
      `read as ${count} items, any of which is enough; Gmail itself reads such a list as mail to all of them`,
  ),
  "read-as/phrase": info(
    ({ phrase }: { phrase: string }) =>
      `is searched as one phrase, ${phrase}; for its words anywhere in a mail write an item for each`,
  ),
  "read-as/quotes": info(() => "curly quotes are read as quotation marks"),
  "read-as/visible": info(() => "invisible characters were removed"),
  "read-as/carried": warning(() => "characters that XML cannot carry were removed from the name"),
  "read-as/without-quote": warning(
    ({ phrase }: { phrase: string }) =>
      `Gmail cannot search for a quotation mark; it looks for ${phrase}`,
  ),
  "read-as/once": info(({ term }: { term: string }) => `${term} is already in the list, left out`),
  "read-as/domain": info(
    ({ domain }: { domain: string }) =>
      `mail may carry ${domain} in its ASCII form, xn--…; add that form too`,
  ),
  "reserved-label": warning(
    ({ name }: { name: string }) => `${name} is one of Gmail's own names; the import may reject it`,
  ),
  "reserved-label/nested": warning(
    ({ label, parent }: Record<"label" | "parent", string>) =>
      `${label} is under Gmail's own ${parent}, as mail programs make labels; the import may reject it`,
  ),
  "size-twice": warning(() => "also asks for a size, beside `larger_than_mb` or `smaller_than_mb`"),
  "space-after-operator": warning(
    ({ operator }: { operator: string }) => `write ${operator}: without a space after it`,
  ),
  split: info(
    ({ count }: { count: number }) =>
      `was too long for one filter and became ${count}, which together match the same mail`,
  ),
  "system-label": warning(() => "a label that starts with ^ may be read as a system label"),
  "too-many-forwards": warning(
    ({ count, most }: Record<"count" | "most", number>) =>
      `${count} of the filters forward mail, and Gmail keeps at most ${most} that do`,
  ),
  "top-level-domain": warning(
    ({ domain }: { domain: string }) => `@${domain} matches every address that ends in it`,
  ),
  "unknown-operator": warning(
    ({ word }: { word: string }) => `${word}: is not a Gmail operator and is searched as text`,
  ),
  "unknown-operator/excluded": warning(
    ({ word }: { word: string }) =>
      `${word}: is not a Gmail operator; the item is read as text and excludes nothing by ${word}:`,
  ),
  "unknown-value": warning(
    ({ written, wanted }: Record<"written" | "wanted", string>) =>
      `${written} has a value that Gmail does not document; write ${wanted}`,
  ),
  "unquoted-words": info(
    () =>
      'words without quotes are searched one by one; put a phrase in quotes, as in "out of office"',
  ),
} satisfies WarningWords<"mail_filter_generator">;

const rejections = {
  "above-smaller": error(() => "must be less than `smaller_than_mb`, or no mail can match"),
  "below-a-byte": error(() => "must be at least one byte"),
  blank: error(() => "must not be blank"),
  "empty-term": error(
    ({ written }: { written: string }) => `has nothing to search for in ${written}`,
  ),
  "label-parts": error(() => "must have a name on both sides of each slash, as in Money/Bills"),
  "label-of-gmail": error(
    ({ name }: { name: string }) => `must not be ${name}, which belongs to Gmail`,
  ),
  "lost-plus": error(
    ({ address }: { address: string }) =>
      `may be me+${address}, whose + became a space in a URL: write %2B there; for your own addresses too write me, ${address}`,
  ),
  "no-action": error(
    ({ fields }: { fields: readonly string[] }) =>
      `must have an action: one of ${quoteNames(fields)}`,
  ),
  "no-condition": error(
    ({ fields }: { fields: readonly string[] }) =>
      `must have a condition: one of ${quoteNames(fields)}`,
  ),
  "no-value": error(({ operator }: { operator: string }) => `has ${operator}: without a value`),
  "not-searchable": error(
    () => "must contain a letter or a digit: Gmail does not search for punctuation",
  ),
  "not-searchable/phrase": error(() => "must contain a letter or a digit"),
  "not-xml": error(
    ({ character }: { character: string }) =>
      `must not contain ${character}, which XML cannot carry`,
  ),
  "reserved-value": error(
    ({ operator, value }: Record<"operator" | "value", string>) =>
      `has ${value} as the value of ${operator}:, which Gmail reads as an operator; write ${operator}:"${value}"`,
  ),
  "result-too-large": error(
    ({ bytes }: { bytes: number }) =>
      `makes a result of more than ${thousands(bytes)} bytes; shorten it, or send the filters in several requests`,
  ),
  "signed-address": error(
    ({ written }: { written: string }) =>
      `must not have ${signOf(written)} before an address, as in ${written}; ${USE_DOES_NOT_HAVE} from:boss@example.com`,
  ),
  "signed-exclusion": error(
    ({ sign }: { sign: string }) =>
      `must not start with ${sign}: every item is an exclusion already`,
  ),
  "signed-exclusion/address": error(
    ({ written }: { written: string }) =>
      `must not have ${signOf(written)} before an address, as in ${written}: every item is an exclusion already`,
  ),
  "signed-item": error(
    ({ sign, example }: Record<"sign" | "example", string>) =>
      `must not start with ${sign}; ${USE_DOES_NOT_HAVE} ${example}`,
  ),
  syntax: error(({ problem }: { problem: string }) => problem),
  "too-long": error(
    ({ most }: { most: number }) =>
      `must be shorter: a Gmail filter holds ${thousands(most)} characters, and only \`from\`, \`to\`, \`subject\` and a list with OR in \`has_words\` can be split over several`,
  ),
  "too-many-entries": error(
    ({ most }: { most: number }) =>
      `must be shorter: it would become more than ${thousands(most)} filters, and Gmail keeps no more`,
  ),
  "too-many-filters": error(
    ({ count, most }: Record<"count" | "most", number>) =>
      `must be shorter: together they would become ${thousands(count)} filters, and Gmail keeps at most ${thousands(most)}`,
  ),
} satisfies RejectionWords;

/** What Gmail accepts and misreads in an expression, to be read after "has". */
const SYNTAX_PROBLEMS = {
  "within others": (text: string) => `${text} within 1,000 others`,
  unpaired: (text: string) => `${text} without its partner`,
  "closed with": (text: string, other: string) => `${text} closed with ${other}`,
  "nothing before": (text: string) => `${text} with nothing before it`,
  "nothing after": (text: string) => `${text} with nothing after it`,
  "in a row": (text: string, other: string) => `${text} and ${other} in a row`,
  "no value": (text: string) => `${text} without a value`,
} satisfies Readonly<Record<string, (text: string, other: string) => string>>;

/** A problem with the text around it, so that it can be found without counting. */
export const syntaxProblem = (
  what: keyof typeof SYNTAX_PROBLEMS,
  text: string,
  other: string,
  around: string,
): string => `has ${SYNTAX_PROBLEMS[what](text, other)}: "${around}"`;

const quoteNames = (fields: readonly string[], joiner = ", "): string =>
  fields.map((field) => `\`${field}\``).join(joiner);

/** An info that several items of a list share. */
export const sameForMore = (message: string, more: number): string =>
  `${message} (the same for ${plural(more, "more item")})`;

const signOf = (written: string): string => /[-!]/.exec(written)?.[0] ?? "";

export const filterFindings = { ...warnings, ...rejections };
