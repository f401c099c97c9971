import {
  type AutomationCostInput,
  automationCostContract,
  type ZapInput,
} from "../../../schemas/automation-cost.ts";
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
  wholeNumber,
} from "../form/form.ts";

export const zapFields = {
  name: { kind: "text", label: "Name", placeholder: "New lead to CRM" },
  action_steps: { kind: "integer", label: "Action steps", placeholder: "2" },
  runs_per_month: { kind: "integer", label: "Runs a month", placeholder: "1,000" },
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
of Zaps that were read whose steps may count the trigger. A Zap to check has its cells and the reason. */
export const PLAN_NOW = "plan_now";
export const RUNS_FOR_ALL = "runs_for_all";
export const MAY_COUNT_TRIGGER = "may_count_trigger";
export const TO_CHECK = "to_check";

type Cells = Readonly<Partial<Record<keyof ZapInput, string | number | undefined>>>;

/**
 * Adds Zaps to those of a form. They replace only the example, and blank rows.
 *
 * @param reasons why a Zap is to be checked.
 * @param stepsHeading the heading of the column of steps, if these may count the trigger.
 * @returns the name of the first of them.
 */
export function addZaps(
  tree: Tree,
  zaps: readonly Cells[],
  reasons: readonly (string | undefined)[] = [],
  stepsHeading?: string,
): string {
  const isExample = JSON.stringify(toInput(tree, fields).input.zaps) === EXAMPLE_ZAPS;
  const rows = treeAt(tree, ["zaps"]);
  for (const [row, zap] of rows) if (isExample || isBlank(zap)) rows.delete(row);
  const added = zaps.map((zap, index) => {
    const cells = toTree(zap, zapFields);
    const reason = reasons[index];
    if (reason !== undefined) cells.set(TO_CHECK, cellsOf(cells) + reason);
    return addRow(rows, cells);
  });
  tree.delete(MAY_COUNT_TRIGGER);
  if (stepsHeading !== undefined)
    tree.set(MAY_COUNT_TRIGGER, `${added[0]} ${added.at(-1)} ${stepsHeading}`);
  return `zaps[${added[0]}]`;
}

const EXAMPLE_ZAPS = JSON.stringify(automationCostContract.example_input.zaps);

const cellsOf = (zap: Value): string =>
  Object.keys(zapFields)
    .map((name) => `${zap instanceof Map ? textOf(zap.get(name)) : ""}\t`)
    .join("");

const isBlank = (zap: Value): boolean => cellsOf(zap).trim() === "";

/** Why a Zap is to be checked; empty once one of its cells is changed. */
export function reasonToCheck(zap: Value): string {
  const [read, cells] = [zap instanceof Map ? textOf(zap.get(TO_CHECK)) : "", cellsOf(zap)];
  return read.startsWith(cells) ? read.slice(cells.length) : "";
}

/** The Zaps with something in them, by their numbers. */
export const filledZaps = (tree: Tree): readonly [string, Tree][] =>
  [...treeAt(tree, ["zaps"])].filter(
    (row): row is [string, Tree] => row[1] instanceof Map && !isBlank(row[1]),
  );

/** The heading of steps that may count the trigger, and the Zaps below it. Each has an action too. */
export function stepsInDoubt(tree: Tree) {
  const [first, last, ...heading] = textOf(tree.get(MAY_COUNT_TRIGGER)).split(" ");
  const zaps = filledZaps(tree).filter(
    ([row]) => Number(row) >= Number(first) && Number(row) <= Number(last),
  );
  const steps = zaps.map(([, zap]) => Number(zap.get("action_steps")));
  return steps.length > 0 && steps.every((count) => count > 1)
    ? { heading: heading.join(" "), zaps }
    : undefined;
}

/** The form with steps that do not count the trigger. */
export function withoutTriggers(tree: Tree): Tree {
  const changed = structuredClone(tree);
  for (const [, zap] of stepsInDoubt(changed)?.zaps ?? []) {
    const reason = reasonToCheck(zap);
    zap.set("action_steps", String(Number(zap.get("action_steps")) - 1));
    if (reason !== "") zap.set(TO_CHECK, cellsOf(zap) + reason);
  }
  return changed;
}

/**
 * The input of a form: Zaps without runs of their own have those for all, and one to check whose numbers
 * cannot be read is left out until they can.
 */
export function readInput(tree: Tree): FormInput {
  const filled = structuredClone(tree);
  const runs = textOf(tree.get(RUNS_FOR_ALL));
  for (const [row] of waitingZaps(filled)) treeAt(filled, ["zaps"]).delete(row);
  for (const [, zap] of filledZaps(filled))
    if (!zap.get("runs_per_month")) zap.set("runs_per_month", String(wholeNumber(runs) ?? runs));
  return toInput(filled, fields);
}

/** The Zaps to check whose numbers cannot be read yet. */
export const waitingZaps = (tree: Tree): readonly [string, Tree][] =>
  filledZaps(tree).filter(([, zap]) => reasonToCheck(zap) !== "" && !hasNumbers(zap));

function hasNumbers(zap: Tree): boolean {
  const isWhole = (cell: string) => wholeNumber(textOf(zap.get(cell))) !== undefined;
  return isWhole("action_steps") && (!zap.get("runs_per_month") || isWhole("runs_per_month"));
}

/** Does what a button of this page alone asks for. */
export function pressOwn(tree: Tree, command: string): string | undefined {
  switch (command) {
    case "subtract triggers":
      tree.set("zaps", withoutTriggers(tree).get("zaps") ?? "");
      tree.delete(MAY_COUNT_TRIGGER);
      return "zaps";
    case "keep steps":
      tree.delete(MAY_COUNT_TRIGGER);
      return "zaps";
    case "checked":
      for (const [, zap] of filledZaps(tree)) if (hasNumbers(zap)) zap.delete(TO_CHECK);
      return "zaps";
    default:
      return undefined;
  }
}
