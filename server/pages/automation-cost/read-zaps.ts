import { MAX_LOCAL_ZAPS } from "../../../schemas/automation-cost.ts";
import { InvalidInputError } from "../../../src/issues.ts";
import { listSomeClauses, plural } from "../../../src/text.ts";
import { addRow, type Tree, treeAt, wholeNumber } from "../form/form.ts";
import type { ReadOutcome } from "../form/run-form.ts";
import { addZaps, RUNS_FOR_ALL, zapFields } from "./fields.ts";

/**
 * Reads a table of Zaps or a `zapfile.json`. A number alone, or with "tasks", is that of all tasks a
 * month. What is pasted into the grid and is neither fills its cells.
 *
 * @param name of the cell that a text is pasted into, or of a file.
 */
export async function readZapText(text: string, name: string): Promise<ReadOutcome> {
  const cell = /^zaps\[(\d+)\]\.(\w+)$/.exec(name);
  const tasks = cell ? undefined : wholeNumber(text.replace(TASKS, ""));
  if (tasks !== undefined)
    return {
      change: (tree) =>
        addZaps(tree, [{ name: "All my Zaps", action_steps: 1, runs_per_month: tasks }]),
      notice: `Read ${plural(tasks, "task")} a month, as one Zap with one step.`,
    };
  const { readZaps } = await import("../../../src/automation-cost/read-zaps.ts");
  try {
    return addRead(readZaps(text));
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const isJson = /^\s*[{[]/.test(text);
    if (cell && !isJson) return fillCells(cell[1] ?? "", cell[2] ?? "", text);
    if (isTyped(text)) return { reason: NEITHER };
    return { reason: `This file ${error.issues.map(({ message }) => message).join(", ")}.` };
  }
}

type ReadZaps = ReturnType<typeof import("../../../src/automation-cost/read-zaps.ts").readZaps>;

function addRead({ zaps, without_runs, unread, unsure_steps, warnings }: ReadZaps): ReadOutcome {
  const added = [...zaps, ...without_runs, ...unread];
  const reasonAt = (path: string) =>
    warnings
      .filter((warning) => warning.path === path)
      .map(({ message }) => message)
      .join("; ") || undefined;
  const reasons = [
    ...zaps.map((_, index) => reasonAt(`zaps[${index}]`)),
    ...without_runs.map((_, index) => reasonAt(`without_runs[${index}]`)),
    // Here it is not left out, and what it is about stands beside it.
    ...unread.map(({ reason }) => reason.replace(/^.* is left out: it /, "")),
  ];
  const others = warnings.filter(
    ({ path, code, message }) =>
      path === "" && code !== "row-unread" && !message.includes("is read as action steps"),
  );
  const marked = reasons.filter((reason) => reason !== undefined).length;
  return {
    change(tree) {
      const first = addZaps(tree, added, reasons, unsure_steps);
      return without_runs.length > 1 ? RUNS_FOR_ALL : first;
    },
    notice: [
      `Read ${plural(added.length, "Zap")}.`,
      marked > 0 && `${plural(marked, "row")} to check, marked in amber.`,
      without_runs.length > 0 && "Fill in how often each runs: the file does not say.",
      others.length > 0 && `Note: ${listSomeClauses(others.map(({ message }) => message))}.`,
    ]
      .filter(Boolean)
      .join(" "),
  };
}

/** Puts cells from a spreadsheet into the grid, from a cell on to the right and down. */
function fillCells(first: string, column: string, text: string): ReadOutcome {
  const lines = text.replace(/[\r\n]+$/, "").split(/\r\n?|\n/);
  if (lines.length > MAX_LOCAL_ZAPS)
    return {
      reason: `You pasted ${plural(lines.length, "line")}; the calculator takes at most ${plural(MAX_LOCAL_ZAPS, "Zap")}.`,
    };
  const change = (tree: Tree) => {
    const rows = treeAt(tree, ["zaps"]);
    const below = [...rows.keys()].slice([...rows.keys()].indexOf(first));
    const names = Object.keys(zapFields);
    for (const [index, line] of lines.entries()) {
      const zap = treeAt(tree, ["zaps", below[index] ?? addRow(rows, "")]);
      for (const [offset, value] of line.split("\t").entries()) {
        const name = names[names.indexOf(column) + offset];
        if (name !== undefined) zap.set(name, value.trim());
      }
    }
    return `zaps[${first}].${column}`;
  };
  return { change, notice: `Filled in ${plural(lines.length, "row")}.` };
}

const TASKS = /\s*tasks?(?:\s*(?:a|per|\/)\s*month)?\s*$/i;

/** A line of words or a number: neither a table nor JSON. */
const isTyped = (text: string): boolean => /^[\p{L}\p{N} .'’-]+(?:,\d+)?$/u.test(text.trim());

const NEITHER =
  "This is neither a whole number of tasks a month, such as 4,000, nor a table of Zaps.";
