import PostalMime, { decodeWords, type Email } from "postal-mime";
import type { MailAttachment, MailMessage } from "../mail-filter/match/mail.ts";
import { htmlText } from "./html-text.ts";
import type { RawMail, Section } from "./mailbox.ts";

/** A mail that is read as far as it can be. */
export interface ReadMail {
  readonly message: MailMessage;
  /** The Message-ID without its angle brackets. */
  readonly id: string;
  /** Why the mail could be read in part only. */
  readonly flaws: readonly string[];
}

/**
 * Reads a mail. What cannot be read for certain is left out of the message, or marked by a
 * replacement character (U+FFFD), so that no filter is sure of it.
 */
export async function readMail({ sections, bytes, cut }: RawMail): Promise<ReadMail> {
  const contents: ReadSection[] = [];
  for (const section of sections) contents.push(await readSection(section));
  const headers = contents[0]?.headers ?? [];
  const flaws = new Set(contents.flatMap(({ flaw = [] }) => flaw));
  // A header without an end may have taken parts of the body for fields.
  if (contents[0]?.flaw === ENDLESS) contents.length = 1;
  if (cut) flaws.add(CUT[cut]);
  if (headers.length === 0) flaws.add("has no header");
  const isPartial = [...flaws].some((flaw) => flaw !== DOUBTFUL);
  const attachments = contents.flatMap((content) => content.attachments);
  // Gmail may not count an attachment without a name.
  if (isPartial) attachments.push({});
  const values = (...names: readonly string[]) =>
    headers.filter(({ key }) => names.includes(key)).map(({ value }) => value);
  /** The value is undefined for a field that may be in a part of the header that is not read. */
  const field = (...names: readonly string[]) => {
    const found = values(...names);
    if (found.length === 0 && isPartial) return undefined;
    const texts = found.map((value) => decodedField(value, !names.includes("subject")));
    // It is not known which of two senders or subjects counts.
    if (texts.length > 1 && ONCE.test(names.join())) texts.push("\ufffd");
    return texts.join(", ");
  };
  const from = field("from");
  const labels = decodeWords(values("x-gmail-labels").join(","));
  const date = Date.parse((values("date")[0] ?? "").replace(/\([^)]*\)/g, ""));
  return {
    id: values("message-id").join().replace(/^<|>$/g, ""),
    flaws: [...flaws],
    message: {
      // A mail has a sender, even where its header names none.
      from: /[\p{L}\p{N}]/u.test(from ?? "") ? from : undefined,
      to: field("to"),
      cc: field("cc"),
      bcc: field("bcc"),
      delivered_to: field("delivered-to"),
      subject: field("subject"),
      list: field("list-id", "list-post"),
      text: contents.map(({ text }) => text).join("\n"),
      text_is_cut: flaws.size > 0,
      attachments,
      bytes,
      date: Number.isNaN(date) ? undefined : new Date(date).toISOString(),
      labels: parseLabels(labels),
    },
  };
}

const ONCE = /^(?:from|subject)$/;

const CUT = {
  "too-long": "has more text than is read",
  "ends-early": "is truncated",
} as const satisfies Record<NonNullable<RawMail["cut"]>, string>;

const ENDLESS = "has a header without an end";
const DOUBTFUL = "has a text that cannot be read for certain";

/** A label with a comma in its name is in quotes. */
const parseLabels = (list: string): readonly string[] =>
  Array.from(list.matchAll(/"([^"]*)"|[^",]+/g), ([whole, quoted = whole]) => quoted.trim());

interface ReadSection {
  readonly headers: Email["headers"];
  readonly text: string;
  readonly attachments: readonly MailAttachment[];
  readonly flaw?: string | undefined;
}

async function readSection({ bytes, isDropped }: Section): Promise<ReadSection> {
  try {
    const email = await PostalMime.parse(bytes);
    const { headers, headerLines } = email;
    const attachments = email.attachments.map(toAttachment);
    if (headerLines.some(({ line }) => !/^[!-9;-~]+[ \t]*:/.test(line))) {
      return { headers, text: "", attachments: [], flaw: ENDLESS };
    }
    // Without its body, the parser does not see that the section is an attachment.
    if (isDropped && attachments.length === 0) attachments.push({});
    return { headers, attachments, ...readText(email) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The parser throws for hostile mail.
    return { headers: [], text: "", attachments: [], flaw: "cannot be parsed" };
  }
}

const toAttachment = ({ filename, disposition }: Email["attachments"][number]): MailAttachment =>
  filename !== null || disposition === "attachment" ? { name: filename ?? "" } : {};

/** The text of a section, as the parser decodes it by the encoding that its header names. */
function readText({ headers, text: plain = "", html = "" }: Email) {
  if (plain + html === "") return { text: "" };
  const type = headers.find(({ key }) => key === "content-type")?.value ?? "text/plain";
  const named = CHARSET.exec(type)?.[1];
  const charset = named ?? META.exec(html)?.[1] ?? "utf-8";
  if (!isKnown(charset)) return { text: "\ufffd", flaw: DOUBTFUL };
  const text = `${plain}\n${htmlText(html)}`;
  // The parser does not read what HTML itself names; of parts that it alone finds, the encodings are not known.
  const isUsed = named !== undefined || /^utf-?8$/i.test(charset);
  const isCertain = isUsed && !/^\s*multipart/i.test(type) && isRead(charset, plain + html + text);
  return isCertain ? { text } : { text: `${text} \ufffd`, flaw: DOUBTFUL };
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)"?/i;
const META = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i;

/** False for an encoding that the parser does not know: it reads such a text as windows-1252. */
const isKnown = (charset: string): boolean =>
  /^(?:windows-1252|iso-8859-1|us-ascii)$/i.test(charset) ||
  decodeWords(`=?${charset}?Q?=D0=A4?=`) !== decodeWords("=?windows-1252?Q?=D0=A4?=");

/** True when all of a text was decoded. */
const isRead = (charset: string, text: string): boolean =>
  !UNREAD.test(text) && !(/ascii/i.test(charset) && /[^\0-\x7f]/.test(text));

/**
 * What decoding leaves of bytes that it cannot read: a replacement character, a control, an escape, and
 * a line of quoted-printable that ends in = and blanks.
 */
const UNREAD = /[\ufffd\0-\x08\x0e-\x1a\x1c-\x1f]|\x1b[$(]|=[ \t]+\n/;

/**
 * The text of a field of the header, with a replacement character after one that is not sure. Each
 * encoded word is decoded alone, as RFC 2047 requires, although some senders split a character in two.
 *
 * @param isStructured true where signs in encoded words must not become those around addresses.
 */
function decodedField(value: string, isStructured: boolean): string {
  const decode = (word: string) => decodeWords(word.trimEnd());
  const text = value.replace(WORD, decode);
  const isCertain =
    text === decodeWords(value) &&
    !LOOSE_WORD.test(value.replace(WORD, "=?=")) &&
    Array.from(value.matchAll(WORD)).every(
      ([word, charset = ""]) => isKnown(charset) && isRead(charset, decode(word)),
    ) &&
    isRead("utf-8", text);
  const shown = isStructured
    ? value.replace(WORD, (word) => decode(word).replace(/[<>",;:()\\]/g, " "))
    : text;
  return isCertain ? shown : `${shown} \ufffd`;
}

/** An encoded word, its charset without the language (RFC 2231), and the blanks before another one. */
const WORD = /=\?([^?\s*]+)[^?\s]*\?([QB])\?([^?]*)\?=(?:\s+(?==\?[^?\s]+\?[QB]\?))?/gi;

/** An encoded word without an end, or within another word. */
const LOOSE_WORD = /=\?[^\s?]+\?[QB]\?|[^\s("<,;:=]=\?=|=\?=[^\s)">,;=]/i;
