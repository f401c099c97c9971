import type { Command, Option } from "commander";
import type { Contract } from "../schemas/index.ts";
import { type Column, table } from "../src/text.ts";
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

/** A text of a tool. */
interface Product {
  readonly text: string;
  /** Whether it is the whole result as JSON. */
  readonly whole: boolean;
}

/**
 * Writes the product, or compares it with the file to check.
 *
 * @throws {UsageError} when the file holds content that must stay.
 * @throws {SystemError} when it cannot be written, or the checked file differs.
 */
export async function deliver(
  product: Product,
  { output, check }: Destination,
  contract: Contract,
  io: Io,
): Promise<void> {
  if (check !== undefined) return compare(check, product.text, io);
  if (output !== undefined) return writeProduct(output, product, contract, io);
  await io.writeOut(product.text);
}

async function compare(path: string, text: string, io: Io): Promise<void> {
  const actual = await io.readFile(path);
  const wanted = new TextEncoder().encode(text);
  if (actual.length === wanted.length && actual.every((byte, at) => byte === wanted[at])) return;
  throw new SystemError([`${path}: is not up to date; write it anew with --output ${path}`]);
}

async function writeProduct(path: string, product: Product, contract: Contract, io: Io) {
  const { sensitive, text } = contract;
  const advice = text.shared_file;
  const { readableByOthers } = await io.replaceFile(path, product.text, {
    secret: sensitive,
    async approve(existing) {
      if (existing && advice) await requireNothingLost(path, existing, product, advice);
    },
  });
  if (sensitive && readableByOthers) await writeMessages(io, [readableWarning(path)]);
}

export const readableWarning = (path: string): Message => ({
  severity: "warning",
  text: `${path}: other users can read it; if it holds a secret: chmod 600 ${path}`,
});

/** @throws {UsageError} when the file holds more than the product. */
async function requireNothingLost(
  path: string,
  existing: Uint8Array,
  { text, whole }: Product,
  advice: string,
): Promise<void> {
  const { lostContent } = await import("./files/lost-content.ts");
  const lost = lostContent(new TextDecoder().decode(existing), text, whole ? 1 : 2);
  if (!lost) return;
  const what = lost.key ? `more than would be written (${lost.key})` : "something else";
  throw new UsageError([`${path}: holds ${what}; ${advice}, or write another file`]);
}

/** JSON as every command prints it. */
export const toJsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** An aligned table as every command prints it. */
export const tableText = (columns: readonly Column[]): string =>
  table(columns)
    .map((line) => `${line}\n`)
    .join("");

/** A line on standard error. */
export interface Message {
  readonly severity: "error" | "warning" | "info";
  readonly text: string;
  /** The code of a warning, which `handtools explain` takes. */
  readonly code?: string;
}

/** Joins the parts that are not empty: `rules.json: filters[0].label: must …`. */
export const messageLine = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join(": ");

/** Writes messages to standard error, one line each; coloured only on a terminal. */
export async function writeMessages(io: Io, messages: readonly Message[]): Promise<void> {
  if (messages.length === 0) return;
  const coloured = io.errorIsTerminal && !io.environment.NO_COLOR;
  const lines = messages.map(({ severity, text, code }) => {
    const label = coloured ? `${COLOURS[severity]}${severity}${DEFAULT_COLOUR}` : severity;
    return `${label}: ${forTerminal(text)}${code === undefined ? "" : ` [${code}]`}\n`;
  });
  await io.writeError(lines.join(""));
}

const COLOURS = { error: "\u001b[31m", warning: "\u001b[33m", info: "\u001b[36m" };
const DEFAULT_COLOUR = "\u001b[39m";

/** Escapes characters that steer a terminal: the text may hold anyone's data. */
export const forTerminal = (text: string): string =>
  text.replace(UNSAFE, (unsafe) =>
    unsafe === "\n" ? "\\n" : `\\u${unsafe.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** C0, C1, line separators and the marks that change the direction of writing. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
