import {
  type AutomationCostInput,
  automationCostContract,
  type ZapInput,
} from "../../../schemas/automation-cost.ts";
import { readRuns, readSteps } from "../../../src/automation-cost/cells.ts";
import {
  addRow,
  type FieldsOf,
  type FormInput,
  type Tree,
  textOf,
  toInput,
  toTree,
  treeAt,
  type Value,
} from "../form/form-values.ts";

export const zapFields = {
  name: { kind: "text", label: "Name", placeholder: "New lead to CRM" },
  action_steps: { kind: "number", label: "Action steps", placeholder: "2" },
  runs_per_month: { kind: "number", label: "Runs a month", placeholder: "1,000" },
} as const satisfies FieldsOf<ZapInput>;

export const fields = {
  zaps: {
    kind: "grid",
    label: "Zap",
    hint: "Do not count triggers, filters, paths and delays as action steps.",
    fields: zapFields,
  },
  billing: {
    kind: "choice",
    label: "Billing",
    isRequired: true,
    choices: { annual: "Yearly", monthly: "Monthly" },
  },
  team: { kind: "switch", label: "Shared by several people", hint: "Needs the Team plan." },
} as const satisfies FieldsOf<AutomationCostInput>;

/* What the form says besides the input: the plan that the user has, the runs for all Zaps without any, and
the rows that were read with steps that may count the trigger. */
export const PLAN_NOW = "plan_now";
export const RUNS_FOR_ALL = "runs_for_all";
export const MAY_COUNT_TRIGGER = "may_count_trigger";

type Cells = Readonly<Partial<Record<keyof ZapInput, string | number | undefined>>>;

/**
 * Adds Zaps to those of a form. They replace only the example, and blank rows.
 *
 * @param stepsHeading the heading of the column of steps, if these may count the trigger.
 * @returns their names.
 */
export function addZaps(
  tree: Tree,
  zaps: readonly Cells[],
  stepsHeading?: string,
): readonly string[] {
  const isExample = JSON.stringify(toInput(tree, fields).input.zaps) === EXAMPLE_ZAPS;
  const rows = treeAt(tree, ["zaps"]);
  for (const [row, zap] of rows) if (isExample || isBlank(zap)) rows.delete(row);
  const added = zaps.map((zap) => addRow(rows, toTree(zap, zapFields)));
  tree.delete(MAY_COUNT_TRIGGER);
  if (stepsHeading !== undefined)
    tree.set(MAY_COUNT_TRIGGER, `${added[0]} ${added.at(-1)} ${stepsHeading}`);
  return added.map((row) => `zaps[${row}]`);
}

const EXAMPLE_ZAPS = JSON.stringify(automationCostContract.example_input.zaps);

const isBlank = (zap: Value): boolean =>
  !(zap instanceof Map) || [...zap.values()].every((cell) => textOf(cell).trim() === "");

/** The Zaps with something in them, by their numbers. */
export const filledZaps = (tree: Tree): readonly [string, Tree][] =>
  [...treeAt(tree, ["zaps"])].filter(
    (row): row is [string, Tree] => row[1] instanceof Map && !isBlank(row[1]),
  );

/** The heading of steps that may count the trigger, and the Zaps below it. Each has an action too. */
export function stepsInDoubt(tree: Tree) {
  const [first, last, ...heading] = textOf(tree.get(MAY_COUNT_TRIGGER)).split(" ");
  const zaps = filledZaps(tree)
    .filter(([row]) => Number(row) >= Number(first) && Number(row) <= Number(last))
    .map(([, zap]) => ({ zap, steps: readSteps(textOf(zap.get("action_steps"))).value }));
  return zaps.length > 0 && !zaps.some(({ steps }) => steps <= 1)
    ? { heading: heading.join(" "), zaps }
    : undefined;
}

/**
 * The input of a form: Zaps without runs of their own have those for all. A Zap with a cell that cannot
 * be read is left out, if there is any other.
 */
export function readInput(tree: Tree): FormInput {
  const runsForAll = textOf(tree.get(RUNS_FOR_ALL));
  const rows = filledZaps(tree).map(([row, zap]) => {
    const cells = {
      action_steps: textOf(zap.get("action_steps")).trim(),
      runs_per_month: (textOf(zap.get("runs_per_month")) || runsForAll).trim(),
    };
    const [steps, runs] = [readSteps(cells.action_steps), readRuns(cells.runs_per_month)];
    const problems = Object.entries({
      action_steps: steps.problem,
      runs_per_month: runs.problem,
    }).flatMap(([name, message]) => (message === undefined ? [] : [{ name, message }]));
    const numbers = { action_steps: steps.value, runs_per_month: runs.value };
    const fields = { name: zap.get("name"), ...(problems.length > 0 ? cells : numbers) };
    return { row, problems, zap: toTree(fields, zapFields) };
  });
  const read = rows.filter(({ problems }) => problems.length === 0);
  const unread = rows.filter(({ problems }) => problems.length > 0);
  const zaps: Tree = new Map([...read, ...unread].map(({ row, zap }) => [row, zap]));
  const { input, names } = toInput(new Map(tree).set("zaps", zaps), fields);
  const issues = unread.flatMap(({ problems }, index) =>
    problems.map(({ name, message }) => ({
      path: `zaps[${read.length + index}].${name}`,
      message,
    })),
  );
  if (read.length === 0 || !Array.isArray(input.zaps)) return { input, names, issues };
  const counted = { ...input, zaps: input.zaps.slice(0, read.length) };
  return { input: counted, names, issues: [], unread: issues };
}

/** Does what a button of this page alone asks for. */
export function pressOwn(tree: Tree, command: string): string | undefined {
  if (command !== "subtract triggers" && command !== "keep steps") return undefined;
  if (command === "subtract triggers")
    for (const { zap, steps } of stepsInDoubt(tree)?.zaps ?? [])
      if (!Number.isNaN(steps)) zap.set("action_steps", String(steps - 1));
  tree.delete(MAY_COUNT_TRIGGER);
  return "zaps";
}
