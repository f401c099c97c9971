import type { Command, Option } from "commander";
import { OutsideFailure, UsageFailure } from "./errors.ts";
import type { Io } from "./io.ts";
import { onlyPath } from "./options.ts";

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

/** A line on standard error. */
export interface Message {
  readonly severity: "error" | "warning" | "info";
  readonly text: string;
}

/** One line of the parts that there are: `rules.json: filters[0].label: must …`. */
export const line = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join(": ");

const COLOURS = { error: "\u001b[31m", warning: "\u001b[33m", info: "\u001b[36m" };
const PLAIN = "\u001b[39m";

/** C0, C1, line separators and the marks that turn the direction of writing. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Writes messages to standard error, one line each; colour only on a terminal. */
export async function writeMessages(io: Io, messages: readonly Message[]): Promise<void> {
  if (messages.length === 0) return;
  const coloured = io.errorIsTerminal && !io.environment.NO_COLOR;
  const lines = messages.map(({ severity, text }) => {
    const label = coloured ? `${COLOURS[severity]}${severity}${PLAIN}` : severity;
    return `${label}: ${escapeControls(text)}\n`;
  });
  await io.writeError(lines.join(""));
}

/** The user's data may be anyone's: what it holds must not steer the terminal. */
const escapeControls = (text: string): string =>
  text.replace(UNSAFE, (unsafe) =>
    unsafe === "\n" ? "\\n" : `\\u${unsafe.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
