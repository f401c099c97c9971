import PostalMime, { decodeWords, type Email } from "postal-mime";
import type { MailAttachment, MailMessage } from "../mail-filter/match/message.ts";
import { extractVisibleText } from "./html-text.ts";

/** A message that is read as far as it can be. */
export interface ParsedMessage {
  readonly message: MailMessage;
  /** Why the message could be read in part only. */
  readonly flaw?: string | undefined;
}

/**
 * Reads a message of RFC 5322. Uncertain parts are left out of the result, or marked by a
 * replacement character (U+FFFD), so that no filter is sure of it.
 *
 * @returns undefined for bytes that are no single message, such as a mailbox.
 */
export async function parseMessage(file: Uint8Array): Promise<ParsedMessage | undefined> {
  const mailbox = new TextDecoder("latin1").decode(file);
  // The line before each message of a mailbox; archives of lists have it before a single one too.
  const [line = ""] = /^From (?! *:).*\r?\n?/.exec(mailbox) ?? [];
  const [bytes, raw] = [file.subarray(line.length), mailbox.slice(line.length)];
  if (line !== "" && NEXT_MESSAGE.test(raw)) return undefined;
  const { headers, text, attachments, flaw } = await readParts(bytes, raw);
  if (!headers.some(({ key }) => COMMON_FIELD.test(key))) return undefined;
  const isPartial = flaw !== undefined && flaw !== DOUBTFUL;
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
  const date = Date.parse((values("date")[0] ?? "").replace(/\([^)]*\)/g, ""));
  return {
    flaw,
    message: {
      // A message has a sender, even where its header names none.
      from: /[\p{L}\p{N}]/u.test(from ?? "") ? from : undefined,
      to: field("to"),
      cc: field("cc"),
      bcc: field("bcc"),
      delivered_to: field("delivered-to"),
      subject: field("subject"),
      list: field("list-id", "list-post"),
      text,
      text_truncated: flaw !== undefined,
      // Gmail may not count an attachment without a name.
      attachments: isPartial ? [...attachments, {}] : attachments,
      // Gmail counts CRLF, whatever the file has.
      bytes: bytes.length + (raw.match(/(?<!\r)\n/g)?.length ?? 0),
      date: Number.isNaN(date) ? undefined : new Date(date).toISOString(),
    },
  };
}

/** The line before the next message of a mailbox. */
const NEXT_MESSAGE = /\n\r?\nFrom .*\n[\w-]+ *:/;

/** A field that tells a message from other files. */
const COMMON_FIELD =
  /^(?:from|to|subject|date|message-id|received|delivered-to|list-id|content-type)$/;

const ONCE = /^(?:from|subject)$/;

const CUT = "is truncated or broken";
const ENDLESS = "has a header without an end";
const DOUBTFUL = "has a text that cannot be read for certain";

interface Parts {
  readonly headers: Email["headers"];
  readonly text: string;
  readonly attachments: readonly MailAttachment[];
  readonly flaw?: string | undefined;
}

async function readParts(bytes: Uint8Array, raw: string): Promise<Parts> {
  try {
    const email = await PostalMime.parse(bytes, { forceRfc822Attachments: true });
    const { headers, headerLines } = email;
    if (headerLines.some(({ line }) => !/^[!-9;-~]+[ \t]*:/.test(line))) {
      return { headers, text: "", attachments: [], flaw: ENDLESS };
    }
    const attachments = email.attachments.map(toAttachment);
    const read = decodePart(email, raw);
    return { headers, attachments, ...read, ...(isBroken(raw) && { flaw: CUT }) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The parser throws for hostile mail.
    return { headers: [], text: "", attachments: [] };
  }
}

/** Whether a message ends before its parts do, or has a part whose header begins with words. */
function isBroken(raw: string): boolean {
  const boundaries = new Set(
    Array.from(raw.matchAll(BOUNDARY), ([, quoted, bare = ""]) => quoted ?? bare),
  );
  const hasLooseEnds = (boundary: string): boolean => {
    const [, ...parts] = raw.split(`\n--${boundary}`);
    return !parts.some((part) => part.startsWith("--")) || parts.some((part) => LOOSE.test(part));
  };
  return boundaries.size > MAX_BOUNDARIES || [...boundaries].some(hasLooseEnds);
}

/** More are hostile: each is looked for in the whole message. */
const MAX_BOUNDARIES = 50;

const BOUNDARY = /;\s*boundary[ \t]*\*?=[ \t]*(?:"([^"\n]+)"|([^\s";]+))/gi;
const LOOSE = /^[ \t]*\r?\n(?![!-9;-~]+[ \t]*:|[ \t]*\r?\n|--)./;

const toAttachment = ({ filename, disposition }: Email["attachments"][number]): MailAttachment =>
  filename !== null || disposition === "attachment" ? { name: filename ?? "" } : {};

/**
 * The text of a message, which is not sure where a part has an encoding that the parser does not know,
 * or is in UTF-8 although its header names another encoding.
 *
 * @param raw the message, with a character for each byte.
 */
function decodePart({ text: plain = "", html = "" }: Email, raw: string) {
  const visible = extractVisibleText(html);
  const text = `${plain}\n${visible}`;
  const charsets = Array.from(raw.matchAll(CHARSET), ([, charset = ""]) => charset);
  const isUndeclared = Array.from(raw.matchAll(HTML_TYPE)).some(([type]) => !/charset/i.test(type));
  // The parser does not read what HTML itself names.
  const named = isUndeclared ? (META.exec(html)?.[1] ?? "utf-8") : "utf-8";
  const isCertain =
    /^utf-?8$/i.test(named) &&
    charsets.every((charset) => isKnown(charset) && !isMisnamed(charset, plain + html)) &&
    isRead(charsets.join(), plain + html + text);
  return isCertain ? { text } : { text: `${text} \ufffd`, flaw: DOUBTFUL };
}

const CHARSET = /;\s*charset[ \t]*=[ \t]*"?([^\s;"><]+)/gi;
const HTML_TYPE = /^content-type:[ \t]*text\/html.*(?:\r?\n[ \t].*)*/gim;
const META = /<meta[^<>]+charset\s*=\s*["']?([\w-]+)/i;

/**
 * Whether a string in UTF-8 was decoded as an encoding of one byte a character: `Ã©` for `é`. In
 * such an encoding the bytes of whole words are hardly ever valid UTF-8.
 */
function isMisnamed(charset: string, text: string): boolean {
  const letters = [...decodeWords(`=?${charset}?Q?${HIGH_BYTES}?=`)];
  if (letters.length !== 128 || !letters.some((letter) => /\p{L}/u.test(letter))) return false;
  const bytes = new Map(letters.map((letter, index) => [letter, index + 128]));
  return Array.from(text.matchAll(/[^\0-\x7f]+/g)).some(([run]) => {
    const written = Array.from(run, (letter) => bytes.get(letter) ?? 0);
    return !new TextDecoder().decode(Uint8Array.from(written)).match(/[\0\ufffd]/);
  });
}

const HIGH_BYTES = Array.from(
  { length: 128 },
  (_, at) => `=${(at + 128).toString(16).toUpperCase()}`,
).join("");

/** Whether the parser knows an encoding: any other it reads as windows-1252. */
const isKnown = (charset: string): boolean =>
  /^(?:windows-1252|iso-8859-1|us-ascii)$/i.test(charset) ||
  decodeWords(`=?${charset}?Q?=D0=A4?=`) !== decodeWords("=?windows-1252?Q?=D0=A4?=");

/** Whether the whole string was decoded. */
const isRead = (charset: string, text: string): boolean =>
  !UNDECODED.test(text) && !(/ascii/i.test(charset) && /[^\0-\x7f]/.test(text));

/**
 * What decoding leaves of bytes that it cannot read: a replacement character, a control, an escape, and
 * a line of quoted-printable that ends in = and blanks.
 */
const UNDECODED = /[\ufffd\0-\x08\x0e-\x1a\x1c-\x1f]|\x1b[$(]|=[ \t]+\n/;

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
      ([word, charset = ""]) =>
        isKnown(charset) && !isMisnamed(charset, decode(word)) && isRead(charset, decode(word)),
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
