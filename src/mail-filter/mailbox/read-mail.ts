import type { MailAttachment, MailMessage } from "../match/mail-message.ts";
import { htmlText } from "./html-text.ts";
import type { RawMail } from "./mail-builder.ts";

/** The parser of MIME, such as postal-mime; a parameter, so that the library is without one. */
export interface MimeParser {
  /** Decodes the encoded words of a header. */
  decodeWords(text: string): string;
  /** Rejects for a mail that it cannot read. */
  parse(mail: Uint8Array): Promise<MimeContent>;
}

interface MimeContent {
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  readonly attachments: readonly {
    readonly filename: string | null;
    readonly disposition: string | null;
  }[];
}

/** A mail whose header is read, and its body not yet. */
export interface MailHeader {
  readonly message: MailMessage;
  /** The Message-ID without its angle brackets. */
  readonly id: string;
  readonly hasFields: boolean;
}

export function readHeader({ header, bytes }: RawMail, { decodeWords }: MimeParser): MailHeader {
  const fields = fieldsOf(new TextDecoder().decode(header));
  const all = (...names: readonly string[]) =>
    decodeWords(names.flatMap((name) => fields.get(name) ?? []).join(", "));
  const date = Date.parse((fields.get("date")?.[0] ?? "").replace(/\([^)]*\)/g, ""));
  const labels = fields.get("x-gmail-labels");
  return {
    id: all("message-id").replace(/^<|>$/g, ""),
    hasFields: fields.size > 0,
    message: {
      from: all("from"),
      to: all("to"),
      cc: all("cc"),
      bcc: all("bcc"),
      delivered_to: all("delivered-to"),
      subject: decodeWords(fields.get("subject")?.[0] ?? ""),
      list: all("list-id", "list-post"),
      bytes,
      date: Number.isNaN(date) ? undefined : new Date(date).toISOString(),
      labels: labels && labelsIn(decodeWords(labels.join(","))),
    },
  };
}

/** A label with a comma in its name is in quotes. */
const labelsIn = (list: string): readonly string[] =>
  Array.from(list.matchAll(/"([^"]*)"|[^",]+/g), ([whole, quoted = whole]) => quoted.trim());

/** The values of the fields that are read, without their line breaks. */
function fieldsOf(header: string): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, string[]>();
  for (const [, name = "", value = ""] of header.matchAll(FIELD)) {
    const key = name.toLowerCase();
    const values = fields.get(key);
    // A hostile mail may have thousands of one name.
    if (values && values.length < 100) values.push(unfolded(value));
    else if (!values) fields.set(key, [unfolded(value)]);
  }
  return fields;
}

const FIELD = /^([!-9;-~]+)[ \t]*:((?:[^\r\n]+|\r?\n[ \t])*)/gm;

const unfolded = (value: string): string => value.replace(/\r?\n/g, "").trim();

/**
 * The whole message, with its text and the names of its attachments.
 *
 * @throws when the parser cannot read the mail.
 */
export async function readBody(
  { message }: MailHeader,
  { content, cut }: RawMail,
  mime: MimeParser,
): Promise<MailMessage> {
  const { text = "", html = "", attachments } = await mime.parse(content);
  const seen = htmlText(html);
  return {
    ...message,
    text: `${text}\n${seen.text}`,
    text_is_cut: cut !== undefined || seen.isCut,
    attachments: attachments.map(attachmentOf),
  };
}

/** Gmail may not count an inline part without a name. */
const attachmentOf = ({
  filename,
  disposition,
}: MimeContent["attachments"][number]): MailAttachment =>
  filename !== null || disposition === "attachment" ? { name: filename ?? "" } : {};
