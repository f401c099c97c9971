/** Compares two parsed values; the order of keys does not count. */
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

/** The JSON of a value with its keys sorted, so that equal values have equal texts. */
export const jsonInOrder = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    typeof part === "bigint"
      ? String(part)
      : isObjectOrArray(part) && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
        : part,
  );

/** Any value of a config as a text. `String` fails for an object with a `toString` of its own. */
export const asString = (value: unknown): string =>
  isObjectOrArray(value) ? jsonInOrder(value) : String(value);

/** The object with a member set, or without it; keys such as `__proto__` are data. */
export function withMember(object: unknown, key: string, value: unknown): object {
  const entries = isObjectOrArray(object) ? Object.entries(object) : [];
  const isThere = entries.some(([other]) => other === key);
  if (value === undefined) return Object.fromEntries(entries.filter(([other]) => other !== key));
  return Object.fromEntries(
    isThere
      ? entries.map(([other, old]) => [other, other === key ? value : old])
      : [...entries, [key, value]],
  );
}

/** One pattern of several, tried in their order. */
export const unionPattern = (flags: string, ...patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join("|"), flags);

export type ConfigValues = Readonly<Record<string, unknown>>;

export const isObjectOrArray = (value: unknown): value is ConfigValues =>
  typeof value === "object" && value !== null;

export const isPlainObject = (value: unknown): value is ConfigValues =>
  isObjectOrArray(value) && !Array.isArray(value);

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
