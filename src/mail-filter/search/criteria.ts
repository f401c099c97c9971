import type { FilterInput } from "../../../schemas/mail-filter.ts";
import { groupBy } from "../../group-by.ts";
import { formatCount } from "../../text.ts";
import type { FilterFindings, ItemFindings } from "../filter-findings.ts";
import {
  BYTES_PER_MB,
  exceedsMaxMessageSize,
  findUnknownOperator,
  isReservedValue,
  operatorKind,
  readOperator,
} from "../gmail.ts";
import {
  addressTerm,
  isNegated,
  parseAddressItem,
  parseAddressList,
  parseToItem,
  readAddress,
  rejectSignedAddresses,
} from "./addresses.ts";
import {
  type ListTerm,
  parseHasWordsItem,
  parseSubjectItem,
  quoteIfNeeded,
  toLiteralTerm,
  toPlainTerm,
  type WordsTerm,
  warnAboutLeaf,
} from "./has-words.ts";
import {
  allGroups,
  isSearchable,
  normaliseSearchText,
  parseExpression,
  replaceLookAlikes,
  splitAlternatives,
  toAsciiPattern,
} from "./parse-search.ts";
import { listLeaves, parseListTerm } from "./search-tree.ts";

/** The conditions of a filter in Gmail's search syntax, item by item. */
export interface Criteria {
  /** Any term of the list, as of the next two. */
  readonly from: readonly ListTerm[];
  readonly to: readonly ListTerm[];
  readonly subject: readonly ListTerm[];
  /** All of them. */
  readonly words: readonly WordsTerm[];
  /** None of them. */
  readonly exclusions: readonly ListTerm[];
  readonly hasAttachment: boolean;
  readonly larger?: Size | undefined;
  readonly smaller?: Size | undefined;
}

/** Reads a filter's conditions, and rejects those that Gmail cannot express. */
export function parseCriteria(filter: FilterInput, findings: FilterFindings): Criteria {
  const criteria = {
    from: parseListField(filter, "from", findings, toTerms(parseAddressItem, "from")),
    to: parseListField(filter, "to", findings, toTerms(parseToItem, "to")),
    subject: parseListField(filter, "subject", findings, toTerms(parseSubjectItem, "subject")),
    words: readWords(filter, findings),
    exclusions: parseListField(filter, "does_not_have", findings, toTerms(parseDoesNotHaveItem)),
    hasAttachment: filter.has_attachment === true,
    ...readSizes(filter, findings),
  };
  // Agents write false for all that they do not mean, so it is no condition.
  if (filter.has_attachment === false && !isAttachmentTested(criteria)) {
    const isHarmful = filter.delete || filter.forward_to !== undefined;
    findings.at("has_attachment").add(`ignored-condition${isHarmful ? "/harmful" : ""}`);
  }
  return criteria;
}

/** Whether words or exclusions ask for attachments themselves: `-has:attachment`. */
const isAttachmentTested = ({ words, exclusions }: Criteria): boolean =>
  [...words, ...exclusions]
    .flatMap(({ search }) => listLeaves(search))
    .some(({ operator, text }) => operator === "has" && /^attachment$/i.test(text));

type ReadItem<Read> = (text: string, findings: ItemFindings) => Read;

/** A reader of items that gives the search of each text that it reads, after an operator or without one. */
const toTerms =
  (
    readItem: ReadItem<readonly string[] | undefined>,
    operator?: string,
  ): ReadItem<readonly ListTerm[]> =>
  (item, findings) => {
    // In its own field an operator means nothing more: `from:bob@x.com` in `from`.
    const start = operator === "subject" ? "^" : "(?<=^|[({]|\\bOR )";
    const own = operator && item.includes(":") && `${start}${operator}:\\s*(?=\\S)`;
    const value = own ? item.replace(new RegExp(own, "gi"), "") : item;
    if (value !== item) findings.add("read-as", { term: value });
    return (readItem(value, findings) ?? []).map((text) => ({
      text,
      key: text.toLowerCase(),
      search: parseListTerm(text, operator),
    }));
  };

export const toTexts = (terms: readonly ListTerm[]): readonly string[] =>
  terms.map(({ text }) => text);

/**
 * Reads the items of a list one by one and leaves out terms that repeat an earlier one. Of the findings
 * about an item one is reported: the first issue, else the first warning, else the first info, or that
 * it is several items. Items with the same kind of info share one.
 */
function parseListField<Term extends ListTerm>(
  filter: FilterInput,
  field: "from" | "to" | "subject" | "has_words" | "does_not_have",
  findings: FilterFindings,
  readItem: ReadItem<readonly Term[]>,
): readonly Term[] {
  const terms = new Map<string, Term>();
  const { [field]: items = [] } = filter;
  const { issues, warnings } = findings;
  const infos: typeof warnings = [];
  for (const [index, item] of items.entries()) {
    const here = findings.at(field, index);
    const [firstIssue, firstWarning] = [issues.length, warnings.length];
    const text = normaliseSearchText(item, here);
    const read = text === undefined ? [] : readItem(text, here);
    for (const term of read) {
      if (terms.has(term.key)) here.add("read-as/once", { term: term.text });
      else terms.set(term.key, term);
      const leaves = listLeaves(term.search, field === "does_not_have");
      for (const leaf of leaves) warnAboutLeaf(leaf, here);
    }
    if (read.length > 1) {
      here.add("read-as/items", { count: read.length, terms: toTexts(read).join(", ") });
    }
    if (issues.length === firstIssue && warnings.length === firstWarning) continue;
    issues.splice(firstIssue + 1);
    const found = warnings.splice(firstWarning);
    const worst =
      found.find(({ severity }) => severity === "warning") ?? found.at(read.length > 1 ? -1 : 0);
    if (worst && issues.length === firstIssue) {
      (worst.severity === "info" ? infos : warnings).push(worst);
    }
  }
  if (infos.length === 0) return [...terms.values()];
  for (const [first, ...others] of groupBy(infos, ({ code }) => code).values()) {
    if (first) warnings.push(others.length === 0 ? first : toListFinding(first, others.length));
  }
  return [...terms.values()];
}

/** An info about an item as one about its list. */
const toListFinding = (
  { path, message, ...info }: FilterFindings["warnings"][number],
  more: number,
) => ({
  ...info,
  path: path.replace(/\[\d+\]$/, ""),
  message: `${message} (likewise for ${formatCount(more, "more item")})`,
});

/** Reads the `has_words` of a filter, with an info about its items taken together. */
function readWords(filter: FilterInput, findings: FilterFindings): readonly WordsTerm[] {
  const terms = parseListField(filter, "has_words", findings, (text, here) => {
    const term = parseHasWordsItem(text, here);
    return term ? [term] : [];
  });
  const [first, second] = terms.filter(({ isExpression }) => !isExpression);
  if (first && second) {
    findings.at("has_words").add("all-words-required", { one: first.text, other: second.text });
  }
  return terms;
}

/** A size as both the filter and the search write it, so that the two cannot differ. */
export interface Size {
  /** The size in the filter. */
  readonly megabytes: number;
  readonly value: number;
  readonly unit: "MB" | "bytes";
}

function readSizes(
  filter: FilterInput,
  findings: FilterFindings,
): Pick<Criteria, "larger" | "smaller"> {
  const read = (field: "larger_than_mb" | "smaller_than_mb") => {
    const megabytes = filter[field];
    if (megabytes === undefined) return undefined;
    if (megabytes * BYTES_PER_MB < 1) findings.at(field).add("below-a-byte");
    return toSize(megabytes);
  };
  const [larger, smaller] = [read("larger_than_mb"), read("smaller_than_mb")];
  if (larger && smaller && toBytes(larger) >= toBytes(smaller)) {
    findings.at("larger_than_mb").add("above-smaller");
  }
  if (larger && exceedsMaxMessageSize(toBytes(larger))) {
    findings.at("larger_than_mb").add("larger-than-any-message", { written: "" });
  }
  return { ...(larger && { larger }), ...(smaller && { smaller }) };
}

/** Whole bytes, rounded; whole megabytes keep Gmail's unit. */
function toSize(megabytes: number): Size {
  const bytes = Math.round(megabytes * BYTES_PER_MB);
  return bytes % BYTES_PER_MB === 0
    ? { megabytes, value: bytes / BYTES_PER_MB, unit: "MB" }
    : { megabytes, value: bytes, unit: "bytes" };
}

export const toBytes = ({ value, unit }: Size): number =>
  unit === "MB" ? value * BYTES_PER_MB : value;

/** `5M` or `1572864`, after `larger:` or `smaller:`. */
export const formatSize = ({ value, unit }: Size): string =>
  unit === "MB" ? `${value}M` : String(value);

/**
 * The search terms of one normalised item of `does_not_have`: a word, a phrase, or one bare
 * operator with its value; several where the item holds alternatives, since any one of them keeps
 * a mail out.
 */
function parseDoesNotHaveItem(item: string, findings: ItemFindings): readonly string[] {
  const plain = toPlainTerm(item);
  if (plain !== undefined) return [plain];
  const text = replaceLookAlikes(item, findings);
  const alternatives = splitAlternatives(text);
  const parts = alternatives.length > 1 ? alternatives : [text];
  return parts.flatMap((part) => exclusionTerm(part, findings) ?? []);
}

function exclusionTerm(text: string, findings: ItemFindings): readonly string[] | undefined {
  if (/^[-!]/.test(text)) return findings.add("signed-exclusion", { written: text });
  const operator = readOperator(text);
  const value = operator === undefined ? text : text.slice(operator.length + 1);
  const isOfAddresses = operatorKind(operator) === "address";
  const mailboxes =
    (operator === undefined || isOfAddresses ? parseAddressList(value) : undefined) ?? [];
  const checked = isOfAddresses ? mailboxes : mailboxes.filter((box) => /^[-!]/.test(box.text));
  if (rejectSignedAddresses(checked, "signed-exclusion", findings)) return undefined;
  if (isOfAddresses && mailboxes.length > 1) {
    return mailboxes.map(({ address }) => `${operator}:${addressTerm(address)}`);
  }
  const term =
    operator === undefined
      ? textExclusion(text, findings)
      : operatorTerm(operator, value, findings);
  return term === undefined ? undefined : [term];
}

function textExclusion(text: string, findings: ItemFindings): string | undefined {
  if (/^NOT\s/.test(text)) findings.add("unknown-operator", { word: "NOT" });
  const word = findUnknownOperator(text);
  if (word !== undefined) findings.add("unknown-operator", { word: `${word}:` });
  else if (isSearch(text)) {
    findings.add("exclusion-is-text");
    return quoteIfNeeded(text, findings);
  }
  return toLiteralTerm(text, findings);
}

/**
 * True for a text that is more than words: it has a comma, AND, a minus, an operator, or brackets around
 * it or after a plus. `Sent from: iPhone` and `Dear {name}` are mere texts.
 */
function isSearch(text: string): boolean {
  if (/^[^"]*\w,\s*\w[^"]*$/.test(toAsciiPattern(text))) return true;
  if (!/\s-|:|[|({]|\b(?:OR|AND|AROUND)\b/.test(text)) return false;
  const parsed = parseExpression(text);
  if ("problem" in parsed) return false;
  return (
    /^\(.*\)$/.test(text) ||
    allGroups(parsed.expression).some(
      ({ bracket, terms, joiners }) =>
        (bracket === "{" && terms.length > 1) ||
        joiners.some((joiner) => joiner !== "") ||
        terms.some(
          ({ negated, operator, exact, spaced }) => negated || exact || (operator && !spaced),
        ),
    )
  );
}

function operatorTerm(
  operator: string,
  written: string,
  findings: ItemFindings,
): string | undefined {
  const value = written.trim();
  if (!isSearchable(value)) return findings.add("no-value", { operator });
  if (isReservedValue(value)) return findings.add("reserved-value", { operator, value });
  const read = readValue(operator, value);
  if (read === undefined) {
    // As a text, since to drop an exclusion would let more mail in.
    findings.add("exclusion-is-text");
    return quoteIfNeeded(`${operator}:${written}`, findings);
  }
  const term = `${operator}:${read}`;
  if (read !== written) findings.add("read-as", { term });
  return term;
}

/** A phrase, a word, a date or an address, as the value of an operator. */
function readValue(operator: string, value: string): string | undefined {
  if (/^"[^"]*"$/.test(value)) return value;
  if (/^(?:around|not)$/i.test(value)) return `"${value}"`;
  if (/^(?:\+?[a-z]|[0-9@])[\wé.@+/-]*$/i.test(toAsciiPattern(value))) return value;
  const address =
    operatorKind(operator) === "address" || value.includes("@") ? readAddress(value) : undefined;
  return address && !isNegated(address) ? addressTerm(address) : undefined;
}
