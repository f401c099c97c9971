/**
 * Prints a row of the table.
 *
 * @param goal an operator, a bound and, unless the figure is a ratio, a unit: "<= 250 ms".
 */
export function printRow(what: string, figure: number, goal: string): void {
  const [operator = "", bound, unit = ""] = goal.split(" ");
  const isReached = operator === "<=" ? figure <= Number(bound) : figure >= Number(bound);
  const shown = `${figure.toFixed(figure < 100 ? 2 : 0)} ${unit}`.trim();
  process.stdout.write(`| ${what} | ${shown} | ${goal} | ${isReached ? "ok" : "miss"} |\n`);
}

/**
 * Takes two figures in turns, so that other work of the machine affects both alike.
 *
 * @returns the median of the ratios of all turns after the first ones.
 */
export async function medianRatio(
  { warmUps, turns }: { readonly warmUps: number; readonly turns: number },
  ours: () => Promise<number>,
  baseline: () => Promise<number>,
): Promise<number> {
  const ratios: number[] = [];
  while (ratios.length < warmUps + turns) ratios.push((await ours()) / (await baseline()));
  const sorted = ratios.slice(warmUps).sort((a, b) => a - b);
  return sorted[Math.floor(turns / 2)] ?? Number.NaN;
}

/** A function that does some work, and gives the milliseconds that it took. */
export const timed = (work: () => unknown) => async (): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};
