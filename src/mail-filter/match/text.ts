/** The answer for a filter and a mail; unknown where no source says how Gmail decides. */
export type Verdict = "yes" | "no" | "unknown";

/**
 * A text that can be searched for words, as Gmail does: case and width make no difference, and a word
 * is a run of letters, digits, `_` and `&` (Gmail's help 7190; sensefulsolutions.com 2010/07).
 */
export class SearchableText {
  readonly text: string;
  readonly loose: string;
  /** The answer for a word that is not in the text: unknown where a replacement character may hide it. */
  readonly absent: "no" | "unknown";

  constructor(text: string) {
    this.text = foldCase(text);
    this.loose = foldLoosely(this.text);
    this.absent = isUncertain(text) ? "unknown" : "no";
  }

  /**
   * Looks for the words in the text, one after the other. What no source settles is unknown: a part of
   * a word in a script without spaces, and words that are the same only after `foldLoosely`.
   */
  find({ words, loose }: Phrase): Verdict {
    // Most texts do not have most words.
    if (!this.loose.includes(loose[0] ?? "")) return this.absent;
    if (contains(this.text, words, isBoundary)) {
      // In a text that could not be read for certain, only ASCII is sure.
      return this.absent === "no" || words.every(isAscii) ? "yes" : "unknown";
    }
    return contains(this.loose, loose, isLooseBoundary) ? "unknown" : this.absent;
  }

  /** Looks for one word outside quotes, where Gmail may accept other forms of it too. */
  findForms(word: Phrase): Verdict {
    const verdict = this.find(word);
    return verdict === "no" && hasOtherForm(this.text, word.words[0] ?? "") ? "unknown" : verdict;
  }
}

/** Words, one after the other, without case. */
export interface Phrase {
  readonly words: readonly string[];
  readonly loose: readonly string[];
}

export const toPhrase = (words: readonly string[]): Phrase => ({
  words,
  loose: words.flatMap((word) => foldLoosely(word).split(" ").filter(Boolean)),
});

/** Removes case, width and invisible characters. */
export const foldCase = (text: string): string =>
  isAscii(text) ? text.toLowerCase() : text.normalize("NFKC").replace(INVISIBLE, "").toLowerCase();

const isAscii = (text: string): boolean => !/[\u0080-\uffff]/.test(text);

/** Characters beyond ASCII that show nothing, not even white space. */
const INVISIBLE = /[\u0080-\u0084\u0086-\u009f\p{Default_Ignorable_Code_Point}]/gu;

/** True for a text with a replacement character, which marks what could not be read for certain. */
export const isUncertain = (text: string): boolean => text.includes("\ufffd");

/**
 * Removes the differences that Gmail may or may not see, since no source says so: accents, the dot of
 * the Turkish i, other forms of Latin letters, the tatweel that stretches Arabic words, a line
 * break within a word of a script without spaces, and `&`, a letter to some and a sign to others, as a
 * replacement character may be.
 */
function foldLoosely(text: string): string {
  const apart = /[&\ufffd]/.test(text) ? text.replace(/[&\ufffd]/g, " ") : text;
  if (isAscii(apart)) return apart;
  return apart
    .normalize("NFD")
    .replace(/[\p{Mn}\u0640]/gu, "")
    .replace(/[ıłøđæœßþ]/g, (letter) => LATIN[letter] ?? letter)
    .replace(BLANKS, (blanks) => (blanks.includes("\n") ? "" : blanks));
}

const LATIN: Readonly<Record<string, string>> = {
  ...{ ı: "i", ł: "l", ø: "o", đ: "d", æ: "ae", œ: "oe", ß: "ss", þ: "th" },
};

export const splitWords = (text: string): readonly string[] => foldCase(text).match(WORDS) ?? [];

const WORDS = /[\p{L}\p{N}\p{M}_&]+/gu;

/** True for an offset in a text where a word may end and the next one begin. */
type Boundary = (text: string, at: number) => boolean;

function contains(text: string, words: readonly string[], boundary: Boundary): boolean {
  const [first = ""] = words;
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    if (boundary(text, at) && goesOn(text, at + first.length, words, boundary)) return true;
  }
  return false;
}

/** True when the other words follow the first one, which ends at `start`. */
function goesOn(text: string, start: number, words: readonly string[], boundary: Boundary) {
  let at = start;
  if (!boundary(text, at)) return false;
  for (let index = 1; index < words.length; index += 1) {
    while (at < text.length && !isWordAt(text, at)) at += 1;
    const word = words[index] ?? "";
    if (!text.startsWith(word, at)) return false;
    at += word.length;
    if (!boundary(text, at)) return false;
  }
  return true;
}

const isBoundary: Boundary = (text, at) =>
  at === 0 || at >= text.length || !isWordAt(text, at) || !isWordAt(text, at - 1);

/** In a script without spaces a word may begin and end anywhere. */
const isLooseBoundary: Boundary = (text, at) =>
  isBoundary(text, at) || WITHOUT_SPACES.test(characterAt(text, at - 1) + characterAt(text, at));

/** Scripts without spaces, and Korean, whose words have particles after them. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}]/u;

/** Blanks between letters of these scripts. */
const BLANKS = new RegExp(`(?<=${WITHOUT_SPACES.source})\\s+(?=${WITHOUT_SPACES.source})`, "gu");

function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128
    ? IS_ASCII_WORD[code] === 1
    : /[\p{L}\p{N}\p{M}\ufffd]/u.test(characterAt(text, at));
}

const IS_ASCII_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w&]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** The whole character at an offset, even when that is its second half. */
function characterAt(text: string, at: number): string {
  const isSecondHalf = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return String.fromCodePoint(text.codePointAt(isSecondHalf ? at - 1 : at) ?? 0);
}

/**
 * True for a text with another form of the word, as `invoices` is of `invoice`: it has the same first
 * letters, four or more, and at most three others follow. Whether Gmail treats both as the same is not known.
 */
function hasOtherForm(text: string, word: string): boolean {
  if (!HAS_FORMS.test(word)) return false;
  const start = word.slice(0, SHARED);
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
    if (!isBoundary(text, at)) continue;
    let end = at + SHARED;
    let shared = SHARED;
    while (end < text.length && isWordAt(text, end)) {
      if (shared === end - at && text[end] === word[shared]) shared += 1;
      end += 1;
    }
    if (end - at - shared <= DIFFERENT && word.length - shared <= DIFFERENT) return true;
  }
  return false;
}

const HAS_FORMS = /^\p{L}{4}/u;
const SHARED = 4;
const DIFFERENT = 3;
