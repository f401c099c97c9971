import { INVISIBLE_CHARACTER } from "../../../schemas/invisible.ts";

/** Whether a filter matches a message. `unknown` if no source documents what Gmail does. */
export type Verdict = "yes" | "no" | "unknown";

/**
 * Searches a string for words as Gmail does: it ignores case and width, and a word consists of letters,
 * digits, `_` and `&` (Gmail's help 7190; sensefulsolutions.com 2010/07).
 */
export class SearchableText {
  readonly text: string;
  /** The result for a missing word: unknown if a replacement character may hide it. */
  readonly absent: "no" | "unknown";
  private readonly words: string;
  private readonly loose: string;

  constructor(text: string) {
    this.text = foldCase(text);
    this.absent = isUncertain(text) ? "unknown" : "no";
    this.words = spacedWords(this.text);
    this.loose = foldLoosely(this.words);
  }

  /** Finds adjacent words. */
  find({ words, loose, otherForm }: Phrase): Verdict {
    // If the string may be decoded wrongly, only ASCII is certain.
    if (this.words.includes(words)) {
      return this.absent === "no" || isAscii(words) ? "yes" : "unknown";
    }
    const isSimilar = this.loose.includes(loose) || otherForm?.test(this.words);
    return isSimilar ? "unknown" : this.absent;
  }
}

/** Adjacent words, with a space before and after each of them. */
export interface Phrase {
  readonly words: string;
  readonly loose: string;
  /** Matches possible other forms of the word. We do not know whether Gmail finds them. */
  readonly otherForm?: RegExp | undefined;
}

/** @param isExact whether Gmail finds no other forms of the word. */
export function toPhrase(text: string, isExact: boolean): Phrase {
  const words = spacedWords(foldCase(text));
  return {
    words,
    loose: foldLoosely(words),
    otherForm: isExact ? undefined : inflectionPattern(words.trim()),
  };
}

/**
 * Matches other forms of a word. A Latin form, such as `invoices` for `invoice`, has the same start (four
 * letters, or all but three) and at most three more letters. In other scripts forms have little in common
 * (счёт, счета; فاتورة, فواتير), so any word can be one. In scripts without spaces, two letters are enough.
 */
function inflectionPattern(word: string): RegExp | undefined {
  if (INFLECTED.test(word)) return INFLECTED;
  if (!/^\p{L}[^ ]*$/u.test(word)) return undefined;
  if (!isAscii(word) && UNSPACED_START.test(word)) {
    return new RegExp([...word].slice(0, 2).join(" *"), "u");
  }
  const start = word.slice(0, Math.max(4, word.length - 3));
  return /^\p{L}{4}/u.test(word)
    ? new RegExp(` ${start}[^ ]{0,${word.length + 3 - start.length}} `)
    : undefined;
}

/** Removes case, width and invisible characters. */
export const foldCase = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text.normalize("NFKC").replace(INVISIBLE_CHARACTER, "").toLowerCase();

export const isAscii = (text: string): boolean => !/[\u0080-\uffff]/.test(text);

/** Whether a replacement character marks a part that could not be read. */
export const isUncertain = (text: string): boolean => text.includes("\ufffd");

/** Puts a space before and after each word. */
export const spacedWords = (text: string): string =>
  ` ${text} `.replace(isAscii(text) ? /[^\w&]+/g : /[^\p{L}\p{N}\p{M}_&\ufffd]+/gu, " ");

/**
 * Removes differences that Gmail may ignore, although no source says so: accents, the dot of the Turkish
 * i, variants of Latin letters, the tatweel that stretches Arabic words, word boundaries in scripts without
 * spaces, and `&` or a replacement character, which may be a letter or a space.
 */
function foldLoosely(words: string): string {
  if (isAscii(words) && !words.includes("&")) return words;
  return words
    .normalize("NFD")
    .replace(/[\p{Mn}\u0640]/gu, "")
    .replace(/[ıłøđæœßþ]/g, (letter) => LATIN[letter] ?? letter)
    .replace(WITHOUT_SPACES, " $& ")
    .replace(/[ &\ufffd]+/g, " ");
}

const LATIN: Readonly<Record<string, string>> = {
  ...{ ı: "i", ł: "l", ø: "o", đ: "d", æ: "ae", œ: "oe", ß: "ss", þ: "th" },
};

const scripts = (names: string): string =>
  names.replace(/\w+ ?/g, (name) => `\\p{sc=${name.trim()}}`);

/** Letters of scripts without spaces, and of Korean, which appends particles to words. */
const UNSPACED_SCRIPTS = scripts("Han Hiragana Katakana Thai Lao Khmer Myanmar Hangul");
const WITHOUT_SPACES = new RegExp(`[${UNSPACED_SCRIPTS}]`, "gu");
const UNSPACED_START = new RegExp(`^[${UNSPACED_SCRIPTS}]`, "u");

/** A letter of a non-Latin script with spaces. */
const INFLECTED = new RegExp(
  `(?![${scripts("Latin Common Inherited")}${UNSPACED_SCRIPTS}])\\p{L}`,
  "u",
);
