import {
  isBlank,
  LETTER_F,
  LINE_FEED,
  LONGEST_LINE,
  lineEnd,
  startsWithFrom,
  textOf,
} from "./lines.ts";
import { BUFFER_BYTES, MailBuilder, type RawMail } from "./mail-builder.ts";
import { isSeparator } from "./separator.ts";

/**
 * Cuts a mailbox (mbox) into its mails, or gives the one mail of a file without `From ` lines. It
 * works line by line in constant memory, and leaves out what needs no parser: of 50 MB that are
 * attached, only the header of their part stays.
 */
export async function* splitMailbox(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<RawMail, void> {
  const splitter = new Splitter();
  for await (const chunk of chunks) yield* splitter.read(chunk, false);
  yield* splitter.read(new Uint8Array(), true);
}

class Splitter {
  /** Mails are read one after the other, so one is enough. */
  private readonly buffer = new Uint8Array(BUFFER_BYTES);
  private rest = new Uint8Array();
  /** Holds the rest and the next chunk. */
  private joined = new Uint8Array();
  /** True while reading a line that was too long to keep whole. */
  private isInLine = false;
  private isBlankBefore = true;
  private isMbox: boolean | undefined;
  private mail: MailBuilder | undefined;

  *read(added: Uint8Array, isLast: boolean): Generator<RawMail, void> {
    const bytes = this.withRest(added);
    let at = 0;
    for (;;) {
      if (this.mail && !this.isInLine) {
        const next = this.mail.addLines(bytes, at);
        if (next > at) this.isBlankBefore = false;
        at = next;
      }
      const end = lineEnd(bytes, at, isLast);
      if (end === 0) break;
      if (!this.isInLine && bytes[at] === LETTER_F && startsWithFrom(bytes, at)) {
        const next = lineEnd(bytes, end, true);
        // The line after it may not be there yet.
        if (next === 0 && !isLast) break;
        if (bytes[next - 1] !== LINE_FEED && !isLast && next - end < LONGEST_LINE) break;
        if (this.isMailStart(bytes, at, end, next)) {
          if (this.mail) yield this.mail.finish(bytes);
          this.mail = new MailBuilder(this.buffer);
          this.isBlankBefore = false;
          at = end;
          continue;
        }
      }
      this.isMbox ??= false;
      this.mail ??= new MailBuilder(this.buffer);
      this.mail.addLine(bytes, at, end, this.isInLine);
      this.isBlankBefore = !this.isInLine && isBlank(bytes, at, end);
      this.isInLine = bytes[end - 1] !== LINE_FEED;
      at = end;
    }
    this.mail?.flush(bytes);
    this.rest = bytes.slice(at);
    if (isLast && this.mail) yield this.mail.finish(bytes);
  }

  private withRest(added: Uint8Array): Uint8Array {
    const { rest } = this;
    const length = rest.length + added.length;
    if (rest.length === 0) return added;
    if (this.joined.length < length) this.joined = new Uint8Array(length + LONGEST_LINE);
    this.joined.set(rest);
    this.joined.set(added, rest.length);
    return this.joined.subarray(0, length);
  }

  /** A file that does not begin with a `From ` line is a single mail. */
  private isMailStart(bytes: Uint8Array, at: number, end: number, next: number): boolean {
    this.isMbox ??= true;
    if (!this.isMbox) return false;
    if (!this.mail) return true;
    return isSeparator(textOf(bytes, at, end), textOf(bytes, end, next), this.isBlankBefore);
  }
}
