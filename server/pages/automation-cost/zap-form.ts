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
  billing: { kind: "choice", label: "Billing", choices: { annual: "Yearly", monthly: "Monthly" } },
  team: { kind: "switch", label: "Shared by several people", hint: "Needs the Team plan." },
} as const satisfies FieldsOf<AutomationCostInput>;

const { zaps: _, ...settings } = costFormFields;

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
    const problems = { action_steps: steps.problem, runs_per_month: runs.problem };
    const isRead = steps.problem === undefined && runs.problem === undefined;
    const numbers = isRead
      ? { action_steps: steps.value, runs_per_month: runs.value }
      : { action_steps: steps.text, runs_per_month: runs.text };
    return { row, zap: { ...(name && { name }), ...numbers }, isRead, problems };
  });
  if (all.length === 0 && total !== "") return toTotalInput(form, total);
  const readable = all.filter(({ isRead }) => isRead);
  const unreadable = all.filter(({ isRead }) => !isRead);
  const { input, names: ofFields } = toInput(form, settings);
  const names = new Map(ofFields);
  for (const [index, { row }] of [...readable, ...unreadable].entries())
    for (const cell of ["", ...Object.keys(zapFields).map((key) => `.${key}`)])
      names.set(`zaps[${index}]${cell}`, `zaps[${row}]${cell}`);
  const issues = unreadable.flatMap(({ problems }, index) =>
    Object.entries(problems).flatMap(([key, message]) =>
      message === undefined ? [] : { path: ["zaps", readable.length + index, key], message },
    ),
  );
  const zaps = (readable.length > 0 ? readable : unreadable).map(({ zap }) => zap);
  const problems = readable.length > 0 ? { issues: [], unread: issues } : { issues };
  return { input: { zaps, ...input }, names, ...problems };
}

/** Expresses a total of tasks as the runs of a Zap with one step. */
function toTotalInput(form: FormValues, total: string): FormInput {
  const { value, problem } = readRuns(total);
  const runs_per_month = problem === undefined ? value : total;
  const { input } = toInput(form, settings);
  const path = ["zaps", 0, "runs_per_month"];
  return {
    input: { ...input, zaps: [{ name: "All my Zaps", action_steps: 1, runs_per_month }] },
    names: new Map([[formatPath(path), TOTAL_TASKS]]),
    issues: problem === undefined ? [] : [{ path, message: problem }],
  };
}

/** Handles the buttons that only this page has. */
export function applyZapIntent(form: FormValues, intent: string): string | undefined {
  if (intent !== "subtract triggers" && intent !== "keep steps") return undefined;
  if (intent === "subtract triggers")
    for (const { zap, steps } of findStepsThatMayCountTrigger(form)?.zaps ?? [])
      if (!Number.isNaN(steps)) zap.set("action_steps", String(steps - 1));
  form.delete(STEPS_MAY_COUNT_TRIGGER);
  return "zaps";
}
