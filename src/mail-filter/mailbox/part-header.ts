/** What is read of the header of a mail or of one of its parts. */
export interface PartHeader {
  /** The line before each of its parts, without the two hyphens; only of a multipart. */
  readonly boundary?: string | undefined;
  /** False for an attachment and for other content. */
  readonly isText: boolean;
  /** True for text in an encoding that no decoder knows. */
  readonly isUndecodable: boolean;
}

/** Reads the lines of a header, with their line ends. */
export function readPartHeader(header: string): PartHeader {
  const type = fieldOf(header, TYPE);
  const [, boundary] = /^\s*multipart\/.*?;\s*boundary\s*=\s*"?([^";]+)"?/is.exec(type) ?? [];
  const isAttachment = /^\s*attachment/i.test(fieldOf(header, DISPOSITION));
  const [, charset] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type) ?? [];
  return {
    boundary: boundary?.trimEnd(),
    // A multipart without a boundary that is found here is read as a whole.
    isText: !isAttachment && /^\s*(?:$|text\/|multipart\/)/i.test(type),
    isUndecodable: charset !== undefined && !isKnown(charset),
  };
}

/** A field, with the lines that continue it; empty without one. */
const fieldOf = (header: string, field: RegExp): string =>
  field.exec(header)?.[1]?.replace(/\r?\n(?=[ \t])/g, "") ?? "";

const CONTINUED = String.raw`((?:[^\r\n]+|\r?\n[ \t])*)`;

const TYPE = new RegExp(`^content-type[ \\t]*:${CONTINUED}`, "im");

const DISPOSITION = new RegExp(`^content-disposition[ \\t]*:${CONTINUED}`, "im");

const known = new Map<string, boolean>();

function isKnown(charset: string): boolean {
  const name = charset.toLowerCase();
  const found = known.get(name) ?? canDecode(name);
  // Hostile mails may have a new name each.
  if (known.size < 1000) known.set(name, found);
  return found;
}

function canDecode(charset: string): boolean {
  try {
    // Types of runtimes list the names that they know.
    return new TextDecoder(charset as "utf-8") !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
