import { LINE_CONTROL } from "../schemas/invisible.ts";

/** Adds thousands separators: 1,153. */
export const formatNumber = (value: number): string =>
  String(value).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ",");

/** Whether a string has more than `max` bytes of UTF-8. Counts them only if necessary. */
export const hasMoreBytes = (text: string, max: number): boolean =>
  text.length > max || (text.length * 3 > max && byteLength(text) > max);

/** Shortens a string to `max` bytes of UTF-8, including the ellipsis. */
export function truncateToBytes(text: string, max: number): string {
  if (!hasMoreBytes(text, max)) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(max - byteLength("…")));
  return `${text.slice(0, read)}…`;
}

/** Escapes untrusted text for one line: line breaks, control characters and CI commands. */
export const escapeLine = (text: string): string => escapeCiCommands(escapeControls(text, ""));

/** Escapes control characters, except tabs and line feeds. */
export const escapeText = (text: string): string => escapeControls(text, "\t\n");

/** Escapes control characters and CI commands. JSON keeps its value, because only strings change. */
export const escapeForCi = (text: string): string => escapeCiCommands(escapeText(text));

/**
 * Escapes commands to CI services in printed lines: `::NAME::` at the start and `##[NAME]` anywhere for
 * GitHub Actions (actions/runner, ActionCommand.cs), `##vso[NAME]` for Azure Pipelines
 * (azure-pipelines-agent, Command.cs), `##teamcity[NAME]` for TeamCity.
 */
const escapeCiCommands = (text: string): string =>
  text.replace(/#(?=#\w*\[)/g, "\\u0023").replace(/^([^\S\r\n]*):(?=:)/gm, "$1\\u003a");

const escapeControls = (text: string, kept: string): string =>
  text.replace(LINE_CONTROL, (control) => {
    if (kept.includes(control)) return control;
    return control === "\n" ? "\\n" : `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

export const jsonBytes = (value: unknown): number => byteLength(JSON.stringify(value));

/** Joins items as in `a, b or c`. */
export function joinWithConjunction(items: readonly string[], conjunction: "and" | "or"): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}

/** Lists the first items: `a, b, c and 38 more`. */
export const formatSome = (texts: readonly string[]): string =>
  joinWithConjunction(firstOf(texts), "and");

/** Lists the first clauses: `a; b; c; and 38 more`. */
export const formatSomeClauses = (clauses: readonly string[]): string =>
  firstOf(clauses, "and ").join("; ");

const firstOf = (texts: readonly string[], beforeRest = ""): readonly string[] =>
  texts.length <= MAX_NAMED_ITEMS + 1
    ? texts
    : [
        ...texts.slice(0, MAX_NAMED_ITEMS),
        `${beforeRest}${formatNumber(texts.length - MAX_NAMED_ITEMS)} more`,
      ];

/** One more item is listed as well, because "and 1 more" would be as long. */
const MAX_NAMED_ITEMS = 3;

/** Formats 16384 bytes as "16 KiB". */
export const kibibytes = (bytes: number): string => `${bytes / 1024} KiB`;

/** Formats a count and its noun: "1 item", "2 items". */
export const formatCount = (count: number, noun: string): string =>
  `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;

/**
 * Quotes a word for a POSIX shell if necessary. A leading `=` needs quotes, because zsh replaces
 * `=name` with the path of that program.
 */
export const posixQuote = (word: string): string =>
  /^[\w@%+:,./-][\w@%+:,./=-]*$/.test(word) ? word : singleQuote(word);

export const singleQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export interface Column {
  readonly heading: string;
  readonly align: "left" | "right";
  readonly cells: readonly string[];
}

/** Counts terminal columns: an East Asian letter or an emoji takes two. */
function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  const letters = [...new Intl.Segmenter("en").segment(text)];
  return letters.reduce(
    (columns, { segment }) => columns + (WIDE_CHARACTER.test(segment) ? 2 : 1),
    0,
  );
}

const EAST_ASIAN = String.raw`\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}`;
const FULL_WIDTH_SIGNS = String.raw`\u3000-\u303e\uff01-\uff60\uffe0-\uffe6`;
const HALF_WIDTH_FORMS = String.raw`\uff61-\uffdc`;

const WIDE_CHARACTER = new RegExp(
  String.raw`^(?![${HALF_WIDTH_FORMS}])[\p{Emoji_Presentation}${EAST_ASIAN}${FULL_WIDTH_SIGNS}]|\ufe0f`,
  "u",
);

/** Aligns the columns of a table, with two spaces between them. */
export function formatTable(columns: readonly Column[]): string[] {
  const padded = columns.map(({ heading, align, cells }) => {
    const lines = [heading, ...cells];
    const width = Math.max(...lines.map(displayWidth));
    return lines.map((cell) => {
      const space = " ".repeat(width - displayWidth(cell));
      return align === "left" ? cell + space : space + cell;
    });
  });
  const [first = []] = padded;
  return first.map((_, row) =>
    padded
      .map((cells) => cells[row])
      .join("  ")
      .trimEnd(),
  );
}

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark, as some programs on Windows save it.
 *
 * @throws {TypeError} if `fatal` is true and the bytes are neither.
 */
export function decodeText(bytes: Uint8Array, options: { readonly fatal: boolean }): string {
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  const encoding = mark === 0xfffe ? "utf-16le" : mark === 0xfeff ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding, options).decode(bytes);
}

export const isZip = (text: string): boolean => text.startsWith("PK\u0003\u0004");

/** Whether a file is XML or HTML. */
export const isXml = (text: string): boolean => /^\uFEFF?\s*</.test(text);

/** Explains an error of the operating system. Returns undefined for other errors. */
export const describeSystemError = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error ? SYSTEM_ERROR_REASONS[String(error.code)] : undefined;

const SYSTEM_ERROR_REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EBADF: "is closed",
  EFBIG: "the file would grow too large",
  EISDIR: "is a directory",
  ELOOP: "its links form a loop",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "no such file or directory",
  ENOSPC: "no space left on the device",
  ENOTDIR: "part of the path is not a directory",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
};
