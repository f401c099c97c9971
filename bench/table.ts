/** One line of the table: a figure, and the goal that it has to keep to. */
export interface Row {
  readonly what: string;
  readonly figure: number;
  /** Absent for a ratio. */
  readonly unit?: string;
  readonly goal: readonly [operator: keyof typeof KEEPS, bound: number];
}

const KEEPS = {
  "<=": (figure: number, bound: number) => figure <= bound,
  ">=": (figure: number, bound: number) => figure >= bound,
  ">": (figure: number, bound: number) => figure > bound,
};

export const HEADING = "| what | figure | goal | |\n|---|---:|---:|---|\n";

export function toLine({ what, figure, unit = "", goal: [operator, bound] }: Row): string {
  const verdict = KEEPS[operator](figure, bound) ? "ok" : "miss";
  const shown = figure.toFixed(figure < 100 ? 2 : 0);
  return `| ${what} | ${shown} ${unit} | ${operator} ${bound} ${unit} | ${verdict} |\n`;
}

/**
 * Takes two figures in turns, so that other work of the machine affects both alike.
 *
 * @returns the median of the ratios of all turns after the first ones.
 */
export async function medianRatio(
  { warmUps, turns }: { readonly warmUps: number; readonly turns: number },
  ours: () => number | Promise<number>,
  baseline: () => number | Promise<number>,
): Promise<number> {
  const ratios: number[] = [];
  while (ratios.length < warmUps + turns) ratios.push((await ours()) / (await baseline()));
  return median(ratios.slice(warmUps));
}

/** The middle figure; the upper of the two for an even number of figures. */
export function median(figures: readonly number[]): number {
  const middle = figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];
  if (middle === undefined) throw new RangeError("there are no figures");
  return middle;
}
