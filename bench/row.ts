/** One line of the table: a figure of ours beside one that it is measured against. */
export interface Row {
  readonly what: string;
  readonly ours: string;
  readonly baseline: string;
  readonly ratio: number;
  /** None for what is only to be known. */
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
