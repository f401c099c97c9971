import { ownAddresses } from "./address-header.ts";
import { headerVerdict } from "./address-matcher.ts";
import type { MatchOptions } from "./mail-message.ts";
import { type Matcher, prepareFindings } from "./matcher.ts";
import type { AddressField, SearchableMail } from "./searchable-mail.ts";
import type { Verdict } from "./verdict.ts";
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
