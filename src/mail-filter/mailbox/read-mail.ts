import type { MailAttachment, MailMessage } from "../match/mail-message.ts";
import { type HtmlText, htmlTextOf } from "./html-text.ts";
import type { RawMail } from "./mail-builder.ts";
import type { MimeContent, MimeParser } from "./mime-parser.ts";
import { type BodyContent, readParts } from "./read-parts.ts";

/** A mail whose header is read, and its body not yet. */
export interface MailHeader {
  readonly message: MailMessage;
  /** The Message-ID without its angle brackets. */
  readonly id: string;
}

/** Reads the header of a mail. */
export function readHeader({ fields, bytes }: RawMail, { decodeWords }: MimeParser): MailHeader {
  const decoded = (text: string) => (text.includes("=?") ? decodeWords(text) : text);
  const all = (...names: readonly string[]) =>
    decoded(names.flatMap((name) => fields.get(name) ?? []).join(", "));
  const date = Date.parse((fields.get("date")?.[0] ?? "").replace(/\([^)]*\)/g, ""));
  const labels = fields.get("x-gmail-labels");
  return {
    id: all("message-id").replace(/^<|>$/g, ""),
    message: {
      from: all("from"),
      to: all("to"),
      cc: all("cc"),
      bcc: all("bcc"),
      delivered_to: all("delivered-to"),
      subject: decoded(fields.get("subject")?.[0] ?? ""),
      list: all("list-id", "list-post"),
      bytes,
      date: Number.isNaN(date) ? undefined : new Date(date).toISOString(),
      labels: labels && labelsIn(decoded(labels.join(","))),
    },
  };
}

/** A label with a comma in its name is in quotes. */
const labelsIn = (list: string): readonly string[] =>
  Array.from(list.matchAll(/"([^"]*)"|[^",]+/g), ([whole, quoted = whole]) => quoted.trim());

/**
 * The whole message, with its text and the names of its attachments.
 *
 * @throws when the parser cannot read the mail.
 */
export const readBody = async (
  header: MailHeader,
  raw: RawMail,
  mime: MimeParser,
): Promise<MailMessage> =>
  readOrdinaryBody(header, raw, mime) ?? (await parseBody(header, raw, mime));

/** The same by the parser. */
export const parseBody = async (
  header: MailHeader,
  raw: RawMail,
  mime: MimeParser,
): Promise<MailMessage> => {
  const { text = "", html = "", attachments } = await mime.parse(raw.mail);
  return wholeMessage(header, raw, { text, html: htmlTextOf(html), attachments });
};

/** The same for most mails, which need no parser; undefined for others. */
export function readOrdinaryBody(
  header: MailHeader,
  raw: RawMail,
  mime: MimeParser,
): MailMessage | undefined {
  const content = readParts(raw, mime);
  return content && wholeMessage(header, raw, content);
}

/** Its text is made when it is first asked for, which must be before the next mail is read. */
function wholeMessage(
  { message }: MailHeader,
  { cut }: RawMail,
  content: BodyContent,
): MailMessage {
  let known: HtmlText | undefined;
  const seen = () => {
    const { text, isCut } = content.html;
    known = { text: `${content.text}\n${text}`, isCut };
    return known;
  };
  return {
    ...message,
    get text() {
      return (known ?? seen()).text;
    },
    get text_is_cut() {
      return cut !== undefined || (known ?? seen()).isCut;
    },
    attachments: content.attachments.map(attachmentOf),
  };
}

/** Gmail may not count an inline part without a name. */
const attachmentOf = ({
  filename,
  disposition,
}: MimeContent["attachments"][number]): MailAttachment =>
  filename !== null || disposition === "attachment" ? { name: filename ?? "" } : {};
