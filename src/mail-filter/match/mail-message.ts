import * as v from "valibot";
import { closedObject, isCalendarDay } from "../../../schemas/common.ts";

/**
 * A mail to try filters on. What is left out is not known, so that terms about it are unknown; a
 * mail without a subject has an empty one. A replacement character (U+FFFD) in a text says that some
 * of it could not be read.
 */
export interface MailMessage {
  /** The address fields are texts of headers, decoded: `Bob <b@x.com>, c@y.org`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly cc?: string | undefined;
  readonly bcc?: string | undefined;
  readonly delivered_to?: string | undefined;
  readonly subject?: string | undefined;
  /** List-Id and List-Post. */
  readonly list?: string | undefined;
  /** The body as a reader sees it: HTML without its tags. */
  readonly text?: string | undefined;
  /** True when the text is only a part of the body. */
  readonly text_is_cut?: boolean | undefined;
  readonly attachments?: readonly MailAttachment[] | undefined;
  /** The size of the whole mail in octets, with CRLF at the ends of lines. */
  readonly bytes?: number | undefined;
  /** When the mail came, as ISO 8601. */
  readonly date?: string | undefined;
  /** The mail's labels in Gmail; no condition reads them, since they come after filters. */
  readonly labels?: readonly string[] | undefined;
}

/** A part of a mail other than its text. */
export interface MailAttachment {
  /** Empty for an attachment without a name; absent when Gmail may not see the part as an attachment. */
  readonly name?: string | undefined;
}

const text = v.optional(v.string());

export const MailMessageSchema = closedObject({
  from: text,
  to: text,
  cc: text,
  bcc: text,
  delivered_to: text,
  subject: text,
  list: text,
  text,
  text_is_cut: v.optional(v.boolean()),
  attachments: v.optional(v.array(closedObject({ name: text }))),
  bytes: v.optional(v.pipe(v.number(), v.minValue(0))),
  date: text,
  labels: v.optional(v.array(v.string())),
});

/** Facts about the account that matching needs. */
export interface MatchOptions {
  /** The account's own addresses, for `me`. */
  readonly me?: readonly string[] | undefined;
  /** ISO 8601, for `older_than:` and `newer_than:`. */
  readonly now?: string | undefined;
}

export const MatchOptionsSchema = closedObject({
  me: v.optional(
    v.array(
      v.pipe(
        v.string(),
        v.regex(/^[^\s@<>]+@[^\s@<>]+$/, "must be an address such as me@example.com"),
      ),
    ),
  ),
  now: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (date) =>
          !Number.isNaN(Date.parse(date)) && (!/^\d{4}-\d\d-/.test(date) || isCalendarDay(date)),
        "must be a date such as 2026-11-22",
      ),
    ),
  ),
});
