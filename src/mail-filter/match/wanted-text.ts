import type { Text } from "../terms/expression.ts";
import { canonicalAddress } from "./address-header.ts";
import { foldAccents, foldCase, type SearchText, startOfForms, wordsIn } from "./search-text.ts";
import type { Verdict } from "./verdict.ts";

/** A word or phrase of a search, as Gmail looks for it. */
export interface Wanted {
  /** As it was written. */
  readonly text: string;
  readonly quoted: boolean;
  /** An address with something on both sides of its @, which must be whole (sensefulsolutions.com). */
  readonly address?: string | undefined;
  /** The form of the address that `canonicalAddress` gives. */
  readonly canonical?: string | undefined;
  /** The words after the @ of `@x.com`. */
  readonly domain?: readonly string[] | undefined;
  readonly words: readonly string[];
  /** Its words, cut at the signs that Gmail may read as a space. */
  readonly pieces: readonly (readonly string[])[];
  /** True when Gmail accepts no other form of the word: in quotes, after a plus (help 7190). */
  readonly isExact: boolean;
}

/** Reads a word, or a phrase in quotes, of a search. */
export function wantedText({ text, quoted }: Text): Wanted {
  const folded = foldCase(text).trim();
  const bare = folded.replace(/^\*\.?(?=[^*@\s]+\.)|^\*(?=@)/, "@").replace(/^@@/, "@");
  const address = /^[^\s@*]*[\p{L}\p{N}_&][^\s@*]*@[^\s@*]+$/u.test(bare) ? bare : undefined;
  const words = wordsIn(bare);
  const pieces = quoted || address !== undefined ? [words] : piecesOf(bare);
  return {
    text,
    quoted,
    address,
    canonical: address && canonicalAddress(address),
    domain: /^@[^\s@]+$/.test(bare) ? words : undefined,
    words,
    pieces: pieces.length > 0 ? pieces : [words],
    isExact: quoted || /^[+@]/.test(bare) || words.length > 1,
  };
}

/** A text that each mail with the words contains; undefined where no single text is enough. */
export function needleOf(wanted: Wanted): string | undefined {
  const { text, address, domain, words, pieces, isExact } = wanted;
  const [word] = words;
  if (word === undefined || address !== undefined || domain || pieces.length > 1) return undefined;
  if (text.includes("!")) return undefined;
  return foldAccents(isExact ? word : startOfForms(word));
}

/** Gmail reads these signs as a space, others as the inside of a phrase (sensefulsolutions.com). */
const piecesOf = (text: string): readonly (readonly string[])[] =>
  text
    .split(/[~#$%^*+;",<>?`]+/)
    .map(wordsIn)
    .filter((words) => words.length > 0);

export function verdictIn(search: SearchText, wanted: Wanted): Verdict {
  const { text, address, words, pieces, isExact, quoted } = wanted;
  if (!quoted && text.includes("!"))
    return words.some((word) => has(search, word)) ? "unknown" : "no";
  const [word = ""] = words;
  const verdict = isExact || words.length > 1 ? search.find(words) : search.findForms(word);
  if (address !== undefined && verdict === "yes") {
    return hasAddress(search.text, address) ? "yes" : "unknown";
  }
  if (pieces.length < 2 || verdict === "yes") return verdict;
  // It is not known if the pieces must be adjacent, nor if a plus means OR.
  const found = pieces.filter((piece) => search.find(piece) !== "no");
  const isEnough = text.includes("+") ? found.length > 0 : found.length === pieces.length;
  return isEnough ? "unknown" : "no";
}

const has = (search: SearchText, word: string): boolean => search.find([word]) !== "no";

/** True for a text with the whole address, and not as a part of a longer one. */
function hasAddress(text: string, address: string): boolean {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
    const [before, after] = [text.slice(Math.max(0, at - 1), at), text.slice(at + address.length)];
    if (!/[\w.+&'=-]$/.test(before) && !/^(?:[\w&@-]|\.\w)/.test(after.slice(0, 2))) return true;
  }
  return false;
}
