import { decoderOf, hasAscii } from "./charset.ts";
import { type HtmlText, htmlText, htmlTextOf } from "./html-text.ts";
import { CARRIAGE_RETURN, LINE_FEED } from "./lines.ts";
import type { MailPart, RawMail } from "./mail-builder.ts";
import type { MimeContent, MimeParser } from "./mime-parser.ts";
import type { PartHeader } from "./part-header.ts";

/** What filters ask of the body of a mail. */
export interface BodyContent extends Pick<MimeContent, "attachments"> {
  readonly text: string;
  readonly html: HtmlText;
}

/**
 * Reads the parts of an ordinary mail, as a parser of MIME does, but for white space.
 *
 * @returns undefined for a mail that is for a parser to read. Texts are decoded when asked for.
 */
export function readParts(
  { mail, parts, isOrdinary }: RawMail,
  { decodeWords }: MimeParser,
): BodyContent | undefined {
  if (!isOrdinary) return undefined;
  const texts = parts.filter(isBodyText);
  if (!isOneBody(texts) || texts.some(({ header }) => !decoderOf(header.charset))) return undefined;
  const bodies = (type: string) =>
    texts
      .filter(({ header }) => header.type === type)
      .map(({ header, start, end }) => ({ header, body: mail.subarray(start, end) }));
  return {
    get text() {
      return bodies("text/plain")
        .map(({ header, body }) => decodedText(body, header))
        .join("\n");
    },
    get html() {
      const texts = bodies("text/html").map(({ header, body }) => decodedHtml(body, header));
      return {
        text: texts.map(({ text }) => text).join("\n"),
        isCut: texts.some(({ isCut }) => isCut),
      };
    },
    attachments: parts
      .filter((part) => !isBodyText(part))
      .map(({ header: { filename, disposition } }) => ({
        filename: filename && decodeWords(filename),
        disposition,
      })),
  };
}

const isBodyText = ({ header: { type, disposition } }: MailPart): boolean =>
  (type === "text/plain" || type === "text/html") && disposition !== "attachment";

/** True when the texts need only be joined, and none is made from one of the other type. */
function isOneBody([first, ...others]: readonly MailPart[]): boolean {
  return others.every(
    ({ header, alternative }) =>
      alternative === first?.alternative &&
      (alternative !== undefined || header.type === first?.header.type),
  );
}

const decodedText = (body: Uint8Array, { charset, encoding }: PartHeader): string =>
  decoderOf(charset)?.decode(decodedBytes(body, encoding)) ?? "";

function decodedHtml(body: Uint8Array, header: PartHeader): HtmlText {
  const decoder = decoderOf(header.charset);
  return decoder && hasAscii(decoder)
    ? htmlText(decodedBytes(body, header.encoding), decoder)
    : htmlTextOf(decodedText(body, header));
}

function decodedBytes(body: Uint8Array, encoding: string): Uint8Array {
  if (encoding.includes("base64")) return fromBase64(body);
  return encoding.includes("quoted-printable") ? fromQuotedPrintable(body) : body;
}

/** Decoded bytes become a text at once, so one buffer serves all bodies. */
let scratch = new Uint8Array(65_536);

function scratchFor({ length }: Uint8Array): Uint8Array {
  if (scratch.length < length) scratch = new Uint8Array(length);
  return scratch;
}

const EQUALS = 61;

/** The bits of a character of base64; more than 63 for another one. */
const BITS = new Uint8Array(256).fill(255);
for (const [bits, letter] of [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
].entries()) {
  BITS[letter.charCodeAt(0)] = bits;
}

function fromBase64(body: Uint8Array): Uint8Array {
  const decoded = scratchFor(body);
  let length = 0;
  let held = 0;
  let bits = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    const added = BITS[byte] ?? 255;
    // Some mailers pad each line.
    if (byte === EQUALS) bits = 0;
    if (added > 63) continue;
    held = ((held << 6) | added) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    decoded[length] = held >> bits;
    length += 1;
  }
  return decoded.subarray(0, length);
}

/** The value of a hexadecimal digit; -1 for another character. */
const HEX = new Int8Array(256).fill(-1);
for (const [value, digits] of [..."0123456789abcdef"].entries()) {
  for (const digit of digits + digits.toUpperCase()) HEX[digit.charCodeAt(0)] = value;
}

function fromQuotedPrintable(body: Uint8Array): Uint8Array {
  const decoded = scratchFor(body);
  let length = 0;
  let at = 0;
  while (at < body.length) {
    const byte = body[at] ?? 0;
    at += 1;
    let code = byte;
    if (byte === EQUALS) {
      const hex = ((HEX[body[at] ?? 0] ?? -1) << 4) | (HEX[body[at + 1] ?? 0] ?? -1);
      if (hex < 0) {
        let end = at;
        while (body[end] === CARRIAGE_RETURN) end += 1;
        if (end === body.length || body[end] === LINE_FEED) {
          // The line goes on in the next one.
          at = end + 1;
          continue;
        }
      } else {
        code = hex;
        at += 2;
      }
    }
    decoded[length] = code;
    length += 1;
  }
  return decoded.subarray(0, length);
}
