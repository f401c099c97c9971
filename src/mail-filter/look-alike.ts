import { operatorOf } from "./operators.ts";

const OWN_ITEM = 'for "any of them" give each its own item';
const ONLY_IN_WORDS = "operators work in has_words only";

/** What in a literal text could have been meant as an operator, and what to do instead. */
export interface LookAlike {
  readonly written: string;
  readonly advice: string;
}

/** Finds the first thing in a text of any field but has_words that looks like an operator. */
export function findLookAlike(text: string): LookAlike | undefined {
  const unquoted = text.replace(/"[^"]*"|“[^“”]*”/g, "");
  const word = /(?:^|\s)(OR|AND|AROUND)(?=\s|$)/.exec(unquoted)?.[1];
  if (word) return { written: word, advice: word === "OR" ? OWN_ITEM : ONLY_IN_WORDS };
  if (unquoted.includes("|")) return { written: "|", advice: OWN_ITEM };
  if (/^[-!]/.test(unquoted)) {
    return { written: unquoted.charAt(0), advice: "to keep mail out, use does_not_have" };
  }
  if (/^\(.*\)$/.test(unquoted)) return { written: "()", advice: ONLY_IN_WORDS };
  if (/^\{.*\}$/.test(unquoted)) return { written: "{}", advice: OWN_ITEM };
  if (unquoted.includes("*")) {
    return { written: "*", advice: "Gmail has no wildcards and finds whole words only" };
  }
  const operator = operatorOf(unquoted);
  return operator ? { written: `${operator}:`, advice: ONLY_IN_WORDS } : undefined;
}
