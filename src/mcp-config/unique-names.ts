/**
 * Returns a function that gives a name a number if it has returned that name before: `a`, `a_2`, `a_3`.
 *
 * @param separator between a name and its number.
 * @param longest characters that a name with a number may have.
 */
export function uniqueNames(separator: string, longest = Infinity): (name: string) => string {
  /** The last number of each name, so that many equal ones are not counted from 2 again. */
  const counts = new Map<string, number>();
  return (base) => {
    let count = counts.get(base) ?? 1;
    let name = base;
    while (counts.has(name)) {
      count += 1;
      const suffix = separator + count;
      name = base.slice(0, longest - suffix.length) + suffix;
    }
    counts.set(base, count).set(name, counts.get(name) ?? 1);
    return name;
  };
}
