import { headerVerdict } from "./address-condition.ts";
import { ownAddresses } from "./address-header.ts";
import { type Condition, findings } from "./condition.ts";
import type { MatchOptions } from "./mail-message.ts";
import type { AddressField, MailReading } from "./mail-reading.ts";
import type { Verdict } from "./verdict.ts";
import { verdictIn, type Wanted } from "./wanted-text.ts";

/** `subject:invoice` and `list:dev.x.org`: what is wanted, in one text. */
export function fieldCondition(term: string, field: "subject" | "list", wanted: Wanted): Condition {
  const results = findings(term, "is there", "is not there", SIMILAR);
  return (mail) => {
    const text = mail.text(field);
    return text ? results[verdictIn(text, wanted)] : results.unknown;
  };
}

const SIMILAR = "may be there, perhaps in another form";

/**
 * A word or phrase without an operator, which Gmail looks for in names and addresses, the subject
 * and the text; in what attachments hold too, which is not read.
 */
export function wordCondition(term: string, wanted: Wanted, options: MatchOptions): Condition {
  const own = ownAddresses(options);
  const {
    yes,
    no,
    unknown: similar,
  } = findings(term, "is in the mail", "is not in the mail", "may be in the mail in another form");
  const unread = { ...similar, reason: "may be in a part of the mail that was not read" };
  const elsewhere = { ...similar, reason: "is only where Gmail may not search" };
  return (mail) => {
    let isSimilar = false;
    for (const verdict of verdictsIn(mail, wanted, own)) {
      if (verdict === "yes") return yes;
      isSimilar ||= verdict === "unknown";
    }
    if (isSimilar) return similar;
    if (mail.isUnread) return unread;
    return isElsewhere(mail, wanted, own) ? elsewhere : no;
  };
}

function* verdictsIn(
  mail: MailReading,
  wanted: Wanted,
  own: ReadonlySet<string> | undefined,
): Generator<Verdict> {
  for (const field of ["subject", "text"] as const) {
    const text = mail.text(field);
    if (text) yield verdictIn(text, wanted);
  }
  for (const field of ["from", "to", "cc"] as const) {
    const header = mail.header(field);
    if (header) yield headerVerdict(header, wanted, own);
  }
}

const ELSEWHERE: readonly AddressField[] = ["bcc", "delivered_to"];

const isElsewhere = (
  mail: MailReading,
  wanted: Wanted,
  own: ReadonlySet<string> | undefined,
): boolean =>
  ELSEWHERE.some((field) => {
    const header = mail.header(field);
    return header !== undefined && headerVerdict(header, wanted, own) !== "no";
  }) ||
  (["list", "attachments"] as const).some((field) => {
    const text = mail.text(field);
    return text !== undefined && verdictIn(text, wanted) !== "no";
  });
