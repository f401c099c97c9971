import { withoutStar } from "../gmail.ts";
import type { SearchLeaf } from "../terms/search.ts";
import {
  type AddressField,
  type AddressHeader,
  canonicalAddress,
  findTag,
  isGmail,
  type SearchableMail,
  type TextField,
} from "./mail.ts";
import {
  foldCase,
  type Phrase,
  type SearchableText,
  splitWords,
  toPhrase,
  type Verdict,
} from "./text.ts";

/** A word or phrase of a search, as Gmail looks for it. */
export interface WantedWord {
  /** As it was written. */
  readonly text: string;
  readonly quoted: boolean;
  /** An address with something on both sides of its @, which must be whole (sensefulsolutions.com). */
  readonly address?: string | undefined;
  /** The form of the address that `canonicalAddress` gives. */
  readonly canonical?: string | undefined;
  /** The words after the @ of `@x.com`. */
  readonly domain?: Phrase | undefined;
  readonly phrase: Phrase;
  /** The phrase, cut at the signs that Gmail may read as a space. */
  readonly pieces: readonly Phrase[];
  /** True when Gmail accepts no other form of the word: in quotes, after a plus (help 7190). */
  readonly isExact: boolean;
}

/** Reads a word, or a phrase in quotes, of a search. */
export function toWantedWord({ text, quoted, exact }: SearchLeaf): WantedWord {
  const bare = withoutStar(foldCase(text).trim());
  const address = /^[^\s@*]*[\p{L}\p{N}_&][^\s@*]*@[^\s@*]+$/u.test(bare) ? bare : undefined;
  const words = splitWords(bare);
  const phrase = toPhrase(words);
  const pieces = quoted || address !== undefined ? [phrase] : splitPieces(bare);
  const domain = /^@[^\s@]+$/.test(bare) ? phrase : undefined;
  const isExact = quoted || exact || /^[+@]/.test(bare) || words.length > 1;
  return {
    text,
    quoted,
    address,
    canonical: address && canonicalAddress(address),
    domain,
    phrase,
    pieces: pieces.length > 0 ? pieces : [phrase],
    isExact,
  };
}

/** Gmail reads these signs as a space, others as the inside of a phrase (sensefulsolutions.com). */
const splitPieces = (text: string): readonly Phrase[] =>
  text
    .split(/[~#$%^*+;",<>?`]+/)
    .map(splitWords)
    .filter((words) => words.length > 0)
    .map(toPhrase);

export type Field = AddressField | TextField;

/**
 * Looks for a term in a field of a mail; undefined when the mail lacks it.
 *
 * @param own the account's addresses; to Gmail several forms of each are the same.
 */
export function findIn(
  mail: SearchableMail,
  field: Field,
  wanted: WantedWord,
  own?: ReadonlySet<string>,
): Verdict | undefined {
  if (field === "subject" || field === "text" || field === "list" || field === "attachments") {
    const text = mail.text(field);
    return text && findInText(text, wanted);
  }
  const header = mail.header(field);
  return header && headerVerdict(header, wanted, own);
}

function findInText(searched: SearchableText, wanted: WantedWord): Verdict {
  const { text, address, phrase, pieces, isExact } = wanted;
  const verdict = isExact ? searched.find(phrase) : searched.findForms(phrase);
  if (address !== undefined && verdict === "yes") {
    return hasAddress(searched.text, address) ? "yes" : "unknown";
  }
  if (pieces.length < 2 || verdict === "yes") return verdict;
  // It is not known if the pieces must be adjacent, nor if a plus means OR.
  const found = pieces.filter((piece) => searched.find(piece) !== "no");
  const isEnough = text.includes("+") ? found.length > 0 : found.length === pieces.length;
  return isEnough ? "unknown" : "no";
}

/** True for a text with the whole address, and not as a part of a longer one. */
function hasAddress(text: string, address: string): boolean {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
    const [before, after] = [text.slice(Math.max(0, at - 1), at), text.slice(at + address.length)];
    if (!/[\w.+&'=-]$/.test(before) && !/^(?:[\w&@-]|\.\w)/.test(after.slice(0, 2))) return true;
  }
  return false;
}

/** Looks for a term in a header. */
export function headerVerdict(
  header: AddressHeader,
  wanted: WantedWord,
  own?: ReadonlySet<string>,
): Verdict {
  const { address, canonical = "", domain, phrase } = wanted;
  if (domain) return domainVerdict(header, domain, wanted.text);
  if (address === undefined) return findInText(header.all, wanted);
  const { addresses, names } = header.parsed;
  if (addresses.includes(address)) return "yes";
  const named = names.find(phrase);
  if (named === "yes" || !header.parsed.canonical.includes(canonical)) return named;
  const tag = findTag(address);
  const tags = addresses.filter((found) => canonicalAddress(found) === canonical).map(findTag);
  // A filter for `me+news@…` matches that tag only. Whether Gmail ignores dots in a tag is not known.
  if (tag !== "" && !tags.some((found) => withoutDots(found) === withoutDots(tag))) return named;
  if (own && !own.has(canonical)) return named;
  return own && isGmail(canonical) && (tag === "" || tags.includes(tag)) ? "yes" : "unknown";
}

const withoutDots = (text: string): string => text.replaceAll(".", "");

/** Yes if the domain of an address ends in the words, as a subdomain does; unknown if they are elsewhere. */
function domainVerdict(header: AddressHeader, phrase: Phrase, written: string): Verdict {
  const found = header.all.find(phrase);
  if (found === "no") {
    // The header may have the ASCII form of the domain.
    return /[^ -~]/.test(written) && header.parsed.hasAsciiForm ? "unknown" : "no";
  }
  const end = ` ${phrase.words.join(" ")}`;
  return header.parsed.domains.some((domain) => domain.endsWith(end)) ? "yes" : "unknown";
}
