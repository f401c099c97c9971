import { UsageError } from "../errors.ts";
import type { Io } from "../io.ts";

/** @throws {UsageError} for a name given twice, or a variable that is not set. */
export function toMap(items: readonly string[], flag: string, io: Io): Record<string, string> {
  const entries = new Map<string, string>();
  for (const [name, value] of items.map((item) => toEntry(item, flag, io))) {
    if (entries.has(name)) throw new UsageError([`${flag}: ${name} is given twice`]);
    entries.set(name, value);
  }
  return Object.fromEntries(entries);
}

/** Reads `NAME=VALUE`, `Name: value` (the notation of headers), or the name of a variable. */
function toEntry(item: string, flag: string, io: Io): [name: string, value: string] {
  const end = item.search(/[=:]/);
  if (end >= 0) {
    const value = item.slice(end + 1);
    return [item.slice(0, end), item[end] === ":" ? value.trimStart() : value];
  }
  const value = Object.hasOwn(io.environment, item) ? io.environment[item] : undefined;
  if (value !== undefined) return [item, value];
  const [word = "", ...others] = item.split(/\s/);
  if (others.length > 0) {
    // The other words may be a secret.
    throw new UsageError([
      `${flag}: ${word} … must be NAME=VALUE or 'Name: value', or the name of a variable`,
    ]);
  }
  throw new UsageError([
    `${flag}: the environment variable ${item} is not set; set it, or give the value as ${item}=VALUE`,
  ]);
}
