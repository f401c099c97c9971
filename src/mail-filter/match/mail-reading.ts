import { AddressHeader } from "./address-header.ts";
import type { MailAttachment, MailMessage } from "./mail-message.ts";
import { SearchText } from "./search-text.ts";

/** A mail as conditions ask about it; each header is read when a condition first needs it. */
export class MailReading {
  readonly message: MailMessage;
  private readonly headers: Map<AddressField, AddressHeader | undefined>;
  private readonly texts = new Map<TextField, SearchText | undefined>();
  private searched: string | undefined;

  /** @param before a reading of the same mail before its body was read. */
  constructor(message: MailMessage, before?: MailReading) {
    this.message = message;
    this.headers = before?.headers ?? new Map();
  }

  /** All texts that words are looked for in, without case and accents. */
  get everything(): string {
    this.searched ??= [
      ...ADDRESS_FIELDS.map((field) => this.header(field)?.all),
      ...TEXT_FIELDS.map((field) => this.text(field)),
    ]
      .map((text) => text?.withoutAccents)
      .join("\n");
    return this.searched;
  }

  /** Undefined when the message lacks it. */
  header(field: AddressField): AddressHeader | undefined {
    if (!this.headers.has(field)) {
      const text = this.message[field];
      this.headers.set(field, text === undefined ? undefined : new AddressHeader(text));
    }
    return this.headers.get(field);
  }

  /** Undefined when the message lacks it. */
  text(field: TextField): SearchText | undefined {
    if (!this.texts.has(field)) {
      const text = textOf(this.message, field);
      this.texts.set(field, text === undefined ? undefined : new SearchText(text));
    }
    return this.texts.get(field);
  }
}

const ADDRESS_FIELDS = ["from", "to", "cc", "bcc", "delivered_to"] as const;
export type AddressField = (typeof ADDRESS_FIELDS)[number];

const TEXT_FIELDS = ["subject", "list", "text", "attachments"] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

const textOf = (message: MailMessage, field: TextField): string | undefined =>
  field === "attachments" ? message.attachments?.map(nameOf).join("\n\n") : message[field];

const nameOf = ({ name = "" }: MailAttachment): string => name;
