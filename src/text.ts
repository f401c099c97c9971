/** A number with thousands separators: 1,153. */
export const thousands = (value: number): string =>
  String(value).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ",");

/** A count and its noun: "1 item", "2 items". */
export const plural = (count: number, noun: string): string =>
  `${thousands(count)} ${noun}${count === 1 ? "" : "s"}`;

/**
 * A word as a POSIX shell takes it: bare where no shell finds a meaning in it, else in single
 * quotes. A word that starts with `=` is quoted because zsh looks for a program of that name.
 */
export const posixQuote = (word: string): string =>
  /^[\w@%+:,./-][\w@%+:,./=-]*$/.test(word) ? word : singleQuote(word);

/** Any text as one word of a POSIX shell, in single quotes. */
export const singleQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A column's heading and its cells, to be aligned on one side. */
export interface Column {
  readonly heading: string;
  readonly align: "left" | "right";
  readonly cells: readonly string[];
}

/** The lines of a table, two blanks between the columns. */
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
