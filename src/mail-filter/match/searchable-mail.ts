import { AddressHeader } from "./address-header.ts";
import type { MailMessage } from "./mail-message.ts";
import { isUncertain, SearchableText } from "./searchable-text.ts";

/** A mail that is prepared for matching: a header is parsed when a condition first asks for it. */
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
    const known = this.headers.get(field);
    const text = this.message[field];
    if (known || text === undefined) return known;
    const header = new AddressHeader(text);
    this.headers.set(field, header);
    return header;
  }

  /** Undefined when the message lacks it. */
  text(field: TextField): SearchableText | undefined {
    const known = this.texts.get(field);
    const text = known ? undefined : readField(this.message, field);
    if (text === undefined) return known;
    const searchable = new SearchableText(text);
    this.texts.set(field, searchable);
    return searchable;
  }
}

const ADDRESS_FIELDS = ["from", "to", "cc", "bcc", "delivered_to"] as const;
export type AddressField = (typeof ADDRESS_FIELDS)[number];

const TEXT_FIELDS = ["subject", "list", "text", "attachments"] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

const readField = (message: MailMessage, field: TextField): string | undefined =>
  field === "attachments"
    ? message.attachments?.map(({ name = "" }) => name).join("\n\n")
    : message[field];

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
