import { withoutStar } from "../gmail.ts";
import type { SearchLeaf } from "../terms/search.ts";
import {
  type AddressField,
  canonicalAddress,
  type Field,
  findTag,
  isAddressField,
  isGmail,
  type SearchableMail,
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
  /** True when Gmail accepts no other form of the word: in quotes, after a plus (help 7190). */
  readonly isExact: boolean;
}

/** Reads a word, or a phrase in quotes, of a search. */
export function toWantedWord({ text, quoted, exact }: SearchLeaf): WantedWord {
  const bare = withoutStar(foldCase(text).trim());
  const address = /^[^\s@*]*[\p{L}\p{N}_&][^\s@*]*@[^\s@*]+$/u.test(bare) ? bare : undefined;
  const words = splitWords(bare);
  const phrase = toPhrase(words);
  const domain = /^@[^\s@]+$/.test(bare) ? phrase : undefined;
  const isExact = quoted || exact || /^[+@]/.test(bare) || words.length > 1;
  return {
    text,
    quoted,
    address,
    canonical: address && canonicalAddress(address),
    domain,
    phrase,
    isExact,
  };
}

/** Gmail reads these signs as a space, others as the inside of a phrase (sensefulsolutions.com). */
const LIKE_A_SPACE = /[~#$%^*+;",<>?`]/;

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
  const text = mail.text(field);
  if (!text) return undefined;
  const { domain, address } = wanted;
  if (!isAddressField(field)) return findInText(text, wanted);
  if (domain) return findDomain(text, mail.mailboxes(field).domains, domain, wanted);
  return address === undefined
    ? findInText(text, wanted)
    : findAddress(mail, field, address, wanted, own);
}

function findInText(searched: SearchableText, wanted: WantedWord): Verdict {
  const { text, quoted, address, phrase, isExact } = wanted;
  const verdict = isExact ? searched.find(phrase) : searched.findForms(phrase);
  if (address !== undefined) {
    return verdict !== "yes" || hasAddress(searched.text, address) ? verdict : "unknown";
  }
  if (verdict === "yes" || quoted || !LIKE_A_SPACE.test(text)) return verdict;
  // It is not known if the words must be adjacent, nor if a plus means OR.
  const found = phrase.words.filter((word) => searched.find(toPhrase([word])) !== "no");
  const isEnough = text.includes("+") ? found.length > 0 : found.length === phrase.words.length;
  return isEnough ? "unknown" : verdict;
}

/** True for a text with the whole address, and not as a part of a longer one. */
function hasAddress(text: string, address: string): boolean {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
    const [before, after] = [text.slice(Math.max(0, at - 1), at), text.slice(at + address.length)];
    if (!/[\w.+&'=-]$/.test(before) && !/^(?:[\w&@-]|\.\w)/.test(after.slice(0, 2))) return true;
  }
  return false;
}

/** Looks for an address in a header. */
function findAddress(
  mail: SearchableMail,
  field: AddressField,
  address: string,
  { canonical = "", phrase }: WantedWord,
  own: ReadonlySet<string> | undefined,
): Verdict {
  const { addresses, names, ...found } = mail.mailboxes(field);
  if (addresses.includes(address)) return "yes";
  const named = names.find(phrase);
  if (named === "yes" || !found.canonical.includes(canonical)) return named;
  const tag = findTag(address);
  const tags = addresses.filter((other) => canonicalAddress(other) === canonical).map(findTag);
  // A filter for `me+news@…` matches that tag only. Whether Gmail ignores dots in a tag is not known.
  if (tag !== "" && !tags.some((other) => withoutDots(other) === withoutDots(tag))) return named;
  if (own && !own.has(canonical)) return named;
  return own && isGmail(canonical) && (tag === "" || tags.includes(tag)) ? "yes" : "unknown";
}

const withoutDots = (text: string): string => text.replaceAll(".", "");

/** Yes if the domain of an address ends in the words, as a subdomain does; unknown if they are elsewhere. */
function findDomain(
  header: SearchableText,
  domains: readonly string[],
  phrase: Phrase,
  { text }: WantedWord,
): Verdict {
  const found = header.find(phrase);
  if (found === "no") {
    // The header may have the ASCII form of the domain.
    const isInAscii = domains.some((domain) => domain.includes(" xn "));
    return /[^ -~]/.test(text) && isInAscii ? "unknown" : "no";
  }
  const end = ` ${phrase.words.join(" ")}`;
  return domains.some((domain) => domain.endsWith(end)) ? "yes" : "unknown";
}
