import { InvalidInputError } from "../../../src/issues.ts";
import { listSomeClauses, plural } from "../../../src/text.ts";
import type { ReadText, UnreadText } from "../view.ts";

/**
 * Reads the Zaps of a table or a `zapfile.json`, whose runs the user then fills in. A number alone, or
 * with "tasks", is that of all tasks a month. Of a text pasted into a field only several rows are a table.
 */
export async function readZapFile(
  text: string,
  field?: string,
): Promise<ReadText | UnreadText | undefined> {
  const { readZaps } = await import("../../../src/automation-cost/read-zaps.ts");
  const tasks = field === undefined ? wholeNumber(text.replace(TASKS, "")) : undefined;
  if (tasks !== undefined) {
    const input = tasksInput(tasks);
    return { input, summary: `Read ${plural(tasks, "task")} a month, as one Zap with one step.` };
  }
  try {
    const { zaps, without_runs, warnings } = readZaps(text);
    const all = [...zaps, ...without_runs];
    if (field !== undefined && all.length + warnings.length < 2) return undefined;
    const findings = warnings.map(({ path, message }) => {
      if (path === "") return message;
      const list = path.startsWith("zaps") ? zaps : without_runs;
      return `"${list[Number(/\d+/.exec(path))]?.name}" ${message}`;
    });
    const missing =
      without_runs.length > 0 ? " Fill in how often each runs: the file does not say." : "";
    const noted = findings.length > 0 ? ` Note: ${listSomeClauses(findings)}.` : "";
    return {
      input: { zaps: all },
      ...(without_runs.length > 0 && { fill: { label: "Runs a month for all", fillIn } }),
      summary: `Read ${plural(all.length, "Zap")}.${missing}${noted}`,
    };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    if (field !== undefined) return undefined;
    if (isTyped(text)) return { reason: NEITHER };
    return { reason: `This file ${error.issues.map(({ message }) => message).join(", ")}.` };
  }
}

/** The input for a user who knows only their tasks a month: one Zap with one step makes as many. */
export const tasksInput = (tasks: number) => ({
  zaps: [{ name: "All my Zaps", action_steps: 1, runs_per_month: tasks }],
});

const TASKS = /\s*tasks?(?:\s*(?:a|per|\/)\s*month)?\s*$/i;

/** A line of words or a number: neither a table nor JSON. */
const isTyped = (text: string): boolean => /^[\p{L}\p{N} .'’-]+(?:,\d+)?$/u.test(text.trim());

const NEITHER =
  "This is neither a whole number of tasks a month, such as 4,000, nor a table of Zaps.";

/** Reads a number of tasks or runs. They are whole, so a comma or a point separates thousands. */
function wholeNumber(text: string): number | undefined {
  const [, digits, , k] =
    /^(\d{1,3}([.,' ’\u00a0\u202f])\d{3}(?:\2\d{3})*|\d+)(k?)$/i.exec(text.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits.replace(/\D/g, "")) * (k ? 1_000 : 1);
}

/** The input with the same runs a month for each Zap that has none. */
function fillIn(input: unknown, text: string): object | undefined {
  const runs_per_month = wholeNumber(text);
  if (runs_per_month === undefined) return undefined;
  const zaps = Object(input).zaps.map((zap: object) => ({ runs_per_month, ...zap }));
  return { ...Object(input), zaps };
}
