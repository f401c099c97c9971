import PostalMime, { decodeWords, type Email } from "postal-mime";
import type { MailAttachment, MailMessage } from "../mail-filter/match/message.ts";
import { extractVisibleText } from "./html-text.ts";

export interface ParsedMessage {
  readonly message: MailMessage;
  /** Why only a part of the message could be read. */
  readonly flaw?: string | undefined;
}

/**
 * Parses an RFC 5322 message. Uncertain parts are omitted, or marked with a replacement character
 * (U+FFFD), so that filters do not rely on them.
 *
 * @returns undefined if it is not a single message, but a mailbox for example.
 */
export async function parseMessage(file: Uint8Array): Promise<ParsedMessage | undefined> {
  const mailbox = new TextDecoder("latin1").decode(file);
  // The line before each message of a mailbox; archives of lists have it before a single one too.
  const [line = ""] = /^From (?! *:).*\r?\n?/.exec(mailbox) ?? [];
  const [bytes, raw] = [file.subarray(line.length), mailbox.slice(line.length)];
  if (line !== "" && NEXT_MESSAGE.test(raw)) return undefined;
  const { headers, text, attachments, flaw } = await readParts(bytes, raw);
  if (!headers.some(({ key }) => COMMON_FIELD.test(key))) return undefined;
  const isPartial = flaw !== undefined && flaw !== HAS_UNCERTAIN_PART;
  const values = (...names: readonly string[]) =>
    headers.filter(({ key }) => names.includes(key)).map(({ value }) => value);
  /** Undefined if the field may be in a part of the header that was not read. */
  const field = (...names: readonly string[]) => {
    const found = values(...names);
    if (found.length === 0 && isPartial) return undefined;
    const texts = found.map((value) => decodedField(value, !names.includes("subject")));
    // We do not know which of two senders or subjects Gmail uses.
    if (texts.length > 1 && SINGLE_FIELD.test(names.join())) texts.push("\ufffd");
    return texts.join(", ");
  };
  const from = field("from");
  const date = Date.parse((values("date")[0] ?? "").replace(/\([^)]*\)/g, ""));
  return {
    flaw,
    message: {
      // Every message has a sender, even if its header does not name one.
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

/** Only messages have these fields, not other files. */
const COMMON_FIELD =
  /^(?:from|to|subject|date|message-id|received|delivered-to|list-id|content-type)$/;

const SINGLE_FIELD = /^(?:from|subject)$/;

const IS_TRUNCATED = "is truncated or broken";
const HAS_ENDLESS_HEADER = "has a header without an end";
const HAS_UNCERTAIN_PART = "has a part that may be decoded wrongly";

interface MessageParts {
  readonly headers: Email["headers"];
  readonly text: string;
  readonly attachments: readonly MailAttachment[];
  readonly flaw?: string | undefined;
}

async function readParts(bytes: Uint8Array, raw: string): Promise<MessageParts> {
  try {
    const email = await PostalMime.parse(bytes, { forceRfc822Attachments: true });
    const { headers, headerLines } = email;
    if (headerLines.some(({ line }) => !/^[!-9;-~]+[ \t]*:/.test(line))) {
      return { headers, text: "", attachments: [], flaw: HAS_ENDLESS_HEADER };
    }
    const attachments = email.attachments.map(toAttachment);
    const decodedPart = decodePart(email, raw);
    return { headers, attachments, ...decodedPart, ...(isBroken(raw) && { flaw: IS_TRUNCATED }) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The parser throws for hostile messages.
    return { headers: [], text: "", attachments: [] };
  }
}

/** Whether a part has no end, or a header that starts with text. */
function isBroken(raw: string): boolean {
  const boundaries = new Set(
    Array.from(raw.matchAll(BOUNDARY), ([, quoted, bare = ""]) => quoted ?? bare),
  );
  const isBrokenAt = (boundary: string): boolean => {
    const [, ...parts] = raw.split(`\n--${boundary}`);
    return (
      !parts.some((part) => part.startsWith("--")) ||
      parts.some((part) => HEADER_STARTS_WITH_TEXT.test(part))
    );
  };
  return boundaries.size > MAX_BOUNDARIES || [...boundaries].some(isBrokenAt);
}

/** A limit against hostile messages: the whole message is searched for each boundary. */
const MAX_BOUNDARIES = 50;

const BOUNDARY = /;\s*boundary[ \t]*\*?=[ \t]*(?:"([^"\n]+)"|([^\s";]+))/gi;
const HEADER_STARTS_WITH_TEXT = /^[ \t]*\r?\n(?![!-9;-~]+[ \t]*:|[ \t]*\r?\n|--)./;

const toAttachment = ({ filename, disposition }: Email["attachments"][number]): MailAttachment =>
  filename !== null || disposition === "attachment" ? { name: filename ?? "" } : {};

/**
 * Returns the text of a message. It is uncertain if the parser does not know the charset of a part, or
 * if a part is UTF-8 although its header names another charset.
 *
 * @param raw the message, with a character for each byte.
 */
function decodePart({ text: plain = "", html = "" }: Email, raw: string) {
  const visible = extractVisibleText(html);
  const text = `${plain}\n${visible}`;
  const charsets = Array.from(raw.matchAll(CHARSET_PARAMETER), ([, charset = ""]) => charset);
  const isUndeclared = Array.from(raw.matchAll(HTML_TYPE)).some(([type]) => !/charset/i.test(type));
  // The parser ignores the charset in the HTML itself.
  const named = isUndeclared ? (META_CHARSET.exec(html)?.[1] ?? "utf-8") : "utf-8";
  const isCertain =
    /^utf-?8$/i.test(named) &&
    charsets.every((charset) => isKnown(charset) && !isMisnamed(charset, plain + html)) &&
    isRead(charsets.join(), plain + html + text);
  return isCertain ? { text } : { text: `${text} \ufffd`, flaw: HAS_UNCERTAIN_PART };
}

const CHARSET_PARAMETER = /;\s*charset[ \t]*=[ \t]*"?([^\s;"><]+)/gi;
const HTML_TYPE = /^content-type:[ \t]*text\/html.*(?:\r?\n[ \t].*)*/gim;
const META_CHARSET = /<meta[^<>]+charset\s*=\s*["']?([\w-]+)/i;

/**
 * Whether UTF-8 was decoded in a single-byte charset, as `Ã©` for `é`. Real text in such a charset is
 * hardly ever valid UTF-8.
 */
function isMisnamed(charset: string, text: string): boolean {
  const letters = [...decodeWords(`=?${charset}?Q?${HIGH_BYTES}?=`)];
  if (letters.length !== 128 || !letters.some((letter) => /\p{L}/u.test(letter))) return false;
  const bytes = new Map(letters.map((letter, index) => [letter, index + 128]));
  return Array.from(text.matchAll(/[^\0-\x7f]+/g)).some(([run]) => {
    const runBytes = Array.from(run, (letter) => bytes.get(letter) ?? 0);
    return !new TextDecoder().decode(Uint8Array.from(runBytes)).match(/[\0\ufffd]/);
  });
}

const HIGH_BYTES = Array.from(
  { length: 128 },
  (_, at) => `=${(at + 128).toString(16).toUpperCase()}`,
).join("");

/** Whether the parser knows the charset. It reads all others as windows-1252. */
const isKnown = (charset: string): boolean =>
  /^(?:windows-1252|iso-8859-1|us-ascii)$/i.test(charset) ||
  decodeWords(`=?${charset}?Q?=D0=A4?=`) !== decodeWords("=?windows-1252?Q?=D0=A4?=");

const isRead = (charset: string, text: string): boolean =>
  !UNDECODED_TRACE.test(text) && !(/ascii/i.test(charset) && /[^\0-\x7f]/.test(text));

/**
 * Traces of a failed decoding: a replacement or control character, an escape, or a quoted-printable
 * line that ends in = and spaces.
 */
const UNDECODED_TRACE = /[\ufffd\0-\x08\x0e-\x1a\x1c-\x1f]|\x1b[$(]|=[ \t]+\n/;

/**
 * Decodes a header field, and adds a replacement character if the result is uncertain. RFC 2047 requires
 * that each encoded word is decoded alone, although some senders split a character in two.
 *
 * @param isStructured whether characters such as < in encoded words must not start an address.
 */
function decodedField(value: string, isStructured: boolean): string {
  const decode = (word: string) => decodeWords(word.trimEnd());
  const text = value.replace(ENCODED_WORD, decode);
  const isCertain =
    text === decodeWords(value) &&
    !LOOSE_WORD.test(value.replace(ENCODED_WORD, "=?=")) &&
    Array.from(value.matchAll(ENCODED_WORD)).every(
      ([word, charset = ""]) =>
        isKnown(charset) && !isMisnamed(charset, decode(word)) && isRead(charset, decode(word)),
    ) &&
    isRead("utf-8", text);
  const shown = isStructured
    ? value.replace(ENCODED_WORD, (word) => decode(word).replace(/[<>",;:()\\]/g, " "))
    : text;
  return isCertain ? shown : `${shown} \ufffd`;
}

/** An encoded word: its charset without the language (RFC 2231), and the spaces before the next word. */
const ENCODED_WORD = /=\?([^?\s*]+)[^?\s]*\?([QB])\?([^?]*)\?=(?:\s+(?==\?[^?\s]+\?[QB]\?))?/gi;

/** An encoded word that has no end, or is inside another word. */
const LOOSE_WORD = /=\?[^\s?]+\?[QB]\?|[^\s("<,;:=]=\?=|=\?=[^\s)">,;=]/i;
