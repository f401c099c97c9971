import { type ItemFindings, withoutInfos } from "../findings.ts";
import { findUnknownOperator, isReservedValue, operatorKind, readOperator } from "../gmail.ts";
import {
  addressTerm,
  findCutAddress,
  findSignedAddress,
  isNegated,
  readAddress,
  readAddresses,
} from "./address.ts";
import { allGroups, parseExpression, splitAlternatives } from "./expression.ts";
import {
  isSearchable,
  straightenOperators,
  straightenQuotes,
  toAsciiPattern,
} from "./normalise.ts";
import { warnAboutValue } from "./operator-values.ts";
import { listLeaves, not, parseListTerm } from "./search.ts";
import { literal, plainTerm, textTerm } from "./text.ts";

/**
 * The search terms of one normalised item of `does_not_have`: a word, a phrase, or one bare
 * operator with its value; several where the item holds alternatives, since any one of them keeps
 * a mail out.
 *
 * @returns nothing when it was rejected.
 */
export function exclusionTerms(item: string, findings: ItemFindings): readonly string[] {
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
  const lost = isOfAddresses ? findCutAddress(value) : undefined;
  if (lost !== undefined) {
    findings.add("lost-plus", { address: lost });
    return [];
  }
  const signed = findSignedAddress(value);
  if (signed !== undefined) {
    findings.add("signed-exclusion/address", { written: signed });
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
