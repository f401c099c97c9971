import PostalMime, { decodeWords, type Email } from "postal-mime";
import type { MailAttachment, MailMessage } from "../mail-filter/match/mail.ts";
import { htmlText } from "./html-text.ts";
import type { RawMail, Section } from "./mail-builder.ts";
import { concat } from "./split-mailbox.ts";

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
    return { headers, attachments, ...(await readText(bytes, email)) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The parser throws for hostile mail.
    return { headers: [], text: "", attachments: [], flaw: "cannot be parsed" };
  }
}

const toAttachment = ({ filename, disposition }: Email["attachments"][number]): MailAttachment =>
  filename !== null || disposition === "attachment" ? { name: filename ?? "" } : {};

const joinTexts = ({ text = "", html = "" }: Email): string => text + html;

/** The text of a section, in the encoding that it names, or that its HTML does. */
async function readText(
  bytes: Uint8Array,
  email: Email,
): Promise<{ readonly text: string; readonly flaw?: string }> {
  if (joinTexts(email) === "") return { text: "" };
  const type = email.headers.find(({ key }) => key === "content-type")?.value ?? "text/plain";
  // Of two such fields the parser reads the first.
  const readAs = (charset: string): Promise<Email> => {
    const field = `Content-Type: ${type.replace(CHARSET, "")}; charset=${charset}\n`;
    return PostalMime.parse(concat(new TextEncoder().encode(field), bytes));
  };
  const [, named = ""] = CHARSET.exec(type) ?? [];
  const [, inHtml = "utf-8"] = (named === "" && META.exec(email.html ?? "")) || [];
  const charset = (named || inHtml).replace(/[^\w.:-]/g, "").toLowerCase() || "utf-8";
  const found = charset === (named || "utf-8").toLowerCase() ? email : await readAs(charset);
  const written = joinTexts(found);
  const isOther = !UTF_8.test(charset) && NOT_ASCII.test(written);
  const asUtf8 = isOther ? joinTexts(await readAs("utf-8")) : "";
  const text = `${found.text ?? ""}\n${htmlText(found.html ?? "")}`;
  const isCertain =
    // Of parts that the parser alone finds, the encodings are not known.
    !/^\s*multipart/i.test(type) &&
    !DAMAGED.test(written) &&
    !UNREAD.test(text) &&
    isSure(charset, written, asUtf8);
  if (isCertain) return { text };
  return { text: `${isReadable(charset, written) ? text : ""} \ufffd`, flaw: DOUBTFUL };
}

/** Characters that no text has; base64 with a letter missing gives them. */
const DAMAGED = /[\0-\x08\x0e-\x1f]/;

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)"?/i;
const META = /<meta\s[^>]{0,500}?charset\s*=\s*["']?\s*([\w.:-]+)/i;
const UTF_8 = /^utf-?8$/i;
const NOT_ASCII = /[^\0-\x7f]/;

/**
 * True when a text is surely what its sender wrote.
 *
 * @param charset in lower case.
 * @param asUtf8 the text as it is in UTF-8, which its sender may have meant.
 */
const isSure = (charset: string, text: string, asUtf8: string): boolean =>
  isReadable(charset, text) &&
  !UNREAD.test(text) &&
  !WIDE.test(charset) &&
  !(ASCII.test(charset) && NOT_ASCII.test(text)) &&
  !(NOT_ASCII.test(asUtf8) && !asUtf8.includes("\ufffd"));

/** False where not even the ASCII of a text is sure: in the right encoding it may be other characters. */
const isReadable = (charset: string, text: string): boolean =>
  UTF_8.test(charset) || (isKnown(charset) && !text.includes("\ufffd"));

const ASCII = /ascii|^ansi_x3/;

/** Encodings whose order of bytes is in the text, or is guessed. */
const WIDE = /^(?:utf-?16|ucs-?2|unicode|iso-10646)/;

/** False for an encoding that the parser does not know: it reads such a text as windows-1252. */
const isKnown = (charset: string): boolean =>
  WESTERN.test(charset) ||
  decodeWords(`=?${charset}?Q?=D0=A4?=`) !== decodeWords("=?l1?Q?=D0=A4?=");

const WESTERN =
  /^(?:(?:x-)?cp-?1252|windows-?1252|iso[-_]?8859[-_]?1(?::1987)?|(?:csiso)?latin-?1|l1|(?:cp|ibm)819|iso-ir-100|(?:us-?)?ascii|ansi_x3.*)$/;

/**
 * The text of a field of the header, with a replacement character after one that is not sure. Each
 * encoded word is decoded alone, as RFC 2047 requires, although some senders split a character in two.
 *
 * @param isStructured true where signs in encoded words must not become those around addresses.
 */
function decodedField(value: string, isStructured: boolean): string {
  if (!value.includes("=?")) return UNREAD.test(value) ? `${value} \ufffd` : value;
  const apart = value.replace(WORD, readWord);
  const isCertain =
    apart === decodeWords(value) &&
    !UNREAD.test(apart) &&
    !LOOSE_WORD.test(value.replace(WORD, "=?=")) &&
    Array.from(value.matchAll(WORD)).every(isSureWord);
  const text = isStructured
    ? value.replace(WORD, (word, named) => readWord(word, named).replace(/[<>",;:()\\]/g, " "))
    : apart;
  return isCertain ? text : `${text} \ufffd`;
}

function readWord(word: string, named: string): string {
  const text = decodeWords(word.trimEnd());
  return isReadable(normaliseCharset(named), text) ? text : "\ufffd";
}

function isSureWord([word, named = "", encoding, content]: RegExpExecArray): boolean {
  const charset = normaliseCharset(named);
  const asUtf8 = UTF_8.test(charset) ? "" : decodeWords(`=?utf-8?${encoding}?${content}?=`);
  return isSure(charset, decodeWords(word.trimEnd()), asUtf8);
}

/** Removes the language that may follow a charset (RFC 2231). */
const normaliseCharset = (named: string): string => named.toLowerCase().replace(/\*.*/, "");

/** An encoded word, and the blanks after one that another follows. */
const WORD = /=\?([^?\s]+)\?([QB])\?([^?]*)\?=(?:\s+(?==\?[^?\s]+\?[QB]\?[^?]*\?=))?/gi;

/** An encoded word without an end, or within another word. */
const LOOSE_WORD = /=\?[^\s?]+\?[QB]\?|[^\s("<,;:=]=\?=|=\?=[^\s)">,;=]/i;

/** A replacement character for bytes that are not UTF-8, or the escape before undecoded Japanese. */
const UNREAD = /\ufffd|\x1b[$(]/;
