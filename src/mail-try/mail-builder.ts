/** A mail of a mailbox. Its bytes are overwritten when the next one is read. */
export interface RawMail {
  /** The mail's header, with its body unless that has parts; then all parts. */
  readonly sections: readonly Section[];
  /** Octets of the whole mail, its lines ended by CRLF. */
  readonly bytes: number;
  /** Why some of it is missing, if it is. */
  readonly cut?: "too-long" | "ends-early" | undefined;
}

/** A header and the body that it describes. */
export interface Section {
  readonly bytes: Uint8Array;
  /** True when the body is left out, being attached. */
  readonly isDropped: boolean;
}

/** The mail that is being read, line by line. */
export class MailBuilder {
  /** The lines before each part of the multiparts that have not ended. */
  private readonly delimiters: string[] = [];
  private readonly sections: Section[] = [];
  private readonly kept: Uint8Array;
  private length = 0;
  /** Start of the current section in the kept bytes. */
  private start = 0;
  private isInHeader = true;
  private isDropped = false;
  /** True for lines before and after parts. */
  private isBeside = false;
  private isQuotedPrintable = false;
  /** True in a field of the header that nobody asks for. */
  private isUseless = false;
  private isTooLong = false;
  private bytes = 0;
  private lastBlank = 0;

  /** @param buffer of `BUFFER_BYTES`, for what is kept of the mail. */
  constructor(buffer: Uint8Array) {
    this.kept = buffer;
  }

  /** True where a mailbox would begin its next mail. */
  get isBetweenMails(): boolean {
    return this.lastBlank > 0 && this.delimiters.length === 0;
  }

  /** @param isInLine true for what goes on in a line whose start was added before. */
  addLine(bytes: Uint8Array, at: number, end: number, isInLine: boolean): void {
    const isWhole = bytes[end - 1] === LINE_FEED;
    const isCrlf = isWhole && end - at > 1 && bytes[end - 2] === CARRIAGE_RETURN;
    this.bytes += end - at + (isWhole && !isCrlf ? 1 : 0);
    const isEmpty = !isInLine && isWhole && end - at === (isCrlf ? 2 : 1);
    this.lastBlank = isEmpty ? 2 : 0;
    if (isInLine) this.keep(bytes, at, end);
    else if (bytes[at] === HYPHEN && bytes[at + 1] === HYPHEN && this.isBoundary(bytes, at, end)) {
      this.isBeside ||= !this.isInHeader;
    } else {
      // Takeout escapes a line that looks like the start of a mail.
      if (bytes[at] === GREATER && isEscapedFrom(bytes, at)) this.bytes -= 1;
      if (this.isInHeader && !isBlank(bytes[at])) this.isUseless = isUselessField(bytes, at);
      this.keep(bytes, at, end);
      if (isEmpty && this.isInHeader) this.beginBody();
    }
  }

  finish(): RawMail {
    const isEarly = this.isInHeader || this.delimiters.length > 0;
    this.endSection();
    return {
      sections: this.sections,
      // The blank line before the next separator is not part of the mail.
      bytes: this.bytes - this.lastBlank,
      cut: this.isTooLong ? "too-long" : isEarly ? "ends-early" : undefined,
    };
  }

  private keep(bytes: Uint8Array, at: number, end: number): void {
    if (this.isInHeader ? this.isUseless : this.isDropped || this.isBeside) return;
    if (this.length + end - at > (this.isInHeader ? BUFFER_BYTES : MOST_TEXT)) {
      this.isTooLong = true;
      return;
    }
    let textEnd = end;
    if (this.isQuotedPrintable && bytes[end - 1] === LINE_FEED) {
      // Blanks at the end of a line are no text (RFC 2045, 6.7), nor do they end a soft break.
      while (textEnd > at && isBlank(bytes[textEnd - 1])) textEnd -= 1;
    }
    this.kept.set(bytes.subarray(at, textEnd), this.length);
    this.length += textEnd - at;
    if (textEnd < end) {
      this.kept[this.length] = LINE_FEED;
      this.length += 1;
    }
  }

  private beginBody(): void {
    this.isInHeader = false;
    const { boundary, isAttached, isQuotedPrintable } = describe(
      decoder.decode(this.kept.subarray(this.start, this.length)),
    );
    this.isDropped = isAttached;
    this.isQuotedPrintable = isQuotedPrintable;
    if (boundary === undefined || this.delimiters.length >= DEEPEST) return;
    this.delimiters.push(`--${boundary}`);
    this.isBeside = true;
    // Of inner ones the header says nothing more.
    if (this.start > 0) this.length = this.start;
  }

  private endSection(): void {
    if (this.length > this.start) {
      const bytes = this.kept.subarray(this.start, this.length);
      if (this.sections.length < MOST_SECTIONS) {
        this.sections.push({ bytes, isDropped: this.isDropped });
      } else this.isTooLong = true;
    }
    this.start = this.length;
    this.isDropped = false;
    this.isQuotedPrintable = false;
  }

  /** Begins the next part, or ends the parts, where a line is one of the boundaries. */
  private isBoundary(bytes: Uint8Array, at: number, end: number): boolean {
    if (this.delimiters.length === 0) return false;
    const line = decoder
      .decode(bytes.subarray(at, Math.min(end, at + LONGEST_BOUNDARY)))
      .replace(/[ \t]*[\r\n]*$/, "");
    const depth = this.delimiters.findLastIndex((one) => line === one || line === `${one}--`);
    if (depth < 0) return false;
    this.endSection();
    const isEnd = line !== this.delimiters[depth];
    this.delimiters.length = isEnd ? depth : depth + 1;
    this.isInHeader = !isEnd;
    this.isBeside = false;
    return true;
  }
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const HYPHEN = 45;
const GREATER = 62;

const isBlank = (byte: number | undefined): boolean =>
  byte === 32 || byte === 9 || byte === LINE_FEED || byte === CARRIAGE_RETURN;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Fields of servers are half of most headers. */
function isUselessField(bytes: Uint8Array, at: number): boolean {
  return USELESS.test(decoder.decode(bytes.subarray(at, at + 30)));
}

const USELESS =
  /^(?:received|arc-[\w-]+|dkim-signature|authentication-results|x-(?!gmail-labels)[\w-]+)[ \t]*:/i;

/** `>From `, `>>From `. */
function isEscapedFrom(bytes: Uint8Array, at: number): boolean {
  return /^>+From /.test(decoder.decode(bytes.subarray(at, at + 100)));
}

/** The most text read of a mail; the headers of its parts have a limit of their own. */
const MOST_TEXT = 1_048_576;
const MOST_HEADERS = 262_144;

/** The most bytes that are kept of a mail. */
export const BUFFER_BYTES = MOST_TEXT + MOST_HEADERS;

/** RFC 2046 allows 70 characters, and two hyphens at either end. */
const LONGEST_BOUNDARY = 250;

const DEEPEST = 100;
const MOST_SECTIONS = 1000;

/**
 * What a header says of its body. What is written in a rarer form is left for the parser of MIME to
 * read: parts stay together, and nothing is taken for attached.
 */
function describe(header: string) {
  const [, type = ""] = CONTENT_TYPE.exec(header) ?? [];
  const [, disposition = ""] = DISPOSITION.exec(header) ?? [];
  const [, encoding = ""] = ENCODING.exec(header) ?? [];
  const [, , quoted, boundary = quoted] = MULTIPART.exec(type) ?? [];
  return {
    boundary,
    isAttached: OTHER_TYPE.test(type) || /^\s*attachment\s*(?:;|$)/i.test(disposition),
    isQuotedPrintable: /^\s*quoted-printable\s*$/i.test(encoding),
  };
}

const field = (name: string): RegExp =>
  new RegExp(`(?:^|\\n)${name}[ \\t]*:((?:[^\\n]|\\n[ \\t])*)`, "i");

const CONTENT_TYPE = field("content-type");
const DISPOSITION = field("content-disposition");
const ENCODING = field("content-transfer-encoding");

const OTHER_TYPE = /^\s*(?!text\/(?:plain|html)\s*(?:;|$)|multipart\/)[\w-]+\/[\w.+-]+\s*(?:;|$)/i;

/** A digest's parts are mails. */
const MULTIPART =
  /^\s*multipart\/(?!digest)([\w-]+)\s*;(?:\s*(?!boundary\b)[\w-]+=(?:"[^"\\]*"|[^\s"();\\]+)\s*;)*\s*boundary\s*=\s*(?:"([ !#-[\]-~]{1,70})"|([!#-'*-:<-[\]-~]{1,70}))\s*(?:;|$)/i;
