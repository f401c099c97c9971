import { LINE_CONTROL } from "../schemas/invisible.ts";

/** A number with thousands separators: 1,153. */
export const formatNumber = (value: number): string =>
  String(value).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ",");

/** True for a text of more than `max` bytes of UTF-8. They are counted only if it matters. */
export const hasMoreBytes = (text: string, max: number): boolean =>
  text.length > max || (text.length * 3 > max && byteLength(text) > max);

/** The start of a text, in at most `max` bytes of UTF-8; an ellipsis ends one that was cut. */
export function truncateToBytes(text: string, max: number): string {
  if (!hasMoreBytes(text, max)) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(max - byteLength("…")));
  return `${text.slice(0, read)}…`;
}

/** A text as one line, with its control characters and its commands of CI services escaped: anyone may have written it. */
export const escapeLine = (text: string): string => escapeCiCommands(escapeControls(text, ""));

/** A text of several lines, with its control characters escaped, except tabs. */
export const escapeText = (text: string): string => escapeControls(text, "\t\n");

/** Like `visibleText`, and commands of CI services are escaped. JSON keeps its value, since only strings change. */
export const escapeForCi = (text: string): string => escapeCiCommands(escapeText(text));

/**
 * Escapes what CI services obey in a printed line: GitHub Actions `::NAME::` at its start and
 * `##[NAME]` anywhere, Azure Pipelines `##vso[NAME]` anywhere, TeamCity `##teamcity[NAME]`. Two of
 * their parsers:
 * https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs and
 * https://github.com/microsoft/azure-pipelines-agent/blob/master/src/Microsoft.VisualStudio.Services.Agent/Command.cs
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

/** `a, b or c` */
export function joinWithConjunction(items: readonly string[], conjunction: "and" | "or"): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}

/** The first of many texts: `a, b, c and 38 more`. */
export const formatSome = (texts: readonly string[]): string =>
  joinWithConjunction(firstOf(texts), "and");

/** The first of many clauses: `a; b; c; and 38 more`. */
export const formatSomeClauses = (clauses: readonly string[]): string =>
  firstOf(clauses, "and ").join("; ");

const firstOf = (texts: readonly string[], beforeRest = ""): readonly string[] =>
  texts.length <= MAX_NAMED + 1
    ? texts
    : [...texts.slice(0, MAX_NAMED), `${beforeRest}${formatNumber(texts.length - MAX_NAMED)} more`];

/** The texts that a message lists; one more takes no more room than its number. */
const MAX_NAMED = 3;

/** A size of whole KiB: "16 KiB" for 16384 bytes. */
export const kibibytes = (bytes: number): string => `${bytes / 1024} KiB`;

/** A count and its noun: "1 item", "2 items". */
export const formatCount = (count: number, noun: string): string =>
  `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;

/**
 * A word for a POSIX shell: bare when no character is special, else in single quotes. A leading
 * `=` is quoted as well, because zsh replaces `=name` with the path of that program.
 */
export const posixQuote = (word: string): string =>
  /^[\w@%+:,./-][\w@%+:,./=-]*$/.test(word) ? word : singleQuote(word);

/** Any text as one word of a POSIX shell, in single quotes. */
export const singleQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A column of a table: its heading, its cells, and their alignment. */
export interface Column {
  readonly heading: string;
  readonly align: "left" | "right";
  readonly cells: readonly string[];
}

/** The columns of a terminal that a text takes: two for an East Asian letter or an emoji. */
function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  const letters = [...new Intl.Segmenter("en").segment(text)];
  return letters.reduce((columns, { segment }) => columns + (WIDE.test(segment) ? 2 : 1), 0);
}

const EAST_ASIAN = String.raw`\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}`;
const FULL_WIDTH_SIGNS = String.raw`\u3000-\u303e\uff01-\uff60\uffe0-\uffe6`;
const HALF_WIDTH_FORMS = String.raw`\uff61-\uffdc`;

/** A character of full width, or a sign that is shown as an emoji. */
const WIDE = new RegExp(
  String.raw`^(?![${HALF_WIDTH_FORMS}])[\p{Emoji_Presentation}${EAST_ASIAN}${FULL_WIDTH_SIGNS}]|\ufe0f`,
  "u",
);

/** The lines of a table, with two spaces between the columns. */
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
 * The text of a file in UTF-8, or in UTF-16 with a byte order mark, as programs on Windows save it.
 *
 * @throws {TypeError} for other bytes, unless they may be replaced.
 */
export function decodeText(bytes: Uint8Array, options: { readonly fatal: boolean }): string {
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  const encoding = mark === 0xfffe ? "utf-16le" : mark === 0xfeff ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding, options).decode(bytes);
}

/** True for a ZIP archive, by its first bytes. */
export const isZip = (text: string): boolean => text.startsWith("PK\u0003\u0004");

/** True for XML, such as an export of Gmail, and for a web page. */
export const isXml = (text: string): boolean => /^\uFEFF?\s*</.test(text);

/** An error of the operating system in words for the user; undefined for another one. */
export const describeSystemError = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error ? SYSTEM_ERROR_REASONS[String(error.code)] : undefined;

const SYSTEM_ERROR_REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EBADF: "is closed",
  EFBIG: "the file would grow too large",
  EISDIR: "is a directory",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "no such file or directory",
  ENOSPC: "no space is left on the device",
  ENOTDIR: "a part of the path is not a directory",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
};
