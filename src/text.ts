/** A number with thousands separators: 1,153. */
export const thousands = (value: number): string =>
  String(value).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ",");

/** A size of whole KiB: "16 KiB" for 16384 bytes. */
export const kibibytes = (bytes: number): string => `${bytes / 1024} KiB`;

/** A count and its noun: "1 item", "2 items". */
export const plural = (count: number, noun: string): string =>
  `${thousands(count)} ${noun}${count === 1 ? "" : "s"}`;

/**
 * A word for a POSIX shell: bare when no character is special, else in single quotes. A leading
 * `=` is quoted as well, because zsh replaces `=name` with the path of that program.
 */
export const posixQuote = (word: string): string =>
  /^[\w@%+:,./-][\w@%+:,./=-]*$/.test(word) ? word : singleQuote(word);

/** Any text as one word of a POSIX shell, in single quotes. */
export const singleQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A column of a table: its heading, its cells, and the side to which they are aligned. */
export interface Column {
  readonly heading: string;
  readonly align: "left" | "right";
  readonly cells: readonly string[];
}

/** The lines of a table, with two spaces between the columns. */
export function table(columns: readonly Column[]): string[] {
  const padded = columns.map(({ heading, align, cells }) => {
    const lines = [heading, ...cells];
    const width = Math.max(...lines.map(({ length }) => length));
    return lines.map((cell) => (align === "left" ? cell.padEnd(width) : cell.padStart(width)));
  });
  const [first = []] = padded;
  return first.map((_, row) =>
    padded
      .map((cells) => cells[row])
      .join("  ")
      .trimEnd(),
  );
}
