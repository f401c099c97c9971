/** Compares two parsed values. The order of keys does not matter. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isObjectOrArray(one) || !isObjectOrArray(other)) return false;
  if (one instanceof Date || other instanceof Date) return String(one) === String(other);
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && sameValue(one[key], other[key]))
  );
}

/** Writes JSON with sorted keys, so that equal values produce equal strings. */
export const jsonInOrder = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    typeof part === "bigint"
      ? String(part)
      : isObjectOrArray(part) && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
        : part,
  );

/** Converts any value to a string. `String` fails for an object with its own `toString`. */
export const asString = (value: unknown): string =>
  isObjectOrArray(value) ? jsonInOrder(value) : String(value);

/** Sets or removes a member of an object. Keys such as `__proto__` are data. */
export function withMember(object: unknown, key: string, value: unknown): object {
  const members = new Map(isObjectOrArray(object) ? Object.entries(object) : []);
  if (value === undefined) members.delete(key);
  else members.set(key, value);
  return Object.fromEntries(members);
}

/** Joins patterns. The first that matches wins. */
export const unionPattern = (flags: string, ...patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join("|"), flags);

export type ConfigValues = Readonly<Record<string, unknown>>;

export const isObjectOrArray = (value: unknown): value is ConfigValues =>
  typeof value === "object" && value !== null;

export const isPlainObject = (value: unknown): value is ConfigValues =>
  isObjectOrArray(value) && !Array.isArray(value);

/**
 * Returns a function that numbers repeated names: `a`, `a_2`, `a_3`.
 *
 * @param separator goes between a name and its number.
 * @param longest maximum length of a numbered name.
 */
export function uniqueNames(separator: string, longest = Infinity): (name: string) => string {
  /** The last number of each name, so that we need not count from 2 again. */
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
