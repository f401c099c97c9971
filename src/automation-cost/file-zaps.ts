import { MAX_ZAP_NAME } from "../../schemas/automation-cost.ts";
import type { Warning } from "../../schemas/index.ts";
import { plural, thousands } from "../text.ts";

/** The Zaps of a file. */
export interface ReadZaps {
  /** For the input of `automationCost()`. */
  readonly zaps: ReadZap[];
  /** The Zaps of a zapfile whose runs a month are not given. */
  readonly without_runs: Omit<ReadZap, "runs_per_month">[];
  readonly left_out: LeftOutZap[];
  /**
   * The heading of a table's steps where it does not say whether they count the trigger, which is no
   * task: they are read as if they did not. `stepsIncludeTrigger` answers it.
   */
  readonly unsure_steps?: string | undefined;
  /** Findings about the Zaps; a path such as `zaps[0]` or `without_runs[0]` refers to these lists. */
  readonly warnings: readonly Warning[];
}

/** A Zap of a file. */
export interface ReadZap {
  readonly name?: string;
  readonly action_steps: number;
  readonly runs_per_month: number;
}

/** What the file itself does not say. */
export interface ReadZapsOptions {
  /** The runs a month of each Zap of a zapfile, by its title. */
  readonly runs?: Readonly<Record<string, number>> | undefined;
  /** The runs of each Zap that `runs` does not name. */
  readonly runsDefault?: number | undefined;
  /** Whether the column "Steps" of a table counts the trigger. */
  readonly stepsIncludeTrigger?: boolean | undefined;
}

/** A Zap, or a row of a table, that is not in the input. */
export interface LeftOutZap {
  readonly name: string;
  /** The row of a table, counted from 1 with blank rows. */
  readonly row?: number;
  readonly reason: string;
  /** `warning` where Zapier may bill it, so that a price without it is too low. */
  readonly severity: Warning["severity"];
}

const billed = (reason: string) => ({ reason, severity: "warning" as const });
const notBilled = (reason: string) => ({ reason, severity: "info" as const });

/** Why a Zap or a row of a table is left out, and whether Zapier may bill it all the same. */
export const leftOut = {
  off: notBilled("is switched off"),
  total: notBilled("is a total by its name"),
  noTask: notBilled("has no step that is a task"),
  status: billed("has a status that is neither on nor off"),
  sumOfAll: billed("has no name, and the runs of all rows above"),
  splitNumber: billed("may have a number of thousands whose comma has no quotes"),
  aboveHeading: billed("is above the heading"),
  triggers: (count: number) => billed(`has ${plural(count, "trigger")}, and a Zap has one`),
  steps: (count: number, problem: string) =>
    billed(`has ${plural(count, "action step")}, and the number ${problem}`),
  cells: (count: number, width: number | undefined) =>
    billed(
      `has ${plural(count, "cell")} (${width === undefined ? "three without a heading" : `the heading has ${width}`}); a cell with the separator in it needs quotes`,
    ),
  notWhole: (cell: string, title: string) =>
    billed(`has ${cell} as ${title}, and needs a whole number without separators`),
  outOfRange: (number: number, title: string, problem: string) =>
    billed(`has ${thousands(number)} as ${title}, which ${problem}`),
};

/** The name of a Zap that is left out, or the row without a name. */
export const nameLeftOut = ({ name, row }: { readonly name: string; readonly row?: number }) => {
  if (row === undefined) return JSON.stringify(name);
  return name === "" ? `row ${row}` : `row ${row} (${JSON.stringify(name)})`;
};

/** A title, cut to the length that the name of an automation may have. */
export const shortTitle = (title: string): string =>
  [...title.trim().slice(0, 2 * MAX_ZAP_NAME)].slice(0, MAX_ZAP_NAME).join("");
