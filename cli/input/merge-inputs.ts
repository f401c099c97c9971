import { withNames } from "../../src/issues.ts";
import { UsageError } from "../errors.ts";
import { messageLine } from "../messages/problem.ts";
import type { JsonFile, Origin } from "./files.ts";

/**
 * One input from the inputs of several files: their lists one after the other. Other fields
 * must be equal in every file that has them.
 *
 * @param list the name of the list.
 * @throws {UsageError} for a file without the list, and for files that disagree.
 */
export function mergeInputs(files: readonly JsonFile[], list: string) {
  const items: unknown[] = [];
  const others = new Map<string, { readonly file: JsonFile; readonly value: unknown }>();
  const parts = files.map((file) => {
    const part = { file, start: items.length };
    for (const [key, value] of Object.entries(requireList(file, list))) {
      if (key === list && Array.isArray(value)) items.push(...value);
      else addOther(others, key, { file, value });
    }
    return part;
  });

  const origin = (path: string): Origin => {
    const [, index, rest] = new RegExp(`^${list}\\[(\\d+)\\](.*)$`, "s").exec(path) ?? [];
    const part = parts.findLast(({ start }) => start <= Number(index));
    if (part) {
      return { file: part.file, path: `${list}[${Number(index) - part.start}]${rest}` };
    }
    return { file: others.get(/^[^.[]*/.exec(path)?.[0] ?? "")?.file, path };
  };
  const nameOf = (name: string): string => {
    const { file, path } = origin(name);
    return messageLine(file?.source ?? "", path);
  };
  return {
    value: Object.fromEntries([
      ...Array.from(others, ([key, { value }]) => [key, value]),
      [list, items],
    ]),
    origin,
    reword: (message: string) => withNames(message, nameOf),
  };
}

function requireList({ source, value }: JsonFile, list: string): object {
  const place = { file: source };
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError([{ place, text: "must be an object" }]);
  }
  const items = new Map(Object.entries(value)).get(list);
  if (!Array.isArray(items))
    throw new UsageError([{ place, path: list, text: "must be an array" }]);
  return value;
}

function addOther(
  others: Map<string, { readonly file: JsonFile; readonly value: unknown }>,
  key: string,
  { file, value }: { readonly file: JsonFile; readonly value: unknown },
): void {
  const earlier = others.get(key);
  if (earlier && JSON.stringify(earlier.value) !== JSON.stringify(value)) {
    const text = `must be the same as in ${earlier.file.source}`;
    throw new UsageError([{ place: { file: file.source }, path: key, text }]);
  }
  others.set(key, earlier ?? { file, value });
}
