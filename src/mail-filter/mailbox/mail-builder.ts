import {
  CARRIAGE_RETURN,
  GREATER,
  HYPHEN,
  IS_MARK,
  isEscapedFrom,
  LINE_FEED,
  LONGEST_LINE,
  latin1,
} from "./lines.ts";
import { type PartHeader, readPartHeader } from "./part-header.ts";

/** A mail of a mailbox. Its bytes are overwritten when the next one is read. */
export interface RawMail {
  readonly header: Uint8Array;
  /** The header fields that describe the body, and the body without attachments, at most 1 MB of text. */
  readonly content: Uint8Array;
  /** Octets of the whole mail, its lines ended by CRLF. */
  readonly bytes: number;
  /** Why its text is incomplete, if it is. */
  readonly cut?: "too-long" | "encoding" | "ends-early" | undefined;
}

/** The mail that is being read, line by line. */
export class MailBuilder {
  private readonly boundaries: string[] = [];
  private bytes = 0;
  private lastBlank = 0;
  private headerLength = 0;
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
   * Reads lines of a body, up to one that may be something else.
   *
   * @returns the place of that line.
   */
  addBody(bytes: Uint8Array, start: number): number {
    if (this.isInHeader) return start;
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
    this.keepBody(bytes, start, at);
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
    else if (bytes[at] === HYPHEN && bytes[at + 1] === HYPHEN && this.boundaries.length > 0) {
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
    if (this.isInHeader || this.boundaries.length > 0) this.cut ??= "ends-early";
    return {
      header: this.kept.subarray(0, this.headerLength || this.length),
      content: this.kept.subarray(this.headerLength, this.length),
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
    else this.cut ??= "too-long";
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
    const header = latin1(this.kept, this.headerStart, this.length);
    if (this.headerLength === 0) this.beginContent(header);
    this.isInHeader = false;
    this.beginBody(readPartHeader(header));
  }

  /** Keeps the few fields of a mail's own header that a MIME parser needs. */
  private beginContent(header: string): void {
    this.headerLength = this.length;
    const fields = header.match(MIME_FIELDS) ?? [];
    for (const character of `${fields.join("")}\r\n`) {
      this.kept[this.length] = character.charCodeAt(0);
      this.length += 1;
    }
  }

  private beginBody({ boundary, isText, isUndecodable }: PartHeader): void {
    this.isSkipped = !isText || boundary !== undefined;
    if (isText && isUndecodable) this.cut ??= "encoding";
    if (boundary === undefined) return;
    if (this.boundaries.length < DEEPEST) this.boundaries.push(`--${boundary}`);
    else this.cut ??= "too-long";
  }

  /** Begins the next part, or ends the parts, where a line is one of the boundaries. */
  private meetsBoundary(bytes: Uint8Array, at: number, end: number): boolean {
    const line = latin1(bytes, at, Math.min(end, at + LONGEST_BOUNDARY)).trimEnd();
    for (let depth = this.boundaries.length - 1; depth >= 0; depth -= 1) {
      const boundary = this.boundaries[depth] ?? "";
      const isEnd = line === `${boundary}--`;
      if (line !== boundary && !isEnd) continue;
      this.boundaries.length = isEnd ? depth : depth + 1;
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

/** The most that a mail needs: its header is in the buffer twice, the second time as a few fields. */
export const BUFFER_BYTES = 2 * (MOST_TEXT + MOST_HEADERS);

const MIME_FIELDS = /^(?:content-[\w-]+|mime-version)[ \t]*:(?:[^\r\n]+|\r?\n[ \t])*\r?\n/gim;

/** RFC 2046 allows 70 characters, and two hyphens at either end. */
const LONGEST_BOUNDARY = 250;

const DEEPEST = 100;
