import { type ItemFindings, withoutInfos } from "../findings.ts";
import { splitAlternatives, toAsciiPattern } from "./read.ts";
import { quote, textTerm, warnAboutMinus } from "./words.ts";

/** The search terms of one normalised item of `from`. */
export const senderTerms = (text: string, findings: ItemFindings): readonly string[] =>
  addressTerms(text, "from", findings);

/** The search terms of one normalised item of `to`. */
export function recipientTerms(text: string, findings: ItemFindings): readonly string[] {
  const terms = addressTerms(text, "to", findings);
  if (terms.length > 1 && splitAlternatives(text).length === 1) {
    findings.add("read-as/any-recipient", { count: terms.length });
  }
  return terms;
}

/**
 * The search terms of one normalised item of `from` or `to`: the address, several where the item
 * holds several, or a phrase, since Gmail looks at senders' names too.
 *
 * @returns nothing when it was rejected.
 */
function addressTerms(
  text: string,
  field: AddressField,
  findings: ItemFindings,
): readonly string[] {
  if (PLAIN_ADDRESS.test(text)) return [text];
  const alternatives = splitAlternatives(text);
  const negated = alternatives.length > 1 && alternatives.find((part) => /^[-!]/.test(part));
  if (negated) {
    findings.add("signed-address", { written: negated });
    return [];
  }
  const terms =
    alternatives.length === 1
      ? [...new Set(partTerms(withoutOuterBrackets(text), text, field, findings))]
      : [
          ...new Set(
            alternatives.flatMap((part) => partTerms(part, part, field, withoutInfos(findings))),
          ),
        ];
  if (terms.length > 1) findings.add("read-as/items", { terms });
  return terms;
}

/** The text without brackets around all of it. */
const withoutOuterBrackets = (text: string): string =>
  /^[({]([^(){}]*)[)}]$/.exec(text)?.[1]?.trim() ?? text;

type AddressField = "from" | "to";

/** @param written the text that the part comes from. */
function partTerms(
  text: string,
  written: string,
  field: AddressField,
  findings: ItemFindings,
): readonly string[] {
  if (isMe(text)) return ["me"];
  if (/^[-!]/.test(text)) {
    findings.add("signed-item", { sign: text.charAt(0), example: "from:boss@example.com" });
    return [];
  }
  const mailboxes = readAddressList(text);
  if (!mailboxes) return nameTerm(written, field, findings);

  const negated = mailboxes.find((box) => isNegated(box.address) || isSigned(box));
  if (negated) {
    findings.add("signed-address", { written: negated.text });
    return [];
  }
  const lost = findLostPlus(mailboxes);
  if (lost) {
    findings.add("lost-plus", { address: lost });
    return [];
  }
  const [first, ...others] = new Set(mailboxes.map(({ address }) => addressTerm(address)));
  const about = others.length > 0 ? withoutInfos(findings) : findings;
  for (const { address } of mailboxes) warnAboutAddress(address, about);
  if (first !== undefined && others.length === 0 && first !== written) {
    if (first !== quote(written)) findings.add("read-as", { term: first });
  }
  return first === undefined ? [] : [first, ...others];
}

function nameTerm(text: string, field: AddressField, findings: ItemFindings): readonly string[] {
  warnAboutMinus(text, field, findings);
  const term = textTerm(text, findings);
  if (term === undefined) return [];
  const phrase = term.startsWith('"') ? term : quote(term);
  // Without an odd quotation mark a text may be an address after all.
  if (phrase !== text && readAddressList(phrase)) return partTerms(phrase, text, field, findings);
  const domain = isBareDomain(text) ? text : undefined;
  if (domain !== undefined || text.includes("@"))
    findings.add("not-an-address", { phrase, domain });
  return [phrase];
}

const isBareDomain = (text: string): boolean => PLAIN_ADDRESS.test(`@${text}`);

/** The search terms of a text that is nothing but addresses; none for any other text. */
export const readAddresses = (text: string): readonly string[] =>
  (readAddressList(text) ?? []).map(({ address }) => addressTerm(address));

/** The first address with `-` or `!` before it, in a text that is nothing but addresses. */
export const findSignedAddress = (text: string): string | undefined =>
  // A quick test: few texts have a sign.
  /[-!]/.test(text) ? readAddressList(text)?.find(isSigned)?.text : undefined;

const isSigned = ({ text }: Mailbox): boolean => /^[-!]/.test(text);

const PLAIN_LABEL = "(?:[a-z0-9]+-+)*[a-z0-9]+";
const PLAIN = String.raw`(?:\w[\w.+'=&-]*)?@${PLAIN_LABEL}(?:\.${PLAIN_LABEL})+`;

/** An address that is written as it is and needs no warning, as most are. */
const PLAIN_ADDRESS = new RegExp(`^${PLAIN}$`, "i");

/** An address in a list, with or without a name: `Bob <bob@x.com>`. */
interface Mailbox {
  readonly text: string;
  readonly address: Address;
  /** True if more than a space stands between it and the next one. */
  isSeparate?: boolean;
}

/** The address after a `me` and a space, as `me x@gmail.com` is what a URL makes of `me+x@gmail.com`. */
const findLostPlus = (mailboxes: readonly Mailbox[]): string | undefined =>
  mailboxes.find((_, index) => {
    const before = mailboxes[index - 1];
    return before?.address === ME && !before.isSeparate;
  })?.text;

/** The address after a `me` and a space, in a text that is nothing but addresses. */
export const findCutAddress = (text: string): string | undefined =>
  /(?:^|[\s,;|])me\s/i.test(text) ? findLostPlus(readAddressList(text) ?? []) : undefined;

/**
 * Reads a text that is nothing but addresses, one or several, as people paste them from mail:
 * with names, in brackets or quotes, between commas or ORs.
 *
 * @returns undefined when a part of the text is not an address.
 */
function readAddressList(text: string): readonly Mailbox[] | undefined {
  if (!/[@*]/.test(text)) return undefined;
  const mailboxes: Mailbox[] = [];
  let at = skipSeparators(text, 0);
  while (at < text.length) {
    const mailbox = readPlainMailbox(text, at) ?? readMailbox(text, at);
    if (!mailbox) return undefined;
    const before = mailboxes.at(-1);
    // Gmail's word for the account is a mere word after an address and a space.
    if (mailbox.address === ME && before && !before.isSeparate) return undefined;
    const end = at + mailbox.text.length;
    at = skipSeparators(text, end);
    mailboxes.push({ ...mailbox, isSeparate: text.slice(end, at).trim() !== "" });
  }
  return mailboxes.length > 0 ? mailboxes : undefined;
}

function skipSeparators(text: string, at: number): number {
  SEPARATORS.lastIndex = at;
  return at + (SEPARATORS.exec(text)?.[0].length ?? 0);
}

const SEPARATORS = /(?:[\s,;|]|OR(?!\S))*/y;

/** Fast path: a bare address. */
function readPlainMailbox(text: string, at: number): Mailbox | undefined {
  PLAIN_MAILBOX.lastIndex = at;
  const written = PLAIN_MAILBOX.exec(text)?.[0];
  if (written === undefined) return undefined;
  const sign = written.indexOf("@");
  return {
    text: written,
    address: { local: written.slice(0, sign), domain: written.slice(sign + 1) },
  };
}

const PLAIN_MAILBOX = new RegExp(String.raw`${PLAIN}(?=[,;|]|\s+[^\s(]|$)`, "iy");

function readMailbox(text: string, at: number): Mailbox | undefined {
  MAILBOX.lastIndex = at;
  const [whole, ...forms] = MAILBOX.exec(text) ?? [""];
  const written = forms.find((form) => form !== undefined) ?? "";
  const isBareMe = whole === written && isMe(written);
  const address = isBareMe ? ME : readAddress(written.replace(/^mailto:/i, ""));
  return address && { text: whole, address };
}

/** Gmail's own word for the addresses of the account, which in quotes is a text. */
const isMe = (text: string): boolean => /^me$/i.test(text);

const ME: Address = { local: "me", domain: "" };

/** A name before an address, which holds no address and no operator itself. */
const NAME = String.raw`(?:"[^"@]*"|(?!(?<!\S)(?:OR|AND|NOT)(?!\S))[^"<>@;|])*`;

const COMMENT = String.raw`(?:\s*\([^()@]*\))?`;

const MAILBOX = new RegExp(
  `(?:${[
    String.raw`${NAME}<\s*([^<>\s]*)\s*>`,
    String.raw`"([^"\s]*)"`,
    String.raw`'([^'\s]*)'`,
    String.raw`\(([^()\s]*)\)`,
    String.raw`([^\s"<>(),;|]+)`,
  ].join("|")})${COMMENT}`,
  "y",
);

function warnAboutAddress(address: Address, findings: ItemFindings): void {
  const { local, domain } = address;
  if (isWholeDomain(address) && local !== "" && local !== "*") {
    findings.add("local-part-ignored", address);
  }
  if (local.includes("*") && !isWholeDomain(address)) {
    findings.add("operator-taken-literally", { written: "*", advice: "no wildcards" });
  }
  if (isWholeDomain(address) && !domain.includes(".")) {
    findings.add("top-level-domain", address);
  }
  if (/[^\p{ASCII}]/u.test(domain)) {
    findings.add("read-as/domain", address);
  }
}

/** An address as it is written, `bob@x.com` or `@x.com`. */
export interface Address {
  readonly local: string;
  readonly domain: string;
}

/** The address that a text is, from its first character to its last. */
export function readAddress(written: string): Address | undefined {
  // As `withoutStar()`, and `*.com` too: where an address is asked for, it is no mere word.
  const text = written.startsWith("*") ? written.replace(/^\*\.?(?=[^@*]+$)/, "*@") : written;
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1);
  const isValid =
    at >= 0 &&
    LOCAL_PART.test(toAsciiPattern(local)) &&
    DOMAIN.test(toAsciiPattern(domain)) &&
    !domain.includes("..");
  return isValid ? { local, domain } : undefined;
}

/** A domain. This pattern and the next two are for the `toAsciiPattern` of a text. */
const DOMAIN = /^[a-z0-9é](?:[a-z0-9é.-]*[a-z0-9é])?$/i;

/** RFC 5322 atext and dots, and characters of any script; no quoted local parts. */
const LOCAL_PART = /^[\w.!#$%&'*+/=?^`{|}~\u0080-\uffff-]*$/;

/** True when Gmail would read the address as an exclusion. */
export const isNegated = ({ local }: Address): boolean => /^[-!]/.test(local);

/** The search term for an address, in quotes where Gmail would misread a character. */
export function addressTerm(address: Address): string {
  const { local, domain } = address;
  if (address === ME) return "me";
  if (isWholeDomain(address)) return `@${domain}`;
  const text = `${local}@${domain}`;
  return PLAIN_LOCAL_PART.test(toAsciiPattern(local)) ? text : quote(text);
}

/** The characters of a local part that Gmail does not read as a space or an operator. */
const PLAIN_LOCAL_PART = /^(?!-)[\wé.+'=&-]*$/;

/** True when Gmail ignores the text before the @: it reads only letters, digits, _ and &. */
const isWholeDomain = ({ local }: Address): boolean => !/[\w&]/.test(toAsciiPattern(local));

/** True when a term finds all mail that another finds: `@x.com` covers `bob@mail.x.com`. */
export function covers(term: string, other: string): boolean {
  const [wide, narrow] = [term.toLowerCase(), other.toLowerCase()];
  return wide === narrow || widerTerms(narrow).includes(wide);
}

/** The domains that cover a term in lower case: `@mail.x.com`, `@x.com` and `@com` for `bob@mail.x.com`. */
export function widerTerms(term: string): readonly string[] {
  const at = term.lastIndexOf("@");
  if (at < 0) return [];
  const wider = at === 0 ? [] : [term.slice(at)];
  for (let dot = term.indexOf(".", at); dot >= 0; dot = term.indexOf(".", dot + 1)) {
    wider.push(`@${term.slice(dot + 1)}`);
  }
  return wider;
}
