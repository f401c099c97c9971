import type { AutomationCostInput, ZapInput } from "../../../schemas/automation-cost.ts";
import { readRuns, readSteps } from "../../../src/automation-cost/cells.ts";
import { formatPath } from "../../../src/issues.ts";
import {
  addRow,
  asText,
  ensureRows,
  type FieldsOf,
  type FormField,
  type FormInput,
  type FormValue,
  type FormValues,
  toFormValues,
  toInput,
} from "../form/form-values.ts";

export const zapFields = {
  name: { kind: "text", label: "Name", placeholder: "New lead to CRM" },
  action_steps: { kind: "number", label: "Steps", placeholder: "2" },
  runs_per_month: { kind: "number", label: "Runs a month", placeholder: "15/day" },
} as const satisfies FieldsOf<ZapInput>;

export const costFormFields = {
  zaps: {
    kind: "grid",
    label: "Zap",
    hint: "Steps are action steps. Triggers, filters, paths and delays are free.",
    fields: zapFields,
  },
  billing: {
    kind: "choice",
    label: "Billing",
    choices: { annual: "Yearly", monthly: "Monthly" },
  },
  team: { kind: "switch", label: "Shared by several people", hint: "Needs the Team plan." },
} as const satisfies FieldsOf<AutomationCostInput>;

/** The control for users who know only their tasks a month. It is used only if there is no Zap. */
export const TOTAL_TASKS = "tasks_a_month";

export const totalField = {
  kind: "number",
  label: "Tasks a month",
  placeholder: "1,000",
} as const satisfies FormField;

/* Controls besides the input: the user's current plan, the default runs of Zaps without any, and
the rows that were read with steps that may count the trigger. */
export const CURRENT_PLAN = "plan_now";
export const DEFAULT_RUNS = "runs_for_all";
export const STEPS_MAY_COUNT_TRIGGER = "may_count_trigger";

type Cells = Readonly<Partial<Record<keyof ZapInput, string | number | undefined>>>;

/**
 * Adds Zaps to a form, in place of its blank rows.
 *
 * @param stepsHeading the heading of the steps column, if its numbers may include the trigger.
 * @returns their names.
 */
export function addZaps(
  form: FormValues,
  zaps: readonly Cells[],
  stepsHeading?: string,
): readonly string[] {
  const rows = ensureRows(form, ["zaps"]);
  for (const [row, zap] of rows) if (isBlankZap(zap)) rows.delete(row);
  const added = zaps.map((zap) => addRow(rows, toFormValues(zap, zapFields)));
  form.delete(STEPS_MAY_COUNT_TRIGGER);
  if (stepsHeading !== undefined)
    form.set(STEPS_MAY_COUNT_TRIGGER, `${added[0]} ${added.at(-1)} ${stepsHeading}`);
  return added.map((row) => `zaps[${row}]`);
}

const isBlankZap = (zap: FormValue): boolean =>
  !(zap instanceof Map) || [...zap.values()].every((cell) => asText(cell).trim() === "");

/** The Zaps with something in them, by their numbers. */
export const listNonBlankZaps = (form: FormValues): readonly [string, FormValues][] =>
  [...ensureRows(form, ["zaps"])].filter(
    (row): row is [string, FormValues] => row[1] instanceof Map && !isBlankZap(row[1]),
  );

/** The heading of steps that may include the trigger, and its Zaps. Each has an action too. */
export function findStepsThatMayCountTrigger(form: FormValues) {
  const [first, last, ...heading] = asText(form.get(STEPS_MAY_COUNT_TRIGGER)).split(" ");
  const zaps = listNonBlankZaps(form)
    .filter(([row]) => Number(row) >= Number(first) && Number(row) <= Number(last))
    .map(([, zap]) => ({ zap, steps: readSteps(asText(zap.get("action_steps"))).value }));
  return zaps.length > 0 && !zaps.some(({ steps }) => steps <= 1)
    ? { heading: heading.join(" "), zaps }
    : undefined;
}

/**
 * The input of a form. Zaps without runs get the runs for all Zaps. A Zap with an unreadable cell is
 * left out if there are others.
 */
export function toCostInput(form: FormValues): FormInput {
  const runsForAll = asText(form.get(DEFAULT_RUNS));
  const zapRows = listNonBlankZaps(form);
  const total = asText(form.get(TOTAL_TASKS)).trim();
  if (zapRows.length === 0 && total !== "") return totalInput(form, total);
  const rows = zapRows.map(([row, zap]) => {
    const cells = {
      action_steps: asText(zap.get("action_steps")).trim(),
      runs_per_month: (asText(zap.get("runs_per_month")) || runsForAll).trim(),
    };
    const [steps, runs] = [readSteps(cells.action_steps), readRuns(cells.runs_per_month)];
    const problems = Object.entries({
      action_steps: steps.problem,
      runs_per_month: runs.problem,
    }).flatMap(([name, message]) => (message === undefined ? [] : [{ name, message }]));
    const numbers = { action_steps: steps.value, runs_per_month: runs.value };
    const costFormFields = { name: zap.get("name"), ...(problems.length > 0 ? cells : numbers) };
    return { row, problems, zap: toFormValues(costFormFields, zapFields) };
  });
  const read = rows.filter(({ problems }) => problems.length === 0);
  const unread = rows.filter(({ problems }) => problems.length > 0);
  const zaps: FormValues = new Map([...read, ...unread].map(({ row, zap }) => [row, zap]));
  const { input, names } = toInput(new Map(form).set("zaps", zaps), costFormFields);
  const issues = unread.flatMap(({ problems }, index) =>
    problems.map(({ name, message }) => ({
      path: ["zaps", read.length + index, name],
      message,
    })),
  );
  if (read.length === 0 || !Array.isArray(input.zaps)) return { input, names, issues };
  const counted = { ...input, zaps: input.zaps.slice(0, read.length) };
  return { input: counted, names, issues: [], unread: issues };
}

/** Expresses a total of tasks as the runs of a Zap with one step. */
function totalInput(form: FormValues, total: string): FormInput {
  const { value, problem } = readRuns(total);
  const runs_per_month = problem === undefined ? value : total;
  const { input } = toInput(form, costFormFields);
  const path = ["zaps", 0, "runs_per_month"];
  return {
    input: { ...input, zaps: [{ ...ALL_ZAPS, runs_per_month }] },
    names: new Map([[formatPath(path), TOTAL_TASKS]]),
    issues: problem === undefined ? [] : [{ path, message: problem }],
  };
}

const ALL_ZAPS = { name: "All my Zaps", action_steps: 1 };

/** Handles the buttons that only this page has. */
export function applyZapIntent(form: FormValues, command: string): string | undefined {
  if (command !== "subtract triggers" && command !== "keep steps") return undefined;
  if (command === "subtract triggers")
    for (const { zap, steps } of findStepsThatMayCountTrigger(form)?.zaps ?? [])
      if (!Number.isNaN(steps)) zap.set("action_steps", String(steps - 1));
  form.delete(STEPS_MAY_COUNT_TRIGGER);
  return "zaps";
}
