/** One line of the table: a figure of handtools beside the baseline's. */
export interface Row {
  readonly what: string;
  readonly ours: string;
  readonly baseline: string;
  readonly ratio: number;
  /** Absent when the row is for information only. */
  readonly goal?: Goal;
}

interface Goal {
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly above?: number;
}

export const toTable = (rows: readonly Row[]): string =>
  [
    "| what | ours | baseline | ratio | goal | |",
    "|---|---:|---:|---:|---:|---|",
    ...rows.map(toLine),
    "",
  ].join("\n");

const toLine = ({ what, ours, baseline, ratio, goal = {} }: Row): string =>
  `| ${[what, ours, baseline, ratio.toFixed(2), toWords(goal), verdict(ratio, goal)].join(" | ")} |`;

function toWords({ atLeast, atMost, above }: Goal): string {
  if (atLeast !== undefined) return `>= ${atLeast}`;
  if (atMost !== undefined) return `<= ${atMost}`;
  return above === undefined ? "" : `> ${above}`;
}

function verdict(ratio: number, goal: Goal): string {
  const { atLeast = ratio, atMost = ratio, above = Number.NEGATIVE_INFINITY } = goal;
  if (Object.keys(goal).length === 0) return "";
  return ratio >= atLeast && ratio <= atMost && ratio > above ? "ok" : "miss";
}

/** The middle figure; the upper of the two for an even number of figures. */
export function median(figures: readonly number[]): number {
  const middle = figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];
  if (middle === undefined) throw new RangeError("there are no figures");
  return middle;
}
