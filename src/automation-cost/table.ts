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
