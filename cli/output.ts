import type { Command, Option } from "commander";
import { OutsideFailure, UsageFailure } from "./failures.ts";
import type { Io } from "./io.ts";
import { onlyPath } from "./option.ts";

/** Where a product goes; without either it goes to standard output. */
export interface Destination {
  readonly output?: string | undefined;
  readonly check?: string | undefined;
}

/**
 * The destination that the user wants; "-" is standard output.
 *
 * @throws {UsageFailure} for an empty path, or one that cannot be checked.
 */
export function readDestination(command: Command, output: Option, check: Option): Destination {
  const destination = { output: onlyPath(command, output), check: onlyPath(command, check) };
  if (destination.check === "-") {
    throw new UsageFailure(["--check: must be a file; standard output has nothing to compare"]);
  }
  return destination.output === "-" ? {} : destination;
}

/**
 * Writes the product, or compares it with the file to check.
 *
 * @throws {OutsideFailure} when it cannot be written, or the checked file differs.
 */
export async function deliver(text: string, { output, check }: Destination, io: Io): Promise<void> {
  if (check !== undefined) return compare(check, text, io);
  if (output !== undefined) return io.replaceFile(output, text);
  await io.writeOut(text);
}

async function compare(path: string, text: string, io: Io): Promise<void> {
  const actual = await io.readFile(path);
  const wanted = new TextEncoder().encode(text);
  if (actual.length === wanted.length && actual.every((byte, at) => byte === wanted[at])) return;
  throw new OutsideFailure([`${path}: is not up to date; write it anew with --output ${path}`]);
}

/** JSON as every command prints it. */
export const toJsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
