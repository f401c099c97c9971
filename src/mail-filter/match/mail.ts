import * as v from "valibot";
import { closedObject, isCalendarDay } from "../../../schemas/common.ts";
import { foldCase, isUncertain, SearchableText, splitWords } from "./text.ts";

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

/** A mail that is prepared for matching: a field is read when a condition first asks for it. */
export class SearchableMail {
  readonly message: MailMessage;
  private readonly headers = new Map<AddressField, AddressHeader>();
  private readonly texts = new Map<TextField, SearchableText>();
  private incomplete: boolean | undefined;

  constructor(message: MailMessage) {
    this.message = message;
  }

  /** True when words may be in a part of the mail that is not read. */
  get isIncomplete(): boolean {
    this.incomplete ??= hasUnsearchedPart(this.message);
    return this.incomplete;
  }

  /** Undefined when the message lacks it. */
  header(field: AddressField): AddressHeader | undefined {
    const text = this.message[field];
    return text === undefined ? text : known(this.headers, field, () => new AddressHeader(text));
  }

  /** Undefined when the message lacks it. */
  text(field: TextField): SearchableText | undefined {
    const { attachments } = this.message;
    if (field === "attachments" ? !attachments : this.message[field] === undefined)
      return undefined;
    return known(this.texts, field, () => {
      const names = () => attachments?.map(({ name = "" }) => name).join("\n\n");
      return new SearchableText((field === "attachments" ? names() : this.message[field]) ?? "");
    });
  }
}

export type AddressField = "from" | "to" | "cc" | "bcc" | "delivered_to";
export type TextField = "subject" | "list" | "text" | "attachments";

function known<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

function hasUnsearchedPart(message: MailMessage): boolean {
  const { subject, text, text_is_cut = false, from, to, cc, attachments } = message;
  const { bcc = "", delivered_to = "", list = "" } = message;
  return (
    text_is_cut ||
    [subject, text, from, to, cc, bcc, delivered_to, list].some(
      (field) => field === undefined || isUncertain(field),
    ) ||
    attachments?.every(({ name = "" }) => WITHOUT_WORDS.test(name) && !isUncertain(name)) !== true
  );
}

/** Pictures, sound and film hold no words, nor does a signature. */
const WITHOUT_WORDS =
  /\.(?:png|jpe?g|gif|bmp|webp|svg|ico|tiff?|heic|avif|mp3|m4a|wav|ogg|mp4|mov|avi|webm|p7s|asc)$/i;

/** The addresses and the names of a header such as `"Ann, Bob" <b@x.com>, c@y.org`. */
export class AddressHeader {
  /** Names and addresses, searched for words. */
  readonly all: SearchableText;
  private mailboxes: Mailboxes | undefined;

  constructor(header: string) {
    const escaped = header.includes("\\") ? header.replace(/\\["\\]/g, "") : header;
    this.all = new SearchableText(escaped.replace(/\s{2,}|[^\S ]/g, " "));
  }

  /** The addresses, and the text around them. */
  get parsed(): Mailboxes {
    this.mailboxes ??= parseMailboxes(this.all.text);
    return this.mailboxes;
  }
}

interface Mailboxes {
  readonly addresses: readonly string[];
  /** The header without its addresses; a name may look like one. */
  readonly names: SearchableText;
  /** The addresses in the form that `canonicalAddress` gives. */
  readonly canonical: readonly string[];
  /** The words of each address's domain, with a space before each. */
  readonly domains: readonly string[];
  /** True when a domain is in its ASCII form, `xn--…`. */
  readonly hasAsciiForm: boolean;
}

function parseMailboxes(header: string): Mailboxes {
  const addresses: string[] = [];
  const rest = header.replace(MAILBOX, (_, quoted = "", angled = "", bare = "") => {
    if (quoted) return quoted;
    addresses.push(angled || bare);
    return " | ";
  });
  return {
    addresses,
    // Part of an address may be what could not be read.
    names: new SearchableText(isUncertain(header) ? `${rest} \ufffd` : rest),
    canonical: addresses.map(canonicalAddress),
    domains: addresses.map(
      (address) => ` ${splitWords(address.slice(address.lastIndexOf("@") + 1)).join(" ")}`,
    ),
    hasAsciiForm: addresses.some((address) => address.includes("xn--")),
  };
}

/** A name in quotes, an address in angle brackets, or a bare one without a name before it. */
const MAILBOX =
  /("[^"]*")|< ?([^\s<>]+@[^\s<>]+) ?>|(?<=^ ?|[,;:] ?)([^\s<>,;:"()]+@[^\s<>,;:"()]+)(?= ?(?:$|[,;(]))/g;

/** Gmail ignores dots and the part from a plus on in an account's own address. */
export function canonicalAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const [local = ""] = address.slice(0, at).split("+");
  return isGmail(address) ? `${local.replaceAll(".", "")}@gmail.com` : local + address.slice(at);
}

/** The part from a plus on, which an address may lack: `+news`. */
export const findTag = (address: string): string => /\+.*(?=@[^@]*$)/.exec(address)?.[0] ?? "";

export const isGmail = (address: string): boolean => /@(?:gmail|googlemail)\.com$/.test(address);

/** The account's own addresses, each in one form; undefined when they are not known. */
export const ownAddresses = ({ me }: MatchOptions): ReadonlySet<string> | undefined =>
  me && new Set(me.map((address) => canonicalAddress(foldCase(address))));
