import { plural } from "../../../src/text.ts";
import type { ReadText } from "../view.ts";

/**
 * Reads Zaps from a table: comma-, semicolon- or tab-separated, with or without a heading. Undefined
 * for a text without a row of a name, steps and runs.
 *
 * @param isPasted whether it was pasted into a field, where only several rows are a table.
 */
export function readZaps(text: string, isPasted: boolean): ReadText | undefined {
  const rows = rowsOf(text);
  const heading = columnsOf(rows[0] ?? []);
  const columns = heading ?? { name: 0, steps: 1, runs: 2 };
  const body = heading ? rows.slice(1) : rows;
  const zaps = body.flatMap((row) => {
    const action_steps = numberOf(row[columns.steps]);
    const runs_per_month = numberOf(row[columns.runs]);
    const name = row[columns.name]?.trim() ?? "";
    return action_steps === undefined || runs_per_month === undefined
      ? []
      : [{ ...(name !== "" && { name }), action_steps, runs_per_month }];
  });
  if (zaps.length < (isPasted ? 2 : 1)) return undefined;
  const leftOut = body.length - zaps.length;
  const rest = leftOut > 0 ? ` Left out ${plural(leftOut, "row")} without numbers.` : "";
  return { input: { zaps }, summary: `Read ${plural(zaps.length, "Zap")}.${rest}` };
}

interface Columns {
  readonly name: number;
  readonly steps: number;
  readonly runs: number;
}

/** The columns by their headings; undefined for a row that is no heading. */
function columnsOf(row: readonly string[]): Columns | undefined {
  const indexOf = (pattern: RegExp) => row.findIndex((cell) => pattern.test(cell));
  const steps = indexOf(/step|action/i);
  const runs = indexOf(/run|month|times|volume/i);
  const name = indexOf(/name|zap|title/i);
  return steps >= 0 && runs >= 0 && steps !== runs ? { name, steps, runs } : undefined;
}

/** A whole number, with or without thousands separators. */
function numberOf(cell = ""): number | undefined {
  const digits = cell.trim().replace(/[\s.,'’](?=\d{3}(?:\D|$))/g, "");
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}

/** The cells of a table. A quoted cell may hold separators, line breaks and doubled quotes (RFC 4180). */
function rowsOf(text: string): readonly (readonly string[])[] {
  const separator = [..."\t;,"].find((character) => text.includes(character)) ?? ",";
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n]*))(${separator}|\\r?\\n|$)`,
    "y",
  );
  const rows: string[][] = [[]];
  const body = text.trim();
  for (;;) {
    const [, quoted, plain = "", end] = cell.exec(body) ?? [];
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === undefined || end === "") return rows;
    if (end !== separator) rows.push([]);
  }
}
