import type { Findings, Path } from "../../issues.ts";
import { isJudgedAtDelivery, operatorOf, remarkOnState } from "../gmail.ts";
import { addressTerm, isNegated, readAddress } from "./address.ts";
import { isSearchable, shapeOf, straightenQuotes } from "./normalise.ts";
import { literal, textTerm } from "./text.ts";

/** What an item may ask for besides words, because "not from my boss" is the commonest exclusion. */
const EXCLUDABLE = [
  ...["from", "to", "cc", "subject", "list", "filename", "has", "deliveredto", "category"],
];

/**
 * The search term of one normalised item of `does_not_have`: a word, a phrase, or one bare
 * operator with its value.
 *
 * @returns undefined when it had to be refused.
 */
export function exclusionTerm(item: string, path: Path, findings: Findings): string | undefined {
  if (/^[-!]/.test(item)) {
    findings.refuse(
      path,
      `must not start with ${item.charAt(0)}: it is excluded as it is, and twice would include it`,
    );
    return undefined;
  }
  const text = straightenQuotes(item, path, findings);
  const operator = operatorOf(text);
  return operator === undefined
    ? textTerm(text, path, findings)
    : operatorTerm(operator, text.slice(operator.length + 1), path, findings);
}

function operatorTerm(
  operator: string,
  written: string,
  path: Path,
  findings: Findings,
): string | undefined {
  const value = written.trim();
  if (!isSearchable(value)) {
    findings.refuse(path, `has ${operator}: without a value`);
    return undefined;
  }
  const read = EXCLUDABLE.includes(operator.toLowerCase()) ? readValue(value) : undefined;
  if (read === undefined) return asText(operator, written, path, findings);

  const term = `${operator}:${read}`;
  if (value !== written) {
    findings.info("space-after-operator", path, `read as ${term}`);
  } else if (read !== value) {
    findings.info("address-taken", path, `read as ${term}`);
  }
  remarkOnState({ operator, value, excluded: true }, path, findings);
  return term;
}

/** A phrase, a word or an address, as it can stand after an operator. */
function readValue(value: string): string | undefined {
  if (/^"[^"]*"$/.test(value)) return value;
  if (/^[a-z0-9@][\wé.@+-]*$/i.test(shapeOf(value))) return value;
  const address = readAddress(value);
  return address && !isNegated(address) ? addressTerm(address) : undefined;
}

/** Kept as a text, since an exclusion that was dropped would let more mail in. */
function asText(operator: string, value: string, path: Path, findings: Findings) {
  findings.warn(
    "exclusion-is-text",
    path,
    `is searched as text and keeps no mail out by ${operator}:; ${advice(operator, value)}`,
  );
  return literal(`${operator}:${value}`, path, findings);
}

function advice(operator: string, value: string): string {
  if (isJudgedAtDelivery({ operator, value, excluded: true })) {
    return `what ${operator}: asks for is not known of a mail that arrives`;
  }
  if (!EXCLUDABLE.includes(operator.toLowerCase())) return `write -${operator}:… in has_words`;
  return value.includes("*")
    ? "Gmail has no wildcards: leave the * out"
    : `write one item for each value, as in ${operator}:"a b"`;
}
