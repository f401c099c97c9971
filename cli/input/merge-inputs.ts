import { withNames } from "../../src/issues.ts";
import { UsageError } from "../errors.ts";

interface FileInput {
  readonly source: string;
  readonly value: unknown;
}

/**
 * One input from the inputs of several files: their lists one after the other. What else they say
 * must be the same in each file that says it.
 *
 * @param list the name of the list.
 * @throws {UsageError} for a file without the list, and for files that disagree.
 */
export function mergeInputs(inputs: readonly FileInput[], list: string) {
  const items: unknown[] = [];
  const others = new Map<string, FileInput>();
  const parts = inputs.map(({ source, value }) => {
    const part = { source, start: items.length };
    for (const [key, member] of Object.entries(requireList(value, list, source))) {
      if (key === list && Array.isArray(member)) items.push(...member);
      else addOther(others, key, { source, value: member });
    }
    return part;
  });

  const place = (path: string): string => {
    const [, index, rest] = new RegExp(`^${list}\\[(\\d+)\\](.*)$`, "s").exec(path) ?? [];
    const part = parts.findLast(({ start }) => start <= Number(index));
    if (part) return `${part.source}: ${list}[${Number(index) - part.start}]${rest}`;
    const source = others.get(/^[^.[]*/.exec(path)?.[0] ?? "")?.source;
    return source ? `${source}: ${path}` : path;
  };
  return {
    value: Object.fromEntries([
      ...Array.from(others, ([key, { value }]) => [key, value]),
      [list, items],
    ]),
    place,
    reword: (message: string) => withNames(message, place),
  };
}

function requireList(value: unknown, list: string, source: string): object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError([`${source}: must be an object`]);
  }
  const items = new Map(Object.entries(value)).get(list);
  if (!Array.isArray(items)) throw new UsageError([`${source}: ${list}: must be an array`]);
  return value;
}

function addOther(others: Map<string, FileInput>, key: string, input: FileInput): void {
  const earlier = others.get(key);
  if (earlier && JSON.stringify(earlier.value) !== JSON.stringify(input.value)) {
    throw new UsageError([`${input.source}: ${key}: must be the same as in ${earlier.source}`]);
  }
  others.set(key, earlier ?? input);
}
