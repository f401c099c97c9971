import * as v from "valibot";
import { closedObject, type ReadonlyLists } from "../../../schemas/common.ts";
import { isUncertain, SearchableText, spacedWords } from "./searchable-text.ts";

const optionalString = v.optional(v.string());

export const MailMessageSchema = closedObject({
  // Decoded headers: `Bob <b@x.com>, c@y.org`.
  from: optionalString,
  to: optionalString,
  cc: optionalString,
  bcc: optionalString,
  delivered_to: optionalString,
  subject: optionalString,
  // List-Id and List-Post.
  list: optionalString,
  // The visible body: HTML without its tags.
  text: optionalString,
  // Whether the text is only a part of the body.
  text_truncated: v.optional(v.boolean()),
  // The name is empty for an unnamed attachment, and absent if Gmail may not count it as an attachment.
  attachments: v.optional(v.array(closedObject({ name: optionalString }))),
  // The size of the whole message in bytes, with CRLF line ends.
  bytes: v.optional(v.pipe(v.number(), v.minValue(0))),
  // When the message arrived, in ISO 8601.
  date: optionalString,
  // Gmail's labels. Matching ignores them, because filters run before labels are set.
  labels: v.optional(v.array(v.string())),
});

/**
 * A message to match with filters. A missing field is unknown, and so are terms about it: for a message
 * without a subject, use an empty string. A replacement character (U+FFFD) marks a part that could not be
 * read.
 */
export interface MailMessage extends ReadonlyLists<v.InferInput<typeof MailMessageSchema>> {}

/** A part of a message other than its text. */
export type MailAttachment = NonNullable<MailMessage["attachments"]>[number];

export const MatchOptionsSchema = closedObject({
  // Your own addresses, for `me`.
  me: v.optional(
    v.array(
      v.pipe(
        v.string(),
        v.regex(/^[^\s@<>]+@[^\s@<>]+$/, "must be an address such as me@example.com"),
      ),
    ),
  ),
});

/** Options of `matchMailFilters()`. */
export interface MatchOptions extends ReadonlyLists<v.InferInput<typeof MatchOptionsSchema>> {}

/** A message prepared for matching. Fields are parsed when a condition first needs them. */
export class SearchableMessage {
  readonly source: MailMessage;
  private readonly texts = new Map<MessageField, SearchableText>();
  private readonly headers = new Map<AddressField, Mailboxes>();
  private incomplete: boolean | undefined;

  constructor(source: MailMessage) {
    this.source = source;
  }

  /** Whether words may be in a part of the message that we do not read. */
  get isIncomplete(): boolean {
    this.incomplete ??= hasUnsearchedPart(this.source);
    return this.incomplete;
  }

  /** Undefined if the message lacks the field. */
  text(field: MessageField): SearchableText | undefined {
    const known = this.texts.get(field);
    const raw = known ? undefined : readField(this.source, field);
    if (raw === undefined) return known;
    const searchable = new SearchableText(isAddressHeader(field) ? unfoldHeader(raw) : raw);
    this.texts.set(field, searchable);
    return searchable;
  }

  /** Parses a header such as `"Ann, Bob" <b@x.com>, c@y.org`. */
  mailboxes(field: AddressField): Mailboxes {
    const mailboxes = this.headers.get(field) ?? parseMailboxes(this.text(field)?.text ?? "");
    this.headers.set(field, mailboxes);
    return mailboxes;
  }
}

const ADDRESS_FIELDS = ["from", "to", "cc", "bcc", "delivered_to"] as const;
export type AddressField = (typeof ADDRESS_FIELDS)[number];
export type MessageField = AddressField | "subject" | "list" | "text" | "attachments";

export const isAddressHeader = (field: MessageField): field is AddressField =>
  ADDRESS_FIELDS.some((known) => known === field);

const readField = (message: MailMessage, field: MessageField): string | undefined =>
  field === "attachments"
    ? message.attachments?.map(({ name = "\ufffd" }) => name).join("\n\n")
    : message[field];

/** Removes escapes and the line folding of a header. */
const unfoldHeader = (header: string): string =>
  header.replace(/\\["\\]/g, "").replace(/\s{2,}|[^\S ]/g, " ");

function hasUnsearchedPart(message: MailMessage): boolean {
  const { subject, text, text_truncated = false, from, to, cc, attachments } = message;
  const { bcc = "", delivered_to = "", list = "" } = message;
  return (
    text_truncated ||
    [subject, text, from, to, cc, bcc, delivered_to, list].some(
      (field) => field === undefined || isUncertain(field),
    ) ||
    attachments?.every(
      ({ name = "" }) => WITHOUT_WORDS.has(extensionOf(name)) && !isUncertain(name),
    ) !== true
  );
}

/** Extensions of images, audio, video and signatures, which contain no words. */
const WITHOUT_WORDS = new Set([
  ...["png", "jpg", "jpeg", "gif", "bmp", "webp", "svg", "ico", "tif", "tiff", "heic", "avif"],
  ...["mp3", "m4a", "wav", "ogg", "mp4", "mov", "avi", "webm", "p7s", "asc"],
]);

const extensionOf = (name: string): string => /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? "";

export interface Mailboxes {
  readonly addresses: readonly string[];
  readonly canonical: readonly string[];
  /** The words of each address's domain. */
  readonly domains: readonly string[];
}

function parseMailboxes(header: string): Mailboxes {
  const addresses = Array.from(
    header.matchAll(MAILBOX),
    ([, angled, bare]) => angled ?? bare ?? [],
  ).flat();
  return {
    addresses,
    canonical: addresses.map(canonicalAddress),
    domains: addresses.map((address) => spacedWords(address.slice(address.lastIndexOf("@") + 1))),
  };
}

const ADDRESS_PART = String.raw`[^\s<>,;:"()]+`;

/** A quoted name, an address in angle brackets, or a bare address without a name. */
const MAILBOX = new RegExp(
  [
    `"[^"]*"`,
    String.raw`< ?([^\s<>]+@[^\s<>]+) ?>`,
    `(?<=^ ?|[,;:] ?)(${ADDRESS_PART}@${ADDRESS_PART})(?= ?(?:$|[,;(]))`,
  ].join("|"),
  "g",
);

/** In an account's own address, Gmail ignores dots and everything from a plus on. */
export function canonicalAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const [local = ""] = address.slice(0, at).split("+");
  return isGmail(address) ? `${local.replaceAll(".", "")}@gmail.com` : local + address.slice(at);
}

/** Returns the tag of an address, `+news`, or an empty string. */
export const findTag = (address: string): string => /\+.*(?=@[^@]*$)/.exec(address)?.[0] ?? "";

export const isGmail = (address: string): boolean => /@(?:gmail|googlemail)\.com$/.test(address);
