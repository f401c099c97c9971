import { MAX_EXTENDED_ZAPS } from "../../../schemas/automation-cost.ts";
import { readRuns } from "../../../src/automation-cost/cells.ts";
import { InvalidInputError } from "../../../src/issues.ts";
import { formatCount } from "../../../src/text.ts";
import { capitalise } from "../components.tsx";
import { markTouched, type ReadOutcome } from "../form/form-state.ts";
import { addRow, ensureRows, type FormValues } from "../form/form-values.ts";
import { addZaps, DEFAULT_RUNS, findSameZaps, zapFields } from "./zap-form.ts";

/**
 * Reads a table of Zaps or a `zapfile.json`. Any other paste into the grid fills its cells. Headings
 * in other words, such as another language, are passed over.
 *
 * @param name the cell that was pasted into; empty for a file.
 */
export async function parsePastedZaps(
  text: string,
  name: string,
  form: FormValues,
): Promise<ReadOutcome> {
  const cell = /^zaps\[(\d+)\]\.(\w+)$/.exec(name);
  const { parseZapsRaw } = await import("../../../src/automation-cost/parse-zaps.ts");
  const readTable = (table: string) => {
    try {
      return addRead(parseZapsRaw(table), form);
    } catch (error) {
      if (error instanceof InvalidInputError) return error;
      throw error;
    }
  };
  const outcome = readTable(text);
  if (!(outcome instanceof InvalidInputError)) return outcome;
  const isJson = /^\s*[{[]/.test(text);
  if (!cell || isJson)
    return { reason: `This file ${outcome.issues.map(({ message }) => message).join(", ")}.` };
  const withoutHeadings = readTable(text.replace(UNKNOWN_HEADINGS, ""));
  if (!(withoutHeadings instanceof InvalidInputError)) return withoutHeadings;
  return fillCells(cell[1] ?? "", cell[2] ?? "", text);
}

/** Matches a first line in which no number follows a separator. */
const UNKNOWN_HEADINGS = /^(?!.*[\t,;|] *["~≈]?\d).*\n/;

type FoundZaps = ReturnType<
  typeof import("../../../src/automation-cost/parse-zaps.ts").parseZapsRaw
>;

function addRead(found: FoundZaps, form: FormValues): ReadOutcome {
  const { runs_texts, without_runs, skipped_rows, ambiguous_steps_heading, warnings } = found;
  const zaps = found.zaps.map((zap, index) => {
    // Keep a rate as it was written, unless the heading has its unit.
    const text = runs_texts[index] ?? "";
    return readRuns(text).value === zap.runs_per_month ? { ...zap, runs_per_month: text } : zap;
  });
  const skippedAt = (index: number) => skipped_rows.filter((row) => row.index === index);
  const rows = [...zaps.flatMap((zap, at) => [...skippedAt(at), zap]), ...skippedAt(zaps.length)];
  // The rows show unreadable cells, and rates as they were written.
  const isShown = ({ key }: (typeof warnings)[number]) =>
    key === "row-skipped" ||
    (key === "read-as/rate" &&
      zaps.every(({ runs_per_month }) => typeof runs_per_month === "string"));
  const all = [...rows, ...without_runs];
  const same = findSameZaps(form, all).length;
  const replaced = `${formatCount(same, "Zap")} that you had ${same === 1 ? "is" : "are"} replaced.`;
  const details = warnings
    .filter((warning) => !isShown(warning))
    .map(({ path: [list, index], message }) => {
      const zap = list === undefined ? undefined : Object(found)[list][Number(index)];
      const inQuotes = message.replace(/"((?:[^"\\]|\\.)*)"/g, "“$1”");
      return capitalise(zap === undefined ? `${inQuotes}.` : `“${zap.name}” ${inQuotes}.`);
    });
  return {
    change(form) {
      const names = addZaps(form, all, ambiguous_steps_heading);
      const toCorrect = names.filter((_, at) => skipped_rows.some((row) => row === rows[at]));
      markTouched(
        form,
        toCorrect.flatMap((name) => [`${name}.action_steps`, `${name}.runs_per_month`]),
      );
      return without_runs.length > 1 ? DEFAULT_RUNS : names[0];
    },
    notice: `Read ${formatCount(all.length, "Zap")}.`,
    details: same > 0 ? [replaced, ...details] : details,
  };
}

/** Puts cells from a spreadsheet into the grid, rightwards and downwards from a cell. */
function fillCells(first: string, column: string, text: string): ReadOutcome {
  const lines = text.replace(/[\r\n]+$/, "").split(/\r\n?|\n/);
  if (lines.length > MAX_EXTENDED_ZAPS)
    return {
      reason: `You pasted ${formatCount(lines.length, "line")}; the calculator accepts at most ${formatCount(MAX_EXTENDED_ZAPS, "Zap")}.`,
    };
  const change = (form: FormValues) => {
    const rows = ensureRows(form, ["zaps"]);
    const below = [...rows.keys()].slice([...rows.keys()].indexOf(first));
    const names = Object.keys(zapFields);
    for (const [index, line] of lines.entries()) {
      const zap = ensureRows(form, ["zaps", below[index] ?? addRow(rows, "")]);
      for (const [offset, value] of line.split("\t").entries()) {
        const name = names[names.indexOf(column) + offset];
        if (name !== undefined) zap.set(name, value.trim());
      }
    }
    return `zaps[${first}].${column}`;
  };
  return { change, notice: `Filled in ${formatCount(lines.length, "row")}.` };
}
