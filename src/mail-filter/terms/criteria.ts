import type { FilterInput } from "../../../schemas/mail-filter.ts";
import {
  type FilterFindings,
  filterFindings,
  type ItemFindings,
  sameForMore,
  withoutInfos,
} from "../findings.ts";
import {
  BYTES_PER_MB,
  findUnknownOperator,
  isAboveAnyMail,
  isReservedValue,
  operatorKind,
  readOperator,
} from "../gmail.ts";
import {
  addressTerm,
  findCutAddress,
  findSignedAddress,
  isNegated,
  readAddress,
  readAddresses,
  recipientTerms,
  senderTerms,
} from "./address.ts";
import {
  allGroups,
  isSearchable,
  normaliseSearchText,
  parseExpression,
  splitAlternatives,
  straightenOperators,
  straightenQuotes,
  toAsciiPattern,
} from "./read.ts";
import { listLeaves, not, parseListTerm } from "./search.ts";
import {
  type ListTerm,
  literal,
  plainTerm,
  subjectTerm,
  textTerm,
  type WordsTerm,
  warnAboutValue,
  wordsTerm,
} from "./words.ts";

/** The conditions of a filter in Gmail's search syntax, item by item. */
export interface Criteria extends SizeRange {
  /** Any of them. */
  readonly from: readonly ListTerm[];
  /** Any of them. */
  readonly to: readonly ListTerm[];
  /** Any of them. */
  readonly subject: readonly ListTerm[];
  /** All of them. */
  readonly words: readonly WordsTerm[];
  /** None of them. */
  readonly exclusions: readonly ListTerm[];
  readonly hasAttachment: boolean;
}

/** Reads a filter's conditions, and rejects those that Gmail cannot express. */
export function readCriteria(filter: FilterInput, findings: FilterFindings): Criteria {
  const read = (field: "from" | "to" | "subject" | "does_not_have", readItem: ReadItem) => {
    const operator = field === "does_not_have" ? undefined : field;
    const { [field]: items = [] } = filter;
    return readList(items, findings, field, (item, here) =>
      toTerms(readItem(item, here), operator),
    );
  };
  return {
    from: read("from", senderTerms),
    to: read("to", recipientTerms),
    subject: read("subject", subjectTerm),
    words: readWords(filter, findings),
    exclusions: read("does_not_have", exclusionTerms),
    hasAttachment: filter.has_attachment === true,
    ...readSizes(filter, findings),
  };
}

/** The term or terms of an item; none when it was rejected. */
type ItemTerms = string | readonly string[] | undefined;
type ReadItem = (text: string, findings: ItemFindings) => ItemTerms;

const toTerms = (terms: ItemTerms = [], operator?: string): readonly ListTerm[] =>
  [terms].flat().map((text) => ({
    text,
    key: text.toLowerCase(),
    search: parseListTerm(text, operator),
  }));

export const toTexts = (terms: readonly ListTerm[]): readonly string[] =>
  terms.map(({ text }) => text);

/**
 * Collects the findings about the items of a list and reports at most one per item: the first
 * error, else the first warning, else the first info. Items with the same info share one.
 */
class ListFindings implements ItemFindings {
  private readonly list: FilterFindings;
  private found: Found | undefined;
  private readonly infos = new Map<string, { index: number; found: Found; more: number }>();

  constructor(list: FilterFindings) {
    this.list = list;
  }

  add: ItemFindings["add"] = (...finding) => {
    const [key] = finding;
    const { severity } = filterFindings[key];
    const rank = ["error", "warning", "info"].indexOf(severity);
    if (this.found && this.found.rank <= rank) return;
    this.found = { key, rank, isInfo: severity === "info", report: (to) => to.add(...finding) };
  };

  /** Reports the finding about an item since the last call. */
  endItem(index: number): void {
    const { found } = this;
    this.found = undefined;
    if (!found) return;
    const known = this.infos.get(found.key);
    if (!found.isInfo) found.report(this.list.at(index));
    else if (known) known.more += 1;
    else this.infos.set(found.key, { index, found, more: 0 });
  }

  endList(): void {
    const { list } = this;
    for (const { index, found, more } of this.infos.values()) {
      found.report(more === 0 ? list.at(index) : list);
      const shared = more > 0 ? list.warnings.pop() : undefined;
      if (shared) list.warnings.push({ ...shared, message: sameForMore(shared.message, more) });
    }
  }
}

interface Found {
  readonly key: string;
  readonly rank: number;
  readonly isInfo: boolean;
  readonly report: (findings: ItemFindings) => void;
}

/** Reads the items of a list one by one and leaves out terms that repeat an earlier one. */
function readList<Term extends ListTerm>(
  items: readonly string[],
  findings: FilterFindings,
  field: keyof FilterInput,
  readItem: (text: string, findings: ItemFindings) => readonly Term[],
): readonly Term[] {
  if (items.length === 0) return [];
  const terms = new Map<string, Term>();
  const found = new ListFindings(findings.at(field));
  for (const [index, item] of items.entries()) {
    const text = normaliseSearchText(item, found);
    for (const term of text === undefined ? [] : readItem(text, found)) {
      if (terms.has(term.key)) found.add("read-as/once", { term: term.text });
      else terms.set(term.key, term);
    }
    found.endItem(index);
  }
  found.endList();
  return [...terms.values()];
}

/** Reads the `has_words` of a filter, with warnings about its items taken together. */
function readWords(filter: FilterInput, findings: FilterFindings): readonly WordsTerm[] {
  const terms = readList(filter.has_words ?? [], findings, "has_words", (text, here) => {
    const term = wordsTerm(text, here);
    return term ? [term] : [];
  });
  const [first, second] = terms.filter(({ isExpression }) => !isExpression);
  if (first && second) {
    findings.at("has_words").add("all-words-required", { one: first.text, other: second.text });
  }
  const sized = filter.larger_than_mb !== undefined || filter.smaller_than_mb !== undefined;
  if (sized && terms.some(asksForSize)) findings.at("has_words").add("size-twice");
  return terms;
}

const asksForSize = ({ search }: WordsTerm): boolean =>
  listLeaves(search).some(({ operator }) => operatorKind(operator) === "size");

/** A size as both the filter and the search write it, so that the two cannot differ. */
export interface Size {
  /** The size in the filter. */
  readonly megabytes: number;
  readonly value: number;
  readonly unit: "MB" | "bytes";
}

interface SizeRange {
  readonly larger?: Size;
  readonly smaller?: Size;
}

function readSizes(filter: FilterInput, findings: FilterFindings): SizeRange {
  const read = (field: "larger_than_mb" | "smaller_than_mb") => {
    const megabytes = filter[field];
    if (megabytes === undefined) return undefined;
    if (megabytes * BYTES_PER_MB < 1) findings.at(field).add("below-a-byte");
    return toSize(megabytes);
  };
  const [larger, smaller] = [read("larger_than_mb"), read("smaller_than_mb")];
  if (larger && smaller && inBytes(larger) >= inBytes(smaller)) {
    findings.at("larger_than_mb").add("above-smaller");
  }
  if (larger && isAboveAnyMail(inBytes(larger))) {
    findings.at("larger_than_mb").add("larger-than-any-mail", {});
  }
  return { ...(larger && { larger }), ...(smaller && { smaller }) };
}

/** Whole megabytes keep Gmail's unit; others become whole bytes, rounded. */
const toSize = (megabytes: number): Size =>
  Number.isInteger(megabytes)
    ? { megabytes, value: megabytes, unit: "MB" }
    : { megabytes, value: Math.round(megabytes * BYTES_PER_MB), unit: "bytes" };

export const inBytes = ({ value, unit }: Size): number =>
  unit === "MB" ? value * BYTES_PER_MB : value;

/** `5M` or `1572864`, after `larger:` or `smaller:`. */
export const searchSize = ({ value, unit }: Size): string =>
  unit === "MB" ? `${value}M` : String(value);

/**
 * The search terms of one normalised item of `does_not_have`: a word, a phrase, or one bare
 * operator with its value; several where the item holds alternatives, since any one of them keeps
 * a mail out.
 *
 * @returns nothing when it was rejected.
 */
function exclusionTerms(item: string, findings: ItemFindings): readonly string[] {
  const plain = plainTerm(item);
  if (plain !== undefined) return [plain];
  const text = straightenOperators(straightenQuotes(item, findings), findings);
  const alternatives = splitAlternatives(text).flatMap(separateAddresses);
  if (alternatives.length === 1) return exclusionTerm(text, findings);

  const terms = alternatives.flatMap((part) => exclusionTerm(part, withoutInfos(findings)));
  findings.add("read-as/items", { terms });
  return terms;
}

/** `from:a@x.com,b@x.com` as one text for each address. */
function separateAddresses(text: string): readonly string[] {
  const operator = readOperator(text);
  if (operator === undefined || operatorKind(operator) !== "address") return [text];
  const list = text.slice(operator.length + 1);
  if (findSignedAddress(list) ?? findCutAddress(list)) return [text];
  const addresses = readAddresses(list);
  return addresses.length > 1 ? addresses.map((address) => `${operator}:${address}`) : [text];
}

/** @returns nothing when it was rejected. */
function exclusionTerm(text: string, findings: ItemFindings): readonly string[] {
  if (/^[-!]/.test(text)) {
    findings.add("signed-exclusion", { sign: text.charAt(0) });
    return [];
  }
  const operator = readOperator(text);
  const isOfAddresses = operator !== undefined && operatorKind(operator) === "address";
  const value = isOfAddresses ? text.slice(operator.length + 1) : text;
  const signed = findSignedAddress(value);
  if (signed !== undefined) {
    findings.add("signed-exclusion/address", { written: signed });
    return [];
  }
  const lost = isOfAddresses ? findCutAddress(value) : undefined;
  if (lost !== undefined) {
    findings.add("lost-plus", { address: lost });
    return [];
  }
  const term =
    operator === undefined
      ? textExclusion(text, findings)
      : operatorTerm(operator, text.slice(operator.length + 1), findings);
  return term === undefined ? [] : [term];
}

function textExclusion(text: string, findings: ItemFindings): string | undefined {
  const unknown = findUnknownOperator(text);
  if (unknown !== undefined) {
    findings.add("unknown-operator/excluded", { word: unknown });
  } else if (/^[^"]*\w,\s*\w[^"]*$/.test(toAsciiPattern(text))) {
    findings.add("comma-in-exclusion");
  } else if (isSearch(text)) {
    findings.add("exclusion-is-text");
    return literal(text, findings);
  }
  return textTerm(text, findings);
}

/**
 * True for a text that is more than words: it has AND, a minus, an operator, or brackets around it or
 * after a plus. `Sent from: iPhone` and `Dear {name}` are mere texts.
 */
function isSearch(text: string): boolean {
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
  if (!isSearchable(value)) {
    findings.add("no-value", { operator });
    return undefined;
  }
  if (isReservedValue(value)) {
    findings.add("reserved-value", { operator, value });
    return undefined;
  }
  const read = readValue(operator, value);
  if (read === undefined) return asText(operator, written, findings);

  const term = `${operator}:${read}`;
  if (read !== written) findings.add("read-as", { term });
  for (const leaf of listLeaves(not(parseListTerm(term)))) warnAboutValue(leaf, findings);
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

/** Keeps the item as a text, since to drop an exclusion would let more mail in. */
function asText(operator: string, value: string, findings: ItemFindings): string | undefined {
  findings.add("exclusion-is-text/value", { operator, hasStar: value.includes("*") });
  return literal(`${operator}:${value}`, findings);
}
