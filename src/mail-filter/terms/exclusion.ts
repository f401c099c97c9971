import { type ItemDiagnostics, withoutInfos } from "../diagnostics.ts";
import { findUnknownOperator, operatorKind, readOperator, reservedValue } from "../gmail.ts";
import {
  addressTerm,
  findLostPlusProblem,
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
export function exclusionTerms(item: string, diagnostics: ItemDiagnostics): readonly string[] {
  const plain = plainTerm(item);
  if (plain !== undefined) return [plain];
  const text = straightenOperators(straightenQuotes(item, diagnostics), diagnostics);
  const alternatives = splitAlternatives(text).flatMap(separateAddresses);
  if (alternatives.length === 1) return exclusionTerm(text, diagnostics);

  const terms = alternatives.flatMap((part) => exclusionTerm(part, withoutInfos(diagnostics)));
  diagnostics.info("several-exclusions", `read as ${terms.length} items: ${terms.join(", ")}`);
  return terms;
}

/** `from:a@x.com,b@x.com` as one text for each address. */
function separateAddresses(text: string): readonly string[] {
  const operator = readOperator(text);
  if (operator === undefined || operatorKind(operator) !== "address") return [text];
  const list = text.slice(operator.length + 1);
  if (findSignedAddress(list) ?? findLostPlusProblem(list)) return [text];
  const addresses = readAddresses(list);
  return addresses.length > 1 ? addresses.map((address) => `${operator}:${address}`) : [text];
}

/** @returns nothing when it was rejected. */
function exclusionTerm(text: string, diagnostics: ItemDiagnostics): readonly string[] {
  if (/^[-!]/.test(text)) {
    diagnostics.reject(`must not start with ${text.charAt(0)}: every item is an exclusion already`);
    return [];
  }
  const operator = readOperator(text);
  const isOfAddresses = operator !== undefined && operatorKind(operator) === "address";
  const value = isOfAddresses ? text.slice(operator.length + 1) : text;
  const lost = isOfAddresses ? findLostPlusProblem(value) : undefined;
  if (lost !== undefined) {
    diagnostics.reject(lost);
    return [];
  }
  const signed = findSignedAddress(value);
  if (signed !== undefined) {
    diagnostics.reject(
      `must not have ${signed.charAt(0)} before an address, as in ${signed}: every item is an exclusion already`,
    );
    return [];
  }
  const term =
    operator === undefined
      ? textExclusion(text, diagnostics)
      : operatorTerm(operator, text.slice(operator.length + 1), diagnostics);
  return term === undefined ? [] : [term];
}

function textExclusion(text: string, diagnostics: ItemDiagnostics): string | undefined {
  const unknown = findUnknownOperator(text);
  if (unknown !== undefined) {
    diagnostics.warn(
      "unknown-operator",
      `${unknown}: is not a Gmail operator; the item is read as text and excludes nothing by ${unknown}:`,
    );
  } else if (/^[^"]*\w,\s*\w[^"]*$/.test(toAsciiPattern(text))) {
    diagnostics.warn(
      "comma-in-exclusion",
      "keeps out only mail with the whole phrase; write one item for each part to exclude them all",
    );
  } else if (isSearch(text)) {
    diagnostics.warn(
      "exclusion-is-text",
      "is read as text and keeps out only mail with exactly this text; for a search use `has_words`, as in -(a b)",
    );
    return literal(text, diagnostics);
  }
  return textTerm(text, diagnostics);
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
  diagnostics: ItemDiagnostics,
): string | undefined {
  const value = written.trim();
  if (!isSearchable(value)) {
    diagnostics.reject(`has ${operator}: without a value`);
    return undefined;
  }
  const reserved = reservedValue(operator, value);
  if (reserved !== undefined) {
    diagnostics.reject(reserved);
    return undefined;
  }
  const read = readValue(operator, value);
  if (read === undefined) return asText(operator, written, diagnostics);

  const term = `${operator}:${read}`;
  if (value !== written) {
    diagnostics.info("space-after-operator", `read as ${term}`);
  } else if (read !== value) {
    diagnostics.info("address-taken", `read as ${term}`);
  }
  for (const leaf of listLeaves(not(parseListTerm(term)))) warnAboutValue(leaf, diagnostics);
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
function asText(operator: string, value: string, diagnostics: ItemDiagnostics): string | undefined {
  const advice = value.includes("*")
    ? "Gmail has no wildcards: leave the * out"
    : `write one item for each value, as in ${operator}:"a b"`;
  diagnostics.warn(
    "exclusion-is-text",
    `is read as text and excludes nothing by ${operator}:; ${advice}`,
  );
  return literal(`${operator}:${value}`, diagnostics);
}
