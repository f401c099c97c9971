import { INVISIBLE } from "../../../schemas/invisible.ts";
/** Whether a filter matches a message; unknown if no source says how Gmail decides. */
export type Verdict = "yes" | "no" | "unknown";

/**
 * A text that can be searched for words, as Gmail does: case and width make no difference, and a word
 * is a run of letters, digits, `_` and `&` (Gmail's help 7190; sensefulsolutions.com 2010/07).
 */
export class SearchableText {
  /** The text without case. */
  readonly text: string;
  /** The answer for a word that is not in the text: unknown where a replacement character may hide it. */
  readonly absent: "no" | "unknown";
  private readonly words: string;
  private readonly loose: string;

  constructor(text: string) {
    const isUnsure = isUncertain(text);
    this.text = foldCase(text);
    this.absent = isUnsure ? "unknown" : "no";
    this.words = spacedWords(this.text);
    this.loose = foldLoosely(this.words);
  }

  /** Looks for the words in the text, one after the other. What no source settles is unknown. */
  find({ words, loose, otherForm }: Phrase): Verdict {
    // In a text that could not be read for certain, only ASCII is sure.
    if (this.words.includes(words)) {
      return this.absent === "no" || isAscii(words) ? "yes" : "unknown";
    }
    const isSimilar = this.loose.includes(loose) || otherForm?.test(this.words);
    return isSimilar ? "unknown" : this.absent;
  }
}

/** Words that follow each other, each with a space before and after it. */
export interface Phrase {
  readonly words: string;
  /** The words after `foldLoosely`. */
  readonly loose: string;
  /** Finds what may be another form of the word. Whether Gmail takes both for the same is not known. */
  readonly otherForm?: RegExp | undefined;
}

/** @param isExact true where Gmail accepts no other form of a word. */
export function toPhrase(text: string, isExact: boolean): Phrase {
  const words = spacedWords(foldCase(text));
  return {
    words,
    loose: foldLoosely(words),
    otherForm: isExact ? undefined : otherForm(words.trim()),
  };
}

/**
 * A pattern for other forms of a word. A Latin one has the same start, as `invoices` has of `invoice`:
 * four letters or all but three, and at most three more letters than the word. In other scripts forms
 * have little in common (счёт, счета; فاتورة, فواتير), so any word may be one. Where the script
 * has no spaces, two letters are enough.
 */
function otherForm(word: string): RegExp | undefined {
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
  isAscii(text) ? text.toLowerCase() : text.normalize("NFKC").replace(INVISIBLE, "").toLowerCase();

export const isAscii = (text: string): boolean => !/[\u0080-\uffff]/.test(text);

/** True for a text with a replacement character, which marks what could not be read for certain. */
export const isUncertain = (text: string): boolean => text.includes("\ufffd");

/** The words of a text without case, with a space before, between and after them. */
export const spacedWords = (text: string): string =>
  ` ${text} `.replace(isAscii(text) ? /[^\w&]+/g : /[^\p{L}\p{N}\p{M}_&\ufffd]+/gu, " ");

/**
 * Removes the differences that Gmail may or may not see, since no source says so: accents, the dot of
 * the Turkish i, other forms of Latin letters, the tatweel that stretches Arabic words, where the words
 * of a script without spaces begin and end, and `&`, a letter to some and a sign to others, as a
 * replacement character may be.
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

/** Letters of scripts without spaces, and of Korean, whose words have particles after them. */
const UNSPACED = scripts("Han Hiragana Katakana Thai Lao Khmer Myanmar Hangul");
const WITHOUT_SPACES = new RegExp(`[${UNSPACED}]`, "gu");
const UNSPACED_START = new RegExp(`^[${UNSPACED}]`, "u");

/** A letter of a script that has spaces and is not Latin. */
const INFLECTED = new RegExp(`(?![${scripts("Latin Common Inherited")}${UNSPACED}])\\p{L}`, "u");
