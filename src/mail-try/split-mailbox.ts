import { MailBuilder, type RawMail } from "./mail-builder.ts";
import { concat, NotMailError, requireGmail, SEPARATOR } from "./require-gmail.ts";

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
