import { MAX_EXTENDED_ZAPS } from "../../../schemas/automation-cost.ts";
import type { Warning } from "../../../schemas/index.ts";
import { readRuns } from "../../../src/automation-cost/cells.ts";
import { InvalidInputError } from "../../../src/issues.ts";
import { formatCount, formatSomeClauses } from "../../../src/text.ts";
import { markTouched, type ReadOutcome } from "../form/form-state.ts";
import { addRow, ensureRows, type FormValues } from "../form/form-values.ts";
import { addZaps, DEFAULT_RUNS, zapFields } from "./zap-form.ts";

/**
 * Reads a table of Zaps or a `zapfile.json`. A number alone, or with "tasks", is that of all tasks a
 * month. What is pasted into the grid and is neither fills its cells.
 *
 * @param name the cell that was pasted into, or a file.
 */
export async function parsePastedZaps(text: string, name: string): Promise<ReadOutcome> {
  const cell = /^zaps\[(\d+)\]\.(\w+)$/.exec(name);
  const tasks = cell ? undefined : tasksOf(text);
  if (tasks !== undefined)
    return {
      change: (form) =>
        addZaps(form, [{ name: "All my Zaps", action_steps: 1, runs_per_month: tasks }])[0],
      notice: `Read ${formatCount(tasks, "task")} a month, as one Zap with one step.`,
    };
  const { parseZaps } = await import("../../../src/automation-cost/parse-zaps.ts");
  try {
    return addRead(parseZaps(text));
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const isJson = /^\s*[{[]/.test(text);
    if (cell && !isJson) return fillCells(cell[1] ?? "", cell[2] ?? "", text);
    if (isTyped(text)) return { reason: NOT_A_TABLE };
    return { reason: `This file ${error.issues.map(({ message }) => message).join(", ")}.` };
  }
}

type ParsedZaps = ReturnType<typeof import("../../../src/automation-cost/parse-zaps.ts").parseZaps>;

function addRead(found: ParsedZaps): ReadOutcome {
  const { zaps, without_runs, skipped_rows, ambiguous_steps_heading, warnings } = found;
  const isBefore = (index: number) => skipped_rows.filter((row) => row.index === index);
  const rows = [...zaps.flatMap((zap, at) => [...isBefore(at), zap]), ...isBefore(zaps.length)];
  const isReading = ({ code }: Warning) => Number(code === "read-as");
  const said = warnings
    .toSorted((a, b) => isReading(b) - isReading(a))
    .map(({ path, message }) => {
      const [, list, index] = /^(zaps|without_runs)\[(\d+)\]$/.exec(path) ?? [];
      const zap = list === undefined ? undefined : Object(found)[list][Number(index)];
      return zap === undefined ? message : `“${zap.name}” ${message}`;
    });
  return {
    change(form) {
      const names = addZaps(form, [...rows, ...without_runs], ambiguous_steps_heading);
      const toCorrect = names.filter((_, at) => skipped_rows.some((row) => row === rows[at]));
      markTouched(
        form,
        toCorrect.flatMap((name) => [`${name}.action_steps`, `${name}.runs_per_month`]),
      );
      return without_runs.length > 1 ? DEFAULT_RUNS : names[0];
    },
    notice: [
      `Read ${formatCount(zaps.length + without_runs.length, "Zap")}.`,
      without_runs.length > 0 && "Fill in how often each runs: the file does not say.",
      said.length > 0 && `Note: ${formatSomeClauses(said)}.`,
    ]
      .filter(Boolean)
      .join(" "),
  };
}

/** Puts cells from a spreadsheet into the grid, from a cell on to the right and down. */
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

/** A number alone, or of tasks: neither one of runs nor a rate. */
function tasksOf(text: string): number | undefined {
  const number = text.trim().replace(/\s*tasks?(?:\s*(?:a|per|\/)\s*month)?$/i, "");
  const { value, problem } = readRuns(number);
  return problem === undefined && /^[^a-z/]+k?$/i.test(number) ? value : undefined;
}

/** A line of words or a number: neither a table nor JSON. */
const isTyped = (text: string): boolean => /^[\p{L}\p{N} .'’-]+(?:,\d+)?$/u.test(text.trim());

const NOT_A_TABLE =
  "This is neither a whole number of tasks a month, such as 4,000, nor a table of Zaps.";
