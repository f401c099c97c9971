import { pathTo } from "./issues.ts";

/**
 * Keeps the valid fields of an object, for checks beyond the schema. An invalid item or value of a field
 * becomes a plain word, so that the other items keep their indexes.
 *
 * @param known the names of the fields that the schema has.
 * @param parent the path of the object, empty for the input as a whole.
 * @param invalid the paths of the schema's issues.
 */
export function keepValidFields(
  object: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  parent: string,
  invalid: ReadonlySet<string>,
): object {
  const valid = Object.entries(object)
    .filter(([field]) => known.has(field))
    .map(([field, value]) => ({ field, value, path: pathTo(parent, field) }))
    .filter(({ path }) => !invalid.has(path))
    .map(({ field, value, path }) => [field, withValidItems(value, path, invalid)]);
  return Object.fromEntries(valid);
}

function withValidItems(value: unknown, path: string, invalid: ReadonlySet<string>): unknown {
  const validItem = (key: string | number, item: unknown) =>
    invalid.has(pathTo(path, key)) ? VALID_ITEM : item;
  // Unlike map(), it fills the holes that a list may have.
  if (Array.isArray(value)) return Array.from(value, (item, index) => validItem(index, item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, validItem(key, item)]),
  );
}

const VALID_ITEM = "x";
