import { decoderOf } from "./charset.ts";
import {
  CARRIAGE_RETURN,
  GREATER,
  HYPHEN,
  IS_MARK,
  isEscapedFrom,
  LINE_FEED,
  LONGEST_LINE,
  textOf,
} from "./lines.ts";
import { type Fields, type PartHeader, readFields, readPartHeader } from "./part-header.ts";

/** A mail of a mailbox. Its bytes are overwritten when the next one is read. */
export interface RawMail {
  readonly fields: Fields;
  readonly hasHeader: boolean;
  /** Header and body, without attachments and with at most 1 MB of text. */
  readonly mail: Uint8Array;
  /** All parts but the multiparts, in order. */
  readonly parts: readonly MailPart[];
  /** True when `parts` describes the body fully, so that no parser is needed. */
  readonly isOrdinary: boolean;
  /** Octets of the whole mail, its lines ended by CRLF. */
  readonly bytes: number;
  /** Why its text is incomplete, if it is. */
  readonly cut?: "too-long" | "encoding" | "ends-early" | undefined;
}

/** A part of a mail, or the one body that it has. */
export interface MailPart {
  readonly header: PartHeader;
  /** Start of its body in the kept bytes. */
  readonly start: number;
  readonly end: number;
  /** Identifies the nearest multipart/alternative around it. */
  readonly alternative: number | undefined;
}

/** A multipart that has not ended. */
interface Multipart {
  /** The line before each of its parts. */
  readonly delimiter: string;
  readonly alternative: number | undefined;
}

/** The mail that is being read, line by line. */
export class MailBuilder {
  private readonly multiparts: Multipart[] = [];
  private readonly parts: MailPart[] = [];
  private part: Omit<MailPart, "end"> | undefined;
  private fields: Fields | undefined;
  private isOrdinary = true;
  private bytes = 0;
  private lastBlank = 0;
  private isInHeader = true;
  /** Start of the current part's header in the kept bytes. */
  private headerStart = 0;
  private isSkipped = false;
  private cut: RawMail["cut"];
  /** Start of the lines of the current chunk to keep; `keptTo` is their end. */
  private keptFrom = 0;
  private keptTo = 0;
  private readonly kept: Uint8Array;
  private length = 0;

  /** @param buffer of `BUFFER_BYTES`, for what is kept of the mail. */
  constructor(buffer: Uint8Array) {
    this.kept = buffer;
  }

  /**
   * Reads ordinary lines, up to one that may begin or end something.
   *
   * @returns the place of that line.
   */
  addLines(bytes: Uint8Array, start: number): number {
    let at = start;
    let bare = 0;
    while (at - start < LONGEST_LINE && IS_MARK[bytes[at] ?? 0] === 0) {
      const feed = bytes.indexOf(LINE_FEED, at);
      if (feed < 0) break;
      if (bytes[feed - 1] !== CARRIAGE_RETURN) bare += 1;
      at = feed + 1;
    }
    if (at === start) return start;
    this.bytes += at - start + bare;
    this.lastBlank = 0;
    if (this.isInHeader) this.keepHeader(bytes, start, at);
    else this.keepBody(bytes, start, at);
    return at;
  }

  addLine(bytes: Uint8Array, at: number, end: number, isInLine: boolean): void {
    const isWhole = bytes[end - 1] === LINE_FEED;
    const isCrlf = isWhole && end - at > 1 && bytes[end - 2] === CARRIAGE_RETURN;
    this.bytes += end - at + (isWhole && !isCrlf ? 1 : 0);
    this.lastBlank = 0;
    const isEmpty = isWhole && end - at === (isCrlf ? 2 : 1);
    if (isEmpty) this.lastBlank = 2;
    if (!isInLine && bytes[at] === GREATER && isEscapedFrom(bytes, at)) this.bytes -= 1;
    if (isInLine || !this.isMarked(bytes, at, end, isEmpty)) this.keepBody(bytes, at, end);
  }

  private isMarked(bytes: Uint8Array, at: number, end: number, isEmpty: boolean): boolean {
    if (this.isInHeader && isEmpty) this.endHeader(bytes, at, end);
    else if (bytes[at] === HYPHEN && bytes[at + 1] === HYPHEN && this.multiparts.length > 0) {
      return this.meetsBoundary(bytes, at, end) || this.isKeptHeader(bytes, at, end);
    } else return this.isKeptHeader(bytes, at, end);
    return true;
  }

  /** Copies the lines to keep out of a chunk before it is overwritten. */
  flush(bytes: Uint8Array): void {
    if (this.keptTo > this.keptFrom) {
      this.kept.set(bytes.subarray(this.keptFrom, this.keptTo), this.length);
      this.length += this.keptTo - this.keptFrom;
    }
    this.keptFrom = 0;
    this.keptTo = 0;
  }

  finish(bytes: Uint8Array): RawMail {
    this.flush(bytes);
    this.endPart();
    if (this.isInHeader || this.multiparts.length > 0) this.cut ??= "ends-early";
    // A mail without a body may end in its header.
    const fields = this.fields ?? readFields(textOf(this.kept, 0, this.length));
    return {
      fields,
      hasHeader: fields.size > 0 || /^[!-9;-~]+[ \t]*:/m.test(textOf(this.kept, 0, this.length)),
      mail: this.kept.subarray(0, this.length),
      parts: this.parts,
      isOrdinary: this.isOrdinary && !this.isInHeader,
      // The blank line before the next `From ` line is not part of the mail.
      bytes: this.bytes - this.lastBlank,
      cut: this.cut,
    };
  }

  private keep(bytes: Uint8Array, at: number, end: number): void {
    if (this.keptTo !== at) {
      this.flush(bytes);
      this.keptFrom = at;
    }
    this.keptTo = end;
  }

  private get size(): number {
    return this.length + this.keptTo - this.keptFrom;
  }

  private isKeptHeader(bytes: Uint8Array, at: number, end: number): boolean {
    if (this.isInHeader) this.keepHeader(bytes, at, end);
    return this.isInHeader;
  }

  private keepHeader(bytes: Uint8Array, at: number, end: number): void {
    if (this.size + end - at <= MOST_HEADERS + MOST_TEXT) this.keep(bytes, at, end);
    else this.setTooLong();
  }

  private keepBody(bytes: Uint8Array, at: number, end: number): void {
    if (this.isSkipped) return;
    if (this.size + end - at <= MOST_TEXT) this.keep(bytes, at, end);
    else {
      this.cut ??= "too-long";
      this.isSkipped = true;
    }
  }

  private endHeader(bytes: Uint8Array, at: number, end: number): void {
    this.keepHeader(bytes, at, end);
    this.flush(bytes);
    const header = textOf(this.kept, this.headerStart, this.length);
    const fields = readFields(header);
    this.fields ??= fields;
    this.isInHeader = false;
    // Parsers differ in what a space before the first field means, or a carriage return alone.
    this.isOrdinary &&= !/^[ \t]/.test(header) && !/\r(?!\n)/.test(header);
    this.beginBody(readPartHeader(fields));
  }

  private beginBody(header: PartHeader): void {
    const { type, boundary, isText, charset, isPlain } = header;
    const outer = this.multiparts.at(-1)?.alternative;
    this.isSkipped = !isText || boundary !== undefined;
    this.isOrdinary &&= isPlain && !/^(?:message\/|multipart\/digest)/.test(type);
    if (boundary !== undefined) {
      this.isOrdinary &&= /^[!-~]{1,70}$/.test(boundary);
      const alternative = type === "multipart/alternative" ? this.headerStart : outer;
      if (this.multiparts.length < DEEPEST) {
        this.multiparts.push({ delimiter: `--${boundary}`, alternative });
      } else this.setTooLong();
      return;
    }
    this.isOrdinary &&= !type.startsWith("multipart/");
    if (isText && !decoderOf(charset)) this.cut ??= "encoding";
    if (this.parts.length < MOST_PARTS) {
      this.part = { header, start: this.size, alternative: outer };
    } else this.isOrdinary = false;
  }

  private endPart(): void {
    if (this.part) this.parts.push({ ...this.part, end: this.size });
    this.part = undefined;
  }

  private setTooLong(): void {
    this.cut ??= "too-long";
    this.isOrdinary = false;
  }

  /** Begins the next part, or ends the parts, where a line is one of the boundaries. */
  private meetsBoundary(bytes: Uint8Array, at: number, end: number): boolean {
    const line = textOf(bytes, at, Math.min(end, at + LONGEST_BOUNDARY)).replace(
      /[ \t]*[\r\n]*$/,
      "",
    );
    for (let depth = this.multiparts.length - 1; depth >= 0; depth -= 1) {
      const { delimiter } = this.multiparts[depth] ?? {};
      const isEnd = line === `${delimiter}--`;
      if (line !== delimiter && !isEnd) continue;
      this.endPart();
      // A part whose header has no end is for a parser.
      if (this.isInHeader) this.isOrdinary = false;
      this.multiparts.length = isEnd ? depth : depth + 1;
      this.keepHeader(bytes, at, end);
      this.isSkipped = true;
      this.isInHeader = !isEnd;
      this.headerStart = this.size;
      return true;
    }
    return false;
  }
}

/** The most text read of a mail; the headers of its parts have a limit of their own. */
const MOST_TEXT = 1_048_576;
const MOST_HEADERS = 262_144;

/** The most bytes that are kept of a mail. */
export const BUFFER_BYTES = MOST_TEXT + MOST_HEADERS;

/** RFC 2046 allows 70 characters, and two hyphens at either end. */
const LONGEST_BOUNDARY = 250;

const DEEPEST = 100;

/** A mail with more parts is left to the parser. */
const MOST_PARTS = 1000;
