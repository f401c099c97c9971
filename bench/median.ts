/** The middle one of the figures; of an even number, the upper of the two. */
export function median(figures: readonly number[]): number {
  const middle = figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];
  if (middle === undefined) throw new RangeError("there are no figures");
  return middle;
}
