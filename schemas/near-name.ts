/** The known name that a misspelt one most likely means, if one is near enough. */
export const nearName = (name: string, known: readonly string[]): string | undefined =>
  [1, 2]
    .filter((slips) => 2 * slips <= name.length)
    .flatMap((slips) => known.filter((candidate) => isWithin(slips, name, candidate)))
    .at(0);

/** Whether so many letters added, left out, changed or swapped turn one text into the other. */
function isWithin(slips: number, a: string, b: string): boolean {
  if (a === "" || b === "") return a.length + b.length <= slips;
  if (a[0] === b[0]) return isWithin(slips, a.slice(1), b.slice(1));
  if (slips === 0) return false;
  return (
    isWithin(slips - 1, a.slice(1), b) ||
    isWithin(slips - 1, a, b.slice(1)) ||
    isWithin(slips - 1, a.slice(1), b.slice(1)) ||
    (a[0] === b[1] && a[1] === b[0] && isWithin(slips - 1, a.slice(2), b.slice(2)))
  );
}
