/**
 * Makes each name another one: `a`, `a_2`, `a_3`.
 *
 * @param separator between a name and its number.
 */
export function uniqueNames(separator: string): (name: string) => string {
  /** The last number of each name, so that many equal ones are not counted from 2 again. */
  const counts = new Map<string, number>();
  return (base) => {
    let count = counts.get(base) ?? 1;
    let name = base;
    while (counts.has(name)) {
      count += 1;
      name = `${base}${separator}${count}`;
    }
    counts.set(base, count).set(name, counts.get(name) ?? 1);
    return name;
  };
}
