import { pathTo } from "./issues.ts";

/**
 * The fields of an object in which the schema finds nothing, so that what is wrong with them
 * otherwise can be told too. An item or a value that the schema refuses becomes a plain word.
 *
 * @param known the names of the fields that the schema has.
 * @param parent the path of the object, empty for the input as a whole.
 * @param refused the paths at which the schema finds something.
 */
export function soundPart(
  object: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  parent: string,
  refused: ReadonlySet<string>,
): object {
  const sound = Object.entries(object)
    .filter(([field]) => known.has(field))
    .map(([field, value]) => ({ field, value, path: pathTo(parent, field) }))
    .filter(({ path }) => !refused.has(path))
    .map(({ field, value, path }) => [field, soundValue(value, path, refused)]);
  return Object.fromEntries(sound);
}

function soundValue(value: unknown, path: string, refused: ReadonlySet<string>): unknown {
  const soundItem = (key: string | number, item: unknown) =>
    refused.has(pathTo(path, key)) ? SOUND_ITEM : item;
  // Unlike map(), it fills the holes that a list may have.
  if (Array.isArray(value)) return Array.from(value, (item, index) => soundItem(index, item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, soundItem(key, item)]),
  );
}

const SOUND_ITEM = "x";
