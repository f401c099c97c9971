import {
  type AddressHeader,
  canonicalAddress,
  findTag,
  isGmail,
  ownAddresses,
} from "./address-header.ts";
import type { MatchOptions } from "./mail-message.ts";
import { type Matcher, prepareFindings, unknownMatcher } from "./matcher.ts";
import type { AddressField, SearchableMail } from "./searchable-mail.ts";
import type { Phrase, Verdict } from "./searchable-text.ts";
import { findInText, type WantedWord } from "./wanted-word.ts";

/** Matches a word in one text: `subject:invoice`, `list:dev.x.org`. */
export function fieldMatcher(term: string, field: "subject" | "list", wanted: WantedWord): Matcher {
  const results = prepareFindings(term, "is there", "is not there", SIMILAR);
  return (mail) => {
    const text = mail.text(field);
    return text ? results[findInText(text, wanted)] : results.unknown;
  };
}

const SIMILAR = "may be there, perhaps in another form";

/**
 * Matches a word or phrase without an operator. Gmail looks for it in names and addresses, the subject,
 * the text, and in attachments, whose content is not read.
 */
export function wordMatcher(term: string, wanted: WantedWord, options: MatchOptions): Matcher {
  const own = ownAddresses(options);
  const {
    yes,
    no,
    unknown: similar,
  } = prepareFindings(
    term,
    "is in the mail",
    "is not in the mail",
    "may be in the mail in another form",
  );
  const unsearched = { ...similar, reason: "may be in a part of the mail that was not read" };
  const elsewhere = { ...similar, reason: "is only where Gmail may not search" };
  return (mail) => {
    let isSimilar = false;
    for (const verdict of verdictsIn(mail, wanted, own)) {
      if (verdict === "yes") return yes;
      isSimilar ||= verdict === "unknown";
    }
    if (isSimilar) return similar;
    if (mail.isIncomplete) return unsearched;
    return isElsewhere(mail, wanted, own) ? elsewhere : no;
  };
}

function* verdictsIn(
  mail: SearchableMail,
  wanted: WantedWord,
  own: ReadonlySet<string> | undefined,
): Generator<Verdict> {
  for (const field of ["subject", "text"] as const) {
    const text = mail.text(field);
    if (text) yield findInText(text, wanted);
  }
  for (const field of ["from", "to", "cc"] as const) {
    const header = mail.header(field);
    if (header) yield headerVerdict(header, wanted, own);
  }
}

const ELSEWHERE: readonly AddressField[] = ["bcc", "delivered_to"];

const isElsewhere = (
  mail: SearchableMail,
  wanted: WantedWord,
  own: ReadonlySet<string> | undefined,
): boolean =>
  ELSEWHERE.some((field) => {
    const header = mail.header(field);
    return header !== undefined && headerVerdict(header, wanted, own) !== "no";
  }) ||
  (["list", "attachments"] as const).some((field) => {
    const text = mail.text(field);
    return text !== undefined && findInText(text, wanted) !== "no";
  });

/** Matches a word in the headers that an operator means: `from:bob`, `to:me`. */
export function addressMatcher(
  term: string,
  operator: string,
  wanted: WantedWord,
  options: MatchOptions,
): Matcher {
  const fields = FIELDS[operator];
  if (!fields) return unknownMatcher(term, "asks for a header that is not read");
  const own = ownAddresses(options);
  const isMe = !wanted.quoted && /^me$/i.test(wanted.text);
  if (isMe && !own) return unknownMatcher(term, "depends on whose mail it is");
  const { yes, no, unknown: unsure } = prepareFindings(term, "is there", "is not there", SIMILAR);
  const verdict = (mail: SearchableMail, field: AddressField): Verdict => {
    const header = mail.header(field);
    if (!header) return "unknown";
    if (!isMe) return headerVerdict(header, wanted, own);
    return header.parsed.canonical.some((found) => own?.has(found)) ? "yes" : header.all.absent;
  };
  // The recipient of a blind copy, or of forwarded mail, is in Delivered-To alone.
  const mayBeHidden = operator === "to" || operator === "bcc";
  return (mail) => {
    let isUnknown = false;
    for (const field of fields) {
      const found = verdict(mail, field);
      if (found === "yes") return yes;
      isUnknown ||= found === "unknown";
    }
    const elsewhere =
      mayBeHidden && mail.header("delivered_to") ? verdict(mail, "delivered_to") : "no";
    if (elsewhere === "yes" && isMe && operator === "to") return yes;
    if (elsewhere !== "no") return unsure;
    return isUnknown ? unsure : no;
  };
}

/** `to` covers To, Cc and Bcc (Gmail's API, Filter.Criteria). */
const FIELDS: Readonly<Record<string, readonly AddressField[]>> = {
  from: ["from"],
  to: ["to", "cc", "bcc"],
  cc: ["cc"],
  bcc: ["bcc"],
  deliveredto: ["delivered_to"],
};

/**
 * Looks for a term in a header.
 *
 * @param own the account's addresses; to Gmail several forms of each are the same.
 */
function headerVerdict(
  header: AddressHeader,
  wanted: WantedWord,
  own: ReadonlySet<string> | undefined,
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
