import { MailBuilder, type RawMail } from "./mail-builder.ts";

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
  const splitter = new Splitter();
  for await (const chunk of requireGmail(chunks)) yield* splitter.read(chunk, false);
  yield* splitter.read(new Uint8Array(), true);
}

class Splitter {
  private rest = new Uint8Array();
  /** True while reading a line that was too long to keep whole. */
  private isInLine = false;
  private isMbox: boolean | undefined;
  private mail: MailBuilder | undefined;

  *read(added: Uint8Array, isLast: boolean): Generator<RawMail, void> {
    const bytes = this.rest.length > 0 ? concat(this.rest, added) : added;
    let at = 0;
    for (;;) {
      const end = lineEnd(bytes, at, isLast);
      if (end === 0) break;
      if (!this.isInLine && bytes[at] === LETTER_F && this.isSeparator(bytes.subarray(at, end))) {
        if (this.mail) yield this.mail.finish();
        this.mail = new MailBuilder(this.mail);
      } else {
        this.mail ??= new MailBuilder();
        this.mail.addLine(bytes, at, end, this.isInLine);
      }
      this.isMbox ??= false;
      this.isInLine = bytes[end - 1] !== LINE_FEED;
      at = end;
    }
    this.rest = bytes.slice(at);
    if (isLast && this.mail) yield this.mail.finish();
  }

  private isSeparator(bytes: Uint8Array): boolean {
    const line = decoder.decode(bytes.subarray(0, 200));
    this.isMbox ??= SEPARATOR.test(line);
    if (!this.isMbox && this.mail?.isBetweenMails && DATED.test(line) && !PATCH.test(line)) {
      throw new NotMailError("a mail before a mailbox");
    }
    return this.isMbox && SEPARATOR.test(line);
  }
}

const decoder = new TextDecoder();

/** The `From ` line of any mailbox: `From - Mon Jan 05 10:00:00 2026`. */
const DATED = /^From \S+ +\w{3} \w{3} +\d{1,2} \d\d:\d\d/;

/** Git begins each patch with this date. */
const PATCH = /Mon Sep 17 00:00:00 2001/;

const LETTER_F = 70;
const LINE_FEED = 10;

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

/**
 * The chunks of a file, without what is before its first line. Its start must be that of a mailbox
 * of Google Takeout, or of a mail.
 *
 * @throws {NotMailError} for a file of another kind.
 */
async function* requireGmail(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  let start: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of chunks) {
    if (start === undefined) yield chunk;
    else {
      start = concat(start, chunk);
      // A pipe may be silent after its first mails.
      if (start.length < START_BYTES && !/^From .*\n/.test(latin1(start))) continue;
      yield requireMail(start);
      start = undefined;
    }
  }
  if (start !== undefined) yield requireMail(start);
}

const START_BYTES = 1024;

/** Bytes as characters of the same numbers. */
const latin1 = (bytes: Uint8Array): string =>
  String.fromCharCode(...bytes.subarray(0, START_BYTES));

export function concat(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

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
