import { type Address, readAddress } from "./address.ts";

/** An address as it stands in a list, perhaps with a name: `Bob <bob@x.com>`. */
export interface Mailbox {
  readonly text: string;
  readonly address: Address;
}

const SEPARATOR = /^(?:[\s,;|]|OR(?!\S))+/;

/** What may go unread: a name that holds no address of its own and no operator. */
const NAME = String.raw`(?:"[^"@]*"|(?!(?<!\S)(?:OR|AND|NOT)(?!\S))[^"<>@;|])*`;
const COMMENT = String.raw`(?:\s*\([^()@]*\))?`;
const MAILBOX = new RegExp(
  `^(?:${[
    String.raw`${NAME}<\s*([^<>\s]*)\s*>`,
    String.raw`"([^"\s]*)"`,
    String.raw`'([^'\s]*)'`,
    String.raw`\(([^()\s]*)\)`,
    String.raw`([^\s"<>(),;|]+)`,
  ].join("|")})${COMMENT}`,
);

/**
 * Reads a text that is nothing but addresses, one or several, as people paste them from mail:
 * with names, in brackets or quotes, between commas or ORs.
 *
 * @returns undefined when a part of the text is no address.
 */
export function readAddressList(text: string): readonly Mailbox[] | undefined {
  const mailboxes: Mailbox[] = [];
  let rest = text.replace(SEPARATOR, "");
  while (rest !== "") {
    const [whole, ...forms] = MAILBOX.exec(rest) ?? [""];
    const written = forms.find((form) => form !== undefined) ?? "";
    const address = readAddress(written.replace(/^mailto:/i, ""));
    if (!address) return undefined;
    mailboxes.push({ text: whole, address });
    rest = rest.slice(whole.length).replace(SEPARATOR, "");
  }
  return mailboxes.length > 0 ? mailboxes : undefined;
}
