/** A longer line is read in pieces. */
export const LONGEST_LINE = 65_536;

export const LINE_FEED = 10;
export const CARRIAGE_RETURN = 13;
export const HYPHEN = 45;
export const GREATER = 62;
export const LETTER_F = 70;

/** The first bytes of lines that may begin a mail or a part, or are empty. */
export const IS_MARK = new Uint8Array(256);
for (const byte of [0, LINE_FEED, CARRIAGE_RETURN, HYPHEN, GREATER, LETTER_F]) IS_MARK[byte] = 1;

const FROM = Uint8Array.from("From ", (letter) => letter.charCodeAt(0));

/** True for a line that begins with `From `. */
export const startsWithFrom = (bytes: Uint8Array, at: number): boolean =>
  FROM.every((byte, index) => bytes[at + index] === byte);

/** The end of the line at a place, after its line feed; 0 when it is not there yet. */
export function lineEnd(bytes: Uint8Array, at: number, isLast: boolean): number {
  const feed = bytes.indexOf(LINE_FEED, at);
  if (feed >= 0) return feed + 1;
  const isAll = isLast || bytes.length - at > LONGEST_LINE;
  return isAll && at < bytes.length ? bytes.length : 0;
}

/** `>From `, `>>From `: Takeout and others escape a `From ` in a text in this way. */
export function isEscapedFrom(bytes: Uint8Array, at: number): boolean {
  let from = at;
  while (bytes[from] === GREATER) from += 1;
  return startsWithFrom(bytes, from);
}

export const isBlank = (bytes: Uint8Array, at: number, end: number): boolean =>
  end - at === 1 || (end - at === 2 && bytes[at] === CARRIAGE_RETURN);

/** Keeps a byte order mark, which makes a field another one. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export const textOf = (bytes: Uint8Array, at: number, end: number): string =>
  decoder.decode(bytes.subarray(at, end));
