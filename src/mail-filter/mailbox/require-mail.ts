import { isZip } from "../../text.ts";

/** A file is not a mail; the message continues its name. */
export class NotMailError extends Error {
  override readonly name = "NotMailError";
}

/**
 * The chunks of a file, whose first bytes must be those of a mailbox or a mail.
 *
 * @throws {NotMailError} for an archive, and for a file of another kind.
 */
export async function* requireMail(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const first: Uint8Array[] = [];
  let start: string | undefined = "";
  for await (const chunk of chunks) {
    if (start !== undefined) {
      // A chunk is overwritten when the next one is read.
      first.push(chunk.slice());
      start += String.fromCharCode(...chunk.subarray(0, START_BYTES));
      // A pipe may be silent after its first mails.
      if (start.length < START_BYTES && !/^From \S/.test(start)) continue;
      requireStart(start);
      start = undefined;
      yield* first.splice(0);
    } else yield chunk;
  }
  if (start !== undefined) requireStart(start);
  yield* first;
}

const START_BYTES = 512;

function requireStart(start: string): void {
  // The name of the first file in a tar may look like a header.
  if (isZip(start) || start.slice(257, 262) === "ustar") {
    throw new NotMailError("is an archive: unpack it first, and take the .mbox that is in it");
  }
  if (!MAIL_START.test(start)) throw new NotMailError("is not a mailbox");
}

/** A `From ` line, a field of a header, or nothing. */
const MAIL_START = /^(?:\xEF\xBB\xBF)?\s*(?:$|>?From |[\w.-]+[ \t]*:)/;
