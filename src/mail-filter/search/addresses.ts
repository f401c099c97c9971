import type { ItemFindings } from "../filter-findings.ts";
import { asDomain } from "../gmail.ts";
import { quotePhrase, toLiteralTerm, warnAboutSign } from "./has-words.ts";
import { splitAlternatives, toAsciiPattern } from "./parse-search.ts";

export function parseToItem(text: string, findings: ItemFindings): readonly string[] | undefined {
  const terms = parseAddressItem(text, findings);
  if (terms && terms.length > 1 && splitAlternatives(text).length === 1) {
    findings.add("read-as/any-recipient", { count: terms.length });
  }
  return terms;
}

/**
 * Parses an item of `from` or `to`: one or several addresses, or a phrase, because Gmail searches senders'
 * names too.
 */
export function parseAddressItem(
  text: string,
  findings: ItemFindings,
): readonly string[] | undefined {
  if (PLAIN_ADDRESS.test(text)) return [text];
  const alternatives = splitAlternatives(text);
  if (alternatives.length === 1) {
    return partTerms(/^[({]([^(){}]*)[)}]$/.exec(text)?.[1]?.trim() ?? text, text, findings);
  }
  const signed = alternatives.find((part) => /^[-!]/.test(part));
  if (signed !== undefined) return findings.add("signed-address", { written: signed });
  return [...new Set(alternatives.flatMap((part) => partTerms(part, part, findings) ?? []))];
}

/** @param originalText the item as the user wrote it. */
function partTerms(
  text: string,
  originalText: string,
  findings: ItemFindings,
): readonly string[] | undefined {
  if (isMe(text)) return ["me"];
  if (/^[-!]/.test(text)) return findings.add("signed-item");
  const mailboxes = parseAddressList(text);
  if (!mailboxes) return nameTerm(originalText, findings);
  if (rejectSignedAddresses(mailboxes, "signed-address", findings)) return undefined;

  const terms = [...new Set(mailboxes.map(({ address }) => addressTerm(address)))];
  const [only = ""] = terms;
  for (const { address } of mailboxes) warnAboutAddress(address, findings);
  if (only !== originalText && only !== quotePhrase(originalText))
    findings.add("read-as", { term: only });
  return terms;
}

function nameTerm(text: string, findings: ItemFindings): readonly string[] | undefined {
  warnAboutSign(text, "does_not_have", findings);
  const term = toLiteralTerm(text, findings);
  if (term === undefined) return undefined;
  const phrase = term.startsWith('"') ? term : quotePhrase(term);
  // Without a stray quotation mark it may be an address after all.
  if (phrase !== text && parseAddressList(phrase)) return partTerms(phrase, text, findings);
  const domain = isDomain(text) ? text : undefined;
  if (domain !== undefined || text.includes("@")) {
    findings.add("not-an-address", { phrase, domain });
  }
  return [phrase];
}

/** Rejects - or ! before an address, and `me x@gmail.com`, which a URL makes of `me+x@gmail.com`. */
export function rejectSignedAddresses(
  mailboxes: readonly NamedAddress[],
  code: "signed-address" | "signed-exclusion",
  findings: ItemFindings,
): boolean {
  const signed = mailboxes.find(({ text, address }) => /^[-!]/.test(text) || isNegated(address));
  if (signed) findings.add(code, { written: signed.text });
  const lost = mailboxes.find((_, index) => {
    const before = mailboxes[index - 1];
    return before?.address === ME_KEYWORD && !before.isSeparate;
  });
  if (lost) findings.add("lost-plus", { address: lost.text });
  return signed !== undefined || lost !== undefined;
}

/** A fast path: most addresses stay the same and need no warning. */
const PLAIN_ADDRESS = /^(?:\w[\w.+'=&-]*)?@(?:[a-z0-9][a-z0-9-]*\.)+[a-z0-9-]*[a-z0-9]$/i;

/** Whether it is a domain without its @, which Gmail also searches in names. */
export const isDomain = (text: string): boolean => PLAIN_ADDRESS.test(`@${text}`);

/** An address with or without a name: `Bob <bob@x.com>`. */
interface NamedAddress {
  readonly text: string;
  readonly address: Address;
  /** Whether more than a space separates it from the next one. */
  readonly isSeparate?: boolean;
}

/**
 * Parses one or several addresses as people paste them: with names, in brackets or quotes, separated by
 * commas or OR.
 *
 * @returns undefined if any part is not an address.
 */
export function parseAddressList(text: string): readonly NamedAddress[] | undefined {
  if (!/[@*]|(?<!\S)\./.test(text)) return undefined;
  const mailboxes: NamedAddress[] = [];
  let at = skipSeparators(text, 0);
  while (at < text.length) {
    const mailbox = readMailbox(text, at);
    if (!mailbox) return undefined;
    const before = mailboxes.at(-1);
    // After an address and a space, `me` is only a word.
    if (mailbox.address === ME_KEYWORD && before && !before.isSeparate) return undefined;
    const end = at + mailbox.text.length;
    at = skipSeparators(text, end);
    mailboxes.push({ ...mailbox, isSeparate: text.slice(end, at).trim() !== "" });
  }
  return mailboxes.length > 0 ? mailboxes : undefined;
}

/**
 * Splits pasted addresses, without their names: `Doe, John <j@x.com>` is one. Keeps a line whole if it
 * contains anything else, or if its parts would have another meaning.
 */
export const splitAddresses = (text: string): readonly string[] =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(Boolean)
    .flatMap((line) => {
      const mailboxes = parseAddressList(line) ?? [];
      const isWhole = mailboxes.some(
        ({ address, isSeparate }) => address === ME_KEYWORD && !isSeparate,
      );
      return mailboxes.length > 0 && !isWhole ? mailboxes.map(withoutName) : line;
    });

/** A sign before the name stays, to be reported. */
function withoutName({ text }: NamedAddress): string {
  const [, inner = ""] = /^(?![-!]).*<([^<>]+)>$/.exec(text) ?? [];
  return PLAIN_ADDRESS.test(inner) ? inner : text;
}

function skipSeparators(text: string, at: number): number {
  ADDRESS_SEPARATORS.lastIndex = at;
  return at + (ADDRESS_SEPARATORS.exec(text)?.[0].length ?? 0);
}

const ADDRESS_SEPARATORS = /(?:[\s,;|]|OR(?!\S))*/y;

function readMailbox(text: string, at: number): NamedAddress | undefined {
  NAMED_ADDRESS.lastIndex = at;
  const [whole, ...groups] = NAMED_ADDRESS.exec(text) ?? [""];
  const addressText = groups.find((group) => group !== undefined) ?? "";
  const isBareMe = whole === addressText && isMe(addressText);
  const address = isBareMe ? ME_KEYWORD : readAddress(addressText.replace(/^mailto:/i, ""));
  return address && { text: whole, address };
}

/** Gmail's word for the account's own addresses. In quotes it is only a word. */
const isMe = (text: string): boolean => /^me$/i.test(text);

const ME_KEYWORD: Address = { local: "me", domain: "" };

/** A name before an address. It contains no address and no operator. */
const DISPLAY_NAME = String.raw`(?:"[^"@]*"|(?!(?<!\S)(?:OR|AND|NOT)(?!\S))[^"<>@;|])*`;

const ADDRESS_COMMENT = String.raw`(?:\s*\([^()@]*\))?`;

const NAMED_ADDRESS = new RegExp(
  `(?:${[
    String.raw`${DISPLAY_NAME}<\s*([^<>\s]*)\s*>`,
    String.raw`"([^"\s]*)"`,
    String.raw`'([^'\s]*)'`,
    String.raw`\(([^()\s]*)\)`,
    String.raw`([^\s"<>(),;|]+)`,
  ].join("|")})${ADDRESS_COMMENT}`,
  "y",
);

function warnAboutAddress(address: Address, findings: ItemFindings): void {
  const { local, domain } = address;
  if (local !== "" && isWholeDomain(address)) findings.add("broad-address", { domain });
  if (/[^\p{ASCII}]/u.test(domain)) findings.add("read-as/domain", { domain });
}

/** `bob@x.com` or `@x.com`, as written. */
export interface Address {
  readonly local: string;
  readonly domain: string;
}

/** Parses a value that is only an address. */
export function readAddress(originalText: string): Address | undefined {
  const text = asDomain(originalText).replace(/^\*(?=[^@*]+$)/, "@");
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1);
  const isValid =
    at >= 0 &&
    LOCAL_PART.test(toAsciiPattern(local)) &&
    DOMAIN_NAME.test(toAsciiPattern(domain)) &&
    !domain.includes("..");
  return isValid ? { local, domain } : undefined;
}

/** These patterns are for the result of `toAsciiPattern`. */
const DOMAIN_NAME = /^[a-z0-9é](?:[a-z0-9é.-]*[a-z0-9é])?$/i;

/** RFC 5322 atext, dots, and letters of any script, but no quoted local parts. */
const LOCAL_PART = /^[\w.!#$%&'*+/=?^`{|}~\u0080-\uffff-]*$/;

/** Whether Gmail would read the address as an exclusion. */
export const isNegated = ({ local }: Address): boolean => /^[-!]/.test(local);

/** Returns the search term for an address, in quotes if Gmail would misread a character. */
export function addressTerm(address: Address): string {
  const { local, domain } = address;
  if (address === ME_KEYWORD) return "me";
  if (isWholeDomain(address)) return `@${domain}`;
  const text = `${local}@${domain}`;
  return PLAIN_LOCAL_PART.test(toAsciiPattern(local)) ? text : quotePhrase(text);
}

/** Gmail does not read these characters as a space or an operator. */
const PLAIN_LOCAL_PART = /^(?!-)[\wé.+'=&-]*$/;

/** Whether Gmail ignores the part before the @, because it has no letter, digit, _ or &. */
const isWholeDomain = ({ local }: Address): boolean => !/[\w&]/.test(toAsciiPattern(local));

/** Lists the domains that include an address: `@mail.x.com`, `@x.com`, `@com` for `bob@mail.x.com`. */
export function listParentDomains(term: string): readonly string[] {
  const at = term.lastIndexOf("@");
  if (at < 0) return [];
  const wider = at === 0 ? [] : [term.slice(at)];
  for (let dot = term.indexOf(".", at); dot >= 0; dot = term.indexOf(".", dot + 1)) {
    wider.push(`@${term.slice(dot + 1)}`);
  }
  return wider;
}
