import type { FilterDiagnostics } from "../diagnostics.ts";
import { isStateCondition, operatorOf, warnAboutState } from "../gmail.ts";
import { addressTerm, isNegated, readAddress } from "./address.ts";
import { asciiShape, isSearchable, straightenQuotes } from "./normalise.ts";
import { literal, textTerm } from "./text.ts";

/**
 * The search term of one normalised item of `does_not_have`: a word, a phrase, or one bare
 * operator with its value.
 *
 * @returns undefined when it had to be refused.
 */
export function exclusionTerm(item: string, diagnostics: FilterDiagnostics): string | undefined {
  if (/^[-!]/.test(item)) {
    diagnostics.refuse(
      `must not start with ${item.charAt(0)}: it is excluded as it is, and twice would include it`,
    );
    return undefined;
  }
  const text = straightenQuotes(item, diagnostics);
  const operator = operatorOf(text);
  return operator === undefined
    ? textTerm(text, diagnostics)
    : operatorTerm(operator, text.slice(operator.length + 1), diagnostics);
}

function operatorTerm(
  operator: string,
  written: string,
  diagnostics: FilterDiagnostics,
): string | undefined {
  const value = written.trim();
  if (!isSearchable(value)) {
    diagnostics.refuse(`has ${operator}: without a value`);
    return undefined;
  }
  const read = EXCLUDABLE.includes(operator.toLowerCase()) ? readValue(value) : undefined;
  if (read === undefined) return asText(operator, written, diagnostics);

  const term = `${operator}:${read}`;
  if (value !== written) {
    diagnostics.info("space-after-operator", `read as ${term}`);
  } else if (read !== value) {
    diagnostics.info("address-taken", `read as ${term}`);
  }
  warnAboutState({ operator, value, excluded: true }, diagnostics);
  return term;
}

/** Operators that an item may start with: "not from my boss" is the commonest exclusion. */
const EXCLUDABLE = [
  ...["from", "to", "cc", "subject", "list", "filename", "has", "deliveredto", "category"],
];

/** A phrase, a word or an address, as it can stand after an operator. */
function readValue(value: string): string | undefined {
  if (/^"[^"]*"$/.test(value)) return value;
  if (/^[a-z0-9@][\wé.@+-]*$/i.test(asciiShape(value))) return value;
  const address = readAddress(value);
  return address && !isNegated(address) ? addressTerm(address) : undefined;
}

/** Keeps the item as a text, since to drop an exclusion would let more mail in. */
function asText(operator: string, value: string, diagnostics: FilterDiagnostics) {
  diagnostics.warn(
    "exclusion-is-text",
    `is searched as text and keeps no mail out by ${operator}:; ${advice(operator, value)}`,
  );
  return literal(`${operator}:${value}`, diagnostics);
}

function advice(operator: string, value: string): string {
  if (isStateCondition({ operator, value, excluded: true })) {
    return `what ${operator}: asks for is not known of a mail that arrives`;
  }
  if (!EXCLUDABLE.includes(operator.toLowerCase())) return `write -${operator}:… in has_words`;
  return value.includes("*")
    ? "Gmail has no wildcards: leave the * out"
    : `write one item for each value, as in ${operator}:"a b"`;
}
