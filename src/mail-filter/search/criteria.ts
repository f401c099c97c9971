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

/** The conditions of a filter in Gmail's search syntax. */
export interface Criteria {
  /** A message must match any term of each list. */
  readonly from: readonly ListTerm[];
  readonly to: readonly ListTerm[];
  readonly subject: readonly ListTerm[];
  /** A message must match all of these. */
  readonly words: readonly WordsTerm[];
  /** A message must match none of these. */
  readonly exclusions: readonly ListTerm[];
  readonly hasAttachment: boolean;
  readonly larger?: Size | undefined;
  readonly smaller?: Size | undefined;
}

/** Parses a filter's conditions, and rejects what Gmail cannot express. */
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
  // AI agents write false for every field that they do not need, so it is not a condition.
  if (filter.has_attachment === false && !isAttachmentTested(criteria)) {
    const isHarmful = filter.delete || filter.forward_to !== undefined;
    findings.at("has_attachment").add(`ignored-condition${isHarmful ? "/harmful" : ""}`);
  }
  return criteria;
}

/** Whether words or exclusions already test for attachments: `-has:attachment`. */
const isAttachmentTested = ({ words, exclusions }: Criteria): boolean =>
  [...words, ...exclusions]
    .flatMap(({ search }) => listLeaves(search))
    .some(({ operator, text }) => operator === "has" && /^attachment$/i.test(text));

type ParseItem<Parsed> = (item: string, findings: ItemFindings) => Parsed;

/** Adds the keys and searches to the terms of an item. */
const toTerms =
  (
    parseItem: ParseItem<readonly string[] | undefined>,
    operator?: string,
  ): ParseItem<readonly ListTerm[]> =>
  (item, findings) => {
    // The operator of the field itself is redundant: `from:bob@x.com` in `from`.
    const start = operator === "subject" ? "^" : "(?<=^|[({]|\\bOR )";
    const own = operator && item.includes(":") && `${start}${operator}:\\s*(?=\\S)`;
    const value = own ? item.replace(new RegExp(own, "gi"), "") : item;
    if (value !== item) findings.add("read-as", { term: value });
    return (parseItem(value, findings) ?? []).map((text) => ({
      text,
      key: text.toLowerCase(),
      search: parseListTerm(text, operator),
    }));
  };

export const toTexts = (terms: readonly ListTerm[]): readonly string[] =>
  terms.map(({ text }) => text);

/**
 * Parses the items of a list and skips duplicate terms. Reports one finding for each item: the first issue,
 * else the first warning, else the first info, or that it became several items. Infos with the same code
 * become one.
 */
function parseListField<Term extends ListTerm>(
  filter: FilterInput,
  field: "from" | "to" | "subject" | "has_words" | "does_not_have",
  findings: FilterFindings,
  parseItem: ParseItem<readonly Term[]>,
): readonly Term[] {
  const terms = new Map<string, Term>();
  const { [field]: items = [] } = filter;
  const { problems, warnings } = findings;
  const infos: typeof warnings = [];
  for (const [index, item] of items.entries()) {
    const here = findings.at(field, index);
    const [firstProblem, firstWarning] = [problems.length, warnings.length];
    const text = normaliseSearchText(item, here);
    const parsed = text === undefined ? [] : parseItem(text, here);
    for (const term of parsed) {
      if (terms.has(term.key)) here.add("read-as/once", { term: term.text });
      else terms.set(term.key, term);
      const leaves = listLeaves(term.search, field === "does_not_have");
      for (const leaf of leaves) warnAboutLeaf(leaf, here);
    }
    if (parsed.length > 1) {
      here.add("read-as/items", { count: parsed.length, terms: toTexts(parsed).join(", ") });
    }
    if (problems.length === firstProblem && warnings.length === firstWarning) continue;
    problems.splice(firstProblem + 1);
    const found = warnings.splice(firstWarning);
    const worst =
      found.find(({ severity }) => severity === "warning") ?? found.at(parsed.length > 1 ? -1 : 0);
    if (worst && problems.length === firstProblem) {
      (worst.severity === "info" ? infos : warnings).push(worst);
    }
  }
  if (infos.length === 0) return [...terms.values()];
  for (const [first, ...others] of groupBy(infos, ({ code }) => code).values()) {
    if (first) warnings.push(others.length === 0 ? first : toListFinding(first, others.length));
  }
  return [...terms.values()];
}

/** Turns an info about an item into one about its list. */
const toListFinding = (
  { path, message, ...info }: FilterFindings["warnings"][number],
  more: number,
) => ({
  ...info,
  path: path.slice(0, -1),
  message: `${message} (likewise for ${formatCount(more, "more item")})`,
});

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

/** A size for both the file and the search, so that the two cannot differ. */
export interface Size {
  /** As in the input. */
  readonly megabytes: number;
  readonly value: number;
  readonly unit: "MB" | "bytes";
}

function readSizes(
  filter: FilterInput,
  findings: FilterFindings,
): Pick<Criteria, "larger" | "smaller"> {
  const readSize = (field: "larger_than_mb" | "smaller_than_mb") => {
    const megabytes = filter[field];
    if (megabytes === undefined) return undefined;
    if (megabytes * BYTES_PER_MB < 1) findings.at(field).add("below-a-byte");
    return toSize(megabytes);
  };
  const [larger, smaller] = [readSize("larger_than_mb"), readSize("smaller_than_mb")];
  if (larger && smaller && toBytes(larger) >= toBytes(smaller)) {
    findings.at("larger_than_mb").add("above-smaller");
  }
  if (larger && exceedsMaxMessageSize(toBytes(larger))) {
    findings.at("larger_than_mb").add("larger-than-any-message", { written: "" });
  }
  return { ...(larger && { larger }), ...(smaller && { smaller }) };
}

/** Rounds to bytes, or keeps whole megabytes. */
function toSize(megabytes: number): Size {
  const bytes = Math.round(megabytes * BYTES_PER_MB);
  return bytes % BYTES_PER_MB === 0
    ? { megabytes, value: bytes / BYTES_PER_MB, unit: "MB" }
    : { megabytes, value: bytes, unit: "bytes" };
}

export const toBytes = ({ value, unit }: Size): number =>
  unit === "MB" ? value * BYTES_PER_MB : value;

/** Formats the value of `larger:` or `smaller:`, `5M` or `1572864`. */
export const formatSize = ({ value, unit }: Size): string =>
  unit === "MB" ? `${value}M` : String(value);

/**
 * Parses an item of `does_not_have`: a word, a phrase, or an operator with its value. An item with
 * alternatives becomes several terms, because any one of them excludes a message.
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
 * Whether a value is more than words: it has a comma, AND, a minus, an operator, or is in brackets.
 * `Sent from: iPhone` and `Dear {name}` are only words.
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
          ({ isNegated, operator, isExact, hasSpaceAfterColon }) =>
            isNegated || isExact || (operator && !hasSpaceAfterColon),
        ),
    )
  );
}

function operatorTerm(
  operator: string,
  originalText: string,
  findings: ItemFindings,
): string | undefined {
  const value = originalText.trim();
  if (!isSearchable(value)) return findings.add("no-value", { operator });
  if (isReservedValue(value)) return findings.add("reserved-value", { operator, value });
  const normalValue = readValue(operator, value);
  if (normalValue === undefined) {
    // Searched as plain text, because without the exclusion the filter would match more.
    findings.add("exclusion-is-text");
    return quoteIfNeeded(`${operator}:${originalText}`, findings);
  }
  const term = `${operator}:${normalValue}`;
  if (normalValue !== originalText) findings.add("read-as", { term });
  return term;
}

function readValue(operator: string, value: string): string | undefined {
  if (/^"[^"]*"$/.test(value)) return value;
  if (/^(?:around|not)$/i.test(value)) return `"${value}"`;
  if (/^(?:\+?[a-z]|[0-9@])[\wé.@+/-]*$/i.test(toAsciiPattern(value))) return value;
  const address =
    operatorKind(operator) === "address" || value.includes("@") ? readAddress(value) : undefined;
  return address && !isNegated(address) ? addressTerm(address) : undefined;
}
