import type { Command, Option } from "commander";
import { SystemError, UsageError } from "./errors.ts";
import type { Io } from "./io.ts";
import { onlyPath } from "./options.ts";

/** Where a product goes; without either path it goes to standard output. */
interface Destination {
  readonly output?: string | undefined;
  readonly check?: string | undefined;
}

/**
 * The destination that the user wants; "-" is standard output.
 *
 * @throws {UsageError} for an empty path, or one that cannot be checked.
 */
export function readDestination(command: Command, output: Option, check: Option): Destination {
  const destination = { output: onlyPath(command, output), check: onlyPath(command, check) };
  if (destination.check === "-") {
    throw new UsageError(["--check: must be a file; standard output has nothing to compare"]);
  }
  return destination.output === "-" ? {} : destination;
}

/**
 * Writes the product, or compares it with the file to check.
 *
 * @throws {SystemError} when it cannot be written, or the checked file differs.
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
  throw new SystemError([`${path}: is not up to date; write it anew with --output ${path}`]);
}

/** JSON as every command prints it. */
export const toJsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** A line on standard error. */
export interface Message {
  readonly severity: "error" | "warning" | "info";
  readonly text: string;
}

/** Joins the parts that are not empty: `rules.json: filters[0].label: must …`. */
export const messageLine = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join(": ");

/** Writes messages to standard error, one line each; coloured only on a terminal. */
export async function writeMessages(io: Io, messages: readonly Message[]): Promise<void> {
  if (messages.length === 0) return;
  const coloured = io.errorIsTerminal && !io.environment.NO_COLOR;
  const lines = messages.map(({ severity, text }) => {
    const label = coloured ? `${COLOURS[severity]}${severity}${DEFAULT_COLOUR}` : severity;
    return `${label}: ${forTerminal(text)}\n`;
  });
  await io.writeError(lines.join(""));
}

const COLOURS = { error: "\u001b[31m", warning: "\u001b[33m", info: "\u001b[36m" };
const DEFAULT_COLOUR = "\u001b[39m";

/** Escapes characters that steer a terminal: the text may hold anyone's data. */
const forTerminal = (text: string): string =>
  text.replace(UNSAFE, (unsafe) =>
    unsafe === "\n" ? "\\n" : `\\u${unsafe.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** C0, C1, line separators and the marks that change the direction of writing. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
