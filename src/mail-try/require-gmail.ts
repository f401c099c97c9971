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
export const SEPARATOR = /^From \d+@xxx .*\d\d:\d\d/;

/**
 * The chunks of a file, without what is before its first line. Its start must be that of a mailbox
 * of Google Takeout, or of a mail.
 *
 * @throws {NotMailError} for a file of another kind.
 */
export async function* requireGmail(
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
