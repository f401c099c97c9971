/** A mail of a mailbox. Its bytes are overwritten when the next one is read. */
export interface RawMail {
  /** The mail's header and body. If the body has parts, its header alone, and each part with its own. */
  readonly sections: readonly Section[];
  /** About the octets of the whole mail, its lines ended by CRLF: a blank line more in a mailbox. */
  readonly bytes: number;
  /** The reason why a part of the mail is missing. */
  readonly cut?: "too-long" | "ends-early" | undefined;
}

/** A header and the body that it describes. */
export interface Section {
  readonly bytes: Uint8Array;
  /** True when the body is left out because it is an attachment. */
  readonly isDropped: boolean;
}

/**
 * Cuts the mailbox of Google Takeout into its mails, or gives the one mail of an .eml file. It works
 * line by line in constant memory, and leaves out what is attached: of 50 MB only the header of
 * their part stays.
 *
 * @throws {NotMailError} for a file of another kind.
 */
export async function* splitMailbox(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<RawMail, void> {
  let start: Uint8Array = new Uint8Array();
  let splitter: Splitter | undefined;
  for await (const chunk of chunks) {
    if (splitter) yield* splitter.read(chunk, false);
    else {
      start = concat(start, chunk);
      // A pipe may be silent after its first mails.
      if (start.length < START_BYTES && !/^From .*\n/.test(latin1(start))) continue;
      start = requireMail(start);
      splitter = new Splitter(start);
      yield* splitter.read(start, false);
    }
  }
  start = splitter ? new Uint8Array() : requireMail(start);
  yield* (splitter ?? new Splitter(start)).read(start, true);
}

const START_BYTES = 1024;

class Splitter {
  private rest = new Uint8Array();
  /** True while reading a line that was too long to keep whole. */
  private isInLine = false;
  private mail: MailBuilder | undefined;
  private readonly isMbox: boolean;

  constructor(start: Uint8Array) {
    this.isMbox = SEPARATOR.test(latin1(start));
  }

  *read(added: Uint8Array, isLast: boolean): Generator<RawMail, void> {
    const bytes = this.rest.length > 0 ? concat(this.rest, added) : added;
    let at = 0;
    for (;;) {
      const end = lineEnd(bytes, at, isLast);
      if (end === 0) break;
      const isStart = this.isMbox && !this.isInLine && bytes[at] === LETTER_F;
      if (isStart && SEPARATOR.test(decodeLine(bytes, at, end))) {
        if (this.mail) yield this.mail.finish();
        this.mail = new MailBuilder(this.mail);
      } else {
        this.mail ??= new MailBuilder();
        this.mail.addLine(bytes, at, end, this.isInLine);
      }
      this.isInLine = bytes[end - 1] !== LINE_FEED;
      at = end;
    }
    this.rest = bytes.slice(at);
    if (isLast && this.mail) yield this.mail.finish();
  }
}

const LETTER_F = 70;

/** A longer line is read in pieces. */
const MAX_LINE = 65_536;

/** The end of the line that starts at an offset, after its line feed; 0 when it is not there yet. */
function lineEnd(bytes: Uint8Array, at: number, isLast: boolean): number {
  const feed = bytes.indexOf(LINE_FEED, at);
  if (feed >= 0) return feed + 1;
  const isAll = isLast || bytes.length - at > MAX_LINE;
  return isAll && at < bytes.length ? bytes.length : 0;
}

/** Thrown for a file that Gmail does not give. The message continues the file's name. */
export class NotMailError extends Error {
  override readonly name = "NotMailError";

  constructor(kind: string) {
    super(
      `is ${kind}: take the .mbox of Google Takeout (https://takeout.google.com), or a mail that Gmail saves by “Download message” (.eml)`,
    );
  }
}

/** Begins each mail in the mailbox of Google Takeout; it escapes such a line in a mail's text. */
const SEPARATOR = /^From \d+@xxx .*\d\d:\d\d/;

/** Bytes as characters of the same numbers. */
const latin1 = (bytes: Uint8Array): string =>
  String.fromCharCode(...bytes.subarray(0, START_BYTES));

function concat(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/**
 * The start of a file, without what is before its first line. It must be that of a mailbox of Google
 * Takeout, or of a mail.
 *
 * @throws {NotMailError} for a file of another kind.
 */
function requireMail(file: Uint8Array): Uint8Array {
  const [before = ""] = /^(?:\xEF\xBB\xBF)?(?:[ \t]*\r?\n)*/.exec(latin1(file)) ?? [];
  const start = latin1(file.subarray(before.length));
  const [, kind] = OTHERS.find(([pattern]) => pattern.test(start)) ?? [];
  if (kind !== undefined) throw new NotMailError(kind);
  return file.subarray(before.length);
}

const OTHERS: readonly (readonly [RegExp, string])[] = [
  // The name of the first file in a tar may look like a header.
  [/^PK\x03\x04|^.{257}ustar/s, "an archive, to be unpacked first"],
  [/^\xD0\xCF\x11\xE0/, "a mail that Outlook saved (.msg)"],
  [/^!BDN/, "a mailbox of Outlook (.pst)"],
  [/^\d+[ \t]*\r?\n/, "a mail of Apple Mail (.emlx)"],
  [/^(?:\xFF\xFE|\xFE\xFF|.?\0)/s, "text in UTF-16"],
  [/^</, "HTML or XML"],
  [/^From (?!\d+@xxx .*\d\d:\d\d)|^>From/, "a mailbox of another program than Gmail"],
  [/^[^\n]*\r[^\n]/, "text whose lines end in CR alone"],
  [/^(?!From |[\w.-]+[ \t]*:|$)/, "neither a mailbox nor a mail"],
];

/** The mail that is being read, line by line. */
class MailBuilder {
  private readonly kept: Uint8Array;
  private readonly sections: Section[] = [];
  /** The boundary lines of the multiparts that have not ended, the outermost first. */
  private readonly delimiters: string[] = [];
  /** The region that the current line is in. A line outside of all parts is not text. */
  private region: "header" | "text" | "attached" | "outside" = "header";
  private isTooLong = false;
  private length = 0;
  /** Start of the current section in the kept bytes. */
  private start = 0;
  private bytes = 0;

  /** @param before the previous mail, whose bytes are used again. */
  constructor(before?: MailBuilder) {
    this.kept = before?.kept ?? new Uint8Array(MAX_TEXT + MAX_HEADERS);
  }

  /** @param isInLine true for bytes that continue a line, whose start was added before. */
  addLine(bytes: Uint8Array, at: number, end: number, isInLine: boolean): void {
    const isWhole = bytes[end - 1] === LINE_FEED;
    const isCrlf = isWhole && end - at > 1 && bytes[end - 2] === CARRIAGE_RETURN;
    const isEmpty = !isInLine && isWhole && end - at === (isCrlf ? 2 : 1);
    this.bytes += end - at + (isWhole && !isCrlf ? 1 : 0);
    const start = isInLine ? undefined : bytes[at];
    if (start === HYPHEN && bytes[at + 1] === HYPHEN && this.takeBoundary(bytes, at, end)) return;
    if (this.region === "header") {
      this.keep(bytes, at, end, MAX_TEXT + MAX_HEADERS);
      if (isEmpty) this.beginBody();
    } else if (this.region === "text") this.keep(bytes, at, end, MAX_TEXT);
  }

  finish(): RawMail {
    const isEarly = this.region === "header" || this.delimiters.length > 0;
    this.endSection();
    return {
      sections: this.sections,
      bytes: this.bytes,
      cut: this.isTooLong ? "too-long" : isEarly ? "ends-early" : undefined,
    };
  }

  private keep(bytes: Uint8Array, at: number, end: number, most: number): void {
    if (this.length + end - at > most) {
      this.isTooLong = true;
      return;
    }
    this.kept.set(bytes.subarray(at, end), this.length);
    this.length += end - at;
  }

  private beginBody(): void {
    const header = decoder.decode(this.kept.subarray(this.start, this.length));
    const [, type = ""] = CONTENT_TYPE.exec(header) ?? [];
    const [, disposition = ""] = DISPOSITION.exec(header) ?? [];
    const [, quoted, boundary = quoted] = (MULTIPART.test(type) && BOUNDARY.exec(type)) || [];
    if (boundary !== undefined && this.delimiters.length < MAX_DEPTH) {
      this.delimiters.push(`--${boundary}`);
      this.region = "outside";
      // The header of a part that has parts says nothing more.
      if (this.start > 0) this.length = this.start;
    } else this.region = OTHER.test(type) || ATTACHED.test(disposition) ? "attached" : "text";
  }

  private endSection(): void {
    if (this.length > this.start) {
      const bytes = this.kept.subarray(this.start, this.length);
      if (this.sections.length >= MAX_SECTIONS) this.isTooLong = true;
      else this.sections.push({ bytes, isDropped: this.region === "attached" });
    }
    this.start = this.length;
  }

  /** Begins the next part, or ends the parts, if a line is a boundary; false for another line. */
  private takeBoundary(bytes: Uint8Array, at: number, end: number): boolean {
    if (this.delimiters.length === 0) return false;
    const line = decodeLine(bytes, at, end).replace(/[ \t]*[\r\n]*$/, "");
    const depth = this.delimiters.findLastIndex((one) => line === one || line === `${one}--`);
    if (depth < 0) return false;
    this.endSection();
    const isEnd = line !== this.delimiters[depth];
    this.delimiters.length = isEnd ? depth : depth + 1;
    this.region = isEnd ? "outside" : "header";
    return true;
  }
}

/** The most text kept of a mail; the headers of its parts have a limit of their own. */
const MAX_TEXT = 1_048_576;
const MAX_HEADERS = 262_144;

const MAX_DEPTH = 100;
const MAX_SECTIONS = 1000;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const HYPHEN = 45;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The start of a line: enough for a boundary, 70 characters (RFC 2046) with two hyphens at either end. */
const decodeLine = (bytes: Uint8Array, at: number, end: number): string =>
  decoder.decode(bytes.subarray(at, Math.min(end, at + 250)));

/*
 * Reads what a header says about its body. A rarer form is left to the MIME parser: then parts stay
 * together, and nothing counts as attached.
 */
const field = (name: string): RegExp =>
  new RegExp(`(?:^|\\n)${name}[ \\t]*:((?:[^\\n]|\\n[ \\t])*)`, "i");

const CONTENT_TYPE = field("content-type");
const DISPOSITION = field("content-disposition");
const ATTACHED = /^\s*attachment\s*(?:;|$)/i;
const OTHER = /^\s*(?!text\/(?:plain|html)\s*(?:;|$)|multipart\/)[\w-]+\/[\w.+-]+\s*(?:;|$)/i;

/** A digest is left to the MIME parser, because its parts are mails. */
const MULTIPART = /^\s*multipart\/(?!digest)/i;
const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]{1,70})"|([^\s";()]{1,70}))\s*(?:;|$)/i;
