import { AddressHeader } from "./address-header.ts";
import type { MailAttachment, MailMessage } from "./mail-message.ts";
import { SearchText } from "./search-text.ts";

/** A mail as conditions ask about it; each header is read when a condition first needs it. */
export class MailReading {
  readonly message: MailMessage;
  private readonly headers = new Map<AddressField, AddressHeader | undefined>();
  private readonly texts = new Map<TextField, SearchText | undefined>();

  constructor(message: MailMessage) {
    this.message = message;
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

export type AddressField = "from" | "to" | "cc" | "bcc" | "delivered_to";

export type TextField = "subject" | "list" | "text" | "attachments";

const textOf = (message: MailMessage, field: TextField): string | undefined =>
  field === "attachments" ? message.attachments?.map(nameOf).join("\n\n") : message[field];

const nameOf = ({ name = "" }: MailAttachment): string => name;
