import * as v from "valibot";
import { closedObject, type ReadonlyLists } from "../../../schemas/common.ts";
import { isUncertain, SearchableText, spacedWords } from "./searchable-text.ts";

const optionalString = v.optional(v.string());

export const MailMessageSchema = closedObject({
  // The address fields are decoded headers: `Bob <b@x.com>, c@y.org`.
  from: optionalString,
  to: optionalString,
  cc: optionalString,
  bcc: optionalString,
  delivered_to: optionalString,
  subject: optionalString,
  // List-Id and List-Post.
  list: optionalString,
  // The body as a reader sees it: HTML without its tags.
  text: optionalString,
  // True when the text is only a part of the body.
  text_truncated: v.optional(v.boolean()),
  // Parts other than the text. The name is empty for an attachment without one, absent where Gmail may not see it as one.
  attachments: v.optional(v.array(closedObject({ name: optionalString }))),
  // The size of the whole message in bytes, with CRLF at the ends of lines.
  bytes: v.optional(v.pipe(v.number(), v.minValue(0))),
  // When the message arrived, in ISO 8601.
  date: optionalString,
  // The message's labels in Gmail. Filters run before labels are set, and do not read them.
  labels: v.optional(v.array(v.string())),
});

/**
 * A message to match with filters. A missing field is unknown, and so are terms about it: for a message
 * without a subject, give an empty one. A replacement character (U+FFFD) in a field marks a part that
 * could not be read.
 */
export interface MailMessage extends ReadonlyLists<v.InferInput<typeof MailMessageSchema>> {}

/** A part of a message other than its text. */
export type MailAttachment = NonNullable<MailMessage["attachments"]>[number];

export const MatchOptionsSchema = closedObject({
  // The account's own addresses, for `me`.
  me: v.optional(
    v.array(
      v.pipe(
        v.string(),
        v.regex(/^[^\s@<>]+@[^\s@<>]+$/, "must be an address such as me@example.com"),
      ),
    ),
  ),
});

/** Facts about the account that matching needs. */
export interface MatchOptions extends ReadonlyLists<v.InferInput<typeof MatchOptionsSchema>> {}

/** A message that is prepared for matching: a field is parsed when a condition first needs it. */
export class SearchableMessage {
  readonly message: MailMessage;
  private readonly texts = new Map<MessageField, SearchableText>();
  private readonly headers = new Map<AddressField, Mailboxes>();
  private incomplete: boolean | undefined;

  constructor(message: MailMessage) {
    this.message = message;
  }

  /** True when words may be in a part of the message that is not read. */
  get isIncomplete(): boolean {
    this.incomplete ??= hasUnsearchedPart(this.message);
    return this.incomplete;
  }

  /** Undefined when the message lacks the field. Of a header these are names and addresses. */
  text(field: MessageField): SearchableText | undefined {
    const known = this.texts.get(field);
    const written = known ? undefined : readField(this.message, field);
    if (written === undefined) return known;
    const optionalString = new SearchableText(isAddressHeader(field) ? unfolded(written) : written);
    this.texts.set(field, optionalString);
    return optionalString;
  }

  /** The addresses of a header such as `"Ann, Bob" <b@x.com>, c@y.org`, and the names around them. */
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

/** A header without its escapes and the spaces of its folding. */
const unfolded = (header: string): string =>
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

/** The extensions of pictures, sound and film, which hold no words, and of signatures. */
const WITHOUT_WORDS = new Set([
  ...["png", "jpg", "jpeg", "gif", "bmp", "webp", "svg", "ico", "tif", "tiff", "heic", "avif"],
  ...["mp3", "m4a", "wav", "ogg", "mp4", "mov", "avi", "webm", "p7s", "asc"],
]);

const extensionOf = (name: string): string => /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? "";

export interface Mailboxes {
  readonly addresses: readonly string[];
  /** The addresses in the form that `canonicalAddress` gives. */
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

/** A name in quotes, an address in angle brackets, or a bare one without a name before it. */
const MAILBOX = new RegExp(
  [
    `"[^"]*"`,
    String.raw`< ?([^\s<>]+@[^\s<>]+) ?>`,
    `(?<=^ ?|[,;:] ?)(${ADDRESS_PART}@${ADDRESS_PART})(?= ?(?:$|[,;(]))`,
  ].join("|"),
  "g",
);

/** Gmail ignores dots and the part from a plus on in an account's own address. */
export function canonicalAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const [local = ""] = address.slice(0, at).split("+");
  return isGmail(address) ? `${local.replaceAll(".", "")}@gmail.com` : local + address.slice(at);
}

/** The part from a plus on, which an address may lack: `+news`. */
export const findTag = (address: string): string => /\+.*(?=@[^@]*$)/.exec(address)?.[0] ?? "";

export const isGmail = (address: string): boolean => /@(?:gmail|googlemail)\.com$/.test(address);
