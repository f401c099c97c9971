import type { AutomationCostInput, ZapInput } from "../../../schemas/automation-cost.ts";
import { type Cell, readRuns, readSteps } from "../../../src/automation-cost/cells.ts";
import { formatPath } from "../../../src/issues.ts";
import {
  addRow,
  asText,
  ensureRows,
  type Fields,
  type FieldsOf,
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
  billing: { kind: "choice", label: "Billing", choices: { annual: "Yearly", monthly: "Monthly" } },
  team: { kind: "switch", label: "Shared by several people", hint: "Needs the Team plan." },
} as const satisfies FieldsOf<AutomationCostInput>;

const { zaps: _, ...settings } = costFormFields;

/** The total of users who know only their tasks a month. It counts only if there is no Zap. */
export const TOTAL_TASKS = "tasks_a_month";
/** The runs of Zaps without any. */
export const DEFAULT_RUNS = "runs_for_all";
export const CURRENT_PLAN = "plan_now";
/** The rows that were read with steps that may count the trigger, and the heading of their column. */
export const STEPS_MAY_COUNT_TRIGGER = "may_count_trigger";

/** The fields whose text is in a link. */
export const linkedFields = {
  ...costFormFields,
  [TOTAL_TASKS]: { kind: "number", label: "Tasks a month", placeholder: "1,000" },
  [DEFAULT_RUNS]: { kind: "number", label: "Runs a month for all that have none" },
} as const satisfies Fields;

/**
 * Adds Zaps to a form, in place of its blank rows and of the same Zaps, whose other cells stay.
 *
 * @param stepsHeading the heading of the steps column, if its numbers may include the trigger.
 * @returns their names.
 */
export function addZaps(
  form: FormValues,
  zaps: readonly Partial<Record<keyof ZapInput, string | number | undefined>>[],
  stepsHeading?: string,
): readonly string[] {
  const rows = ensureRows(form, ["zaps"]);
  const same = new Map<string, FormValues>();
  for (const [row, zap] of findSameZaps(form, zaps)) {
    same.set(identify(zap), zap);
    rows.delete(row);
  }
  for (const [row, zap] of rows) if (isBlankZap(zap)) rows.delete(row);
  const added = zaps.map((zap) => {
    const cells = toFormValues(zap, zapFields);
    return addRow(rows, new Map([...(same.get(identify(cells)) ?? []), ...cells]));
  });
  form.delete(STEPS_MAY_COUNT_TRIGGER);
  if (stepsHeading !== undefined)
    form.set(STEPS_MAY_COUNT_TRIGGER, `${added[0]} ${added.at(-1)} ${stepsHeading}`);
  return added.map((row) => `zaps[${row}]`);
}

/** The Zaps of a form that are in a list too: by the name, or without one by all numbers. */
export function findSameZaps(form: FormValues, zaps: Parameters<typeof addZaps>[1]) {
  const listed = new Set(zaps.map((zap) => identify(toFormValues(zap, zapFields))));
  return listNonBlankZaps(form).filter(([, zap]) => listed.has(identify(zap)));
}

const identify = (zap: FormValues): string =>
  asText(zap.get("name")) || JSON.stringify([zap.get("action_steps"), zap.get("runs_per_month")]);

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
  const total = asText(form.get(TOTAL_TASKS)).trim();
  const all = listNonBlankZaps(form).map(([row, zap]) => {
    const name = asText(zap.get("name"));
    const steps = readSteps(asText(zap.get("action_steps")));
    const runs = readRuns(asText(zap.get("runs_per_month")) || runsForAll);
    const problems = [
      ["action_steps", describeProblem(steps, STEPS_QUESTION)],
      ["runs_per_month", describeProblem(runs, RUNS_QUESTION)],
    ].filter(([, message]) => message !== undefined);
    const numbers = { action_steps: steps.value, runs_per_month: runs.value };
    return { row, zap: { ...(name && { name }), ...numbers }, problems };
  });
  if (all.length === 0 && total !== "") return toTotalInput(form, total);
  const readable = all.filter(({ problems }) => problems.length === 0);
  const unreadable = all.filter(({ problems }) => problems.length > 0);
  const { input, names: ofFields } = toInput(form, settings);
  const names = new Map(ofFields);
  for (const [index, { row }] of [...readable, ...unreadable].entries())
    for (const cell of ["", ...Object.keys(zapFields).map((key) => `.${key}`)])
      names.set(`zaps[${index}]${cell}`, `zaps[${row}]${cell}`);
  const issues = unreadable.flatMap(({ problems }, index) =>
    problems.map(([key = "", message = ""]) => ({
      path: ["zaps", readable.length + index, key],
      message,
    })),
  );
  const zaps = (readable.length > 0 ? readable : unreadable).map(({ zap }) => zap);
  const problems = readable.length > 0 ? { issues: [], unread: issues } : { issues };
  return { input: { zaps, ...input }, names, ...problems };
}

/** Expresses a total of tasks as the runs of a Zap with one step. */
function toTotalInput(form: FormValues, total: string): FormInput {
  const runs = readRuns(total);
  const message = describeProblem(runs, TOTAL_QUESTION);
  const { input } = toInput(form, settings);
  const path = ["zaps", 0, "runs_per_month"];
  const zap = { name: "All my Zaps", action_steps: 1, runs_per_month: runs.value };
  return {
    input: { ...input, zaps: [zap] },
    names: new Map([[formatPath(path), TOTAL_TASKS]]),
    issues: message === undefined ? [] : [{ path, message }],
  };
}

/** The problem of a cell. Without a number, it is the question for the number. */
const describeProblem = ({ value, problem }: Cell, question: string) =>
  problem && (Number.isNaN(value) ? question : problem);

const STEPS_QUESTION = "How many action steps does it have? Type a number, such as 2.";
const RUNS_QUESTION = "How often does it run? Type a number, 2/day or weekly.";
const TOTAL_QUESTION = "How many tasks is that? Type a number, such as 1,200.";

/** Handles the buttons that only this page has. */
export function applyZapIntent(form: FormValues, intent: string): string | undefined {
  if (intent !== "subtract triggers" && intent !== "keep steps") return undefined;
  if (intent === "subtract triggers")
    for (const { zap, steps } of findStepsThatMayCountTrigger(form)?.zaps ?? [])
      if (!Number.isNaN(steps)) zap.set("action_steps", String(steps - 1));
  form.delete(STEPS_MAY_COUNT_TRIGGER);
  return "zaps";
}
