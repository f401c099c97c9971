import type { Command, Option } from "commander";
import type { Contract } from "../schemas/index.ts";
import { type Column, table, visibleLine, visibleText } from "../src/text.ts";
import { SystemError, UsageError } from "./errors.ts";
import type { NamedFile } from "./input/file-flags.ts";
import type { Io } from "./io.ts";
import { onlyPath } from "./options.ts";

/** The file to write or to check; without either the text goes to standard output. */
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
 * Keeps `rules.json -o rules.json` from replacing what it was made of.
 *
 * @throws {UsageError} when the output is one of the files that are read.
 */
export async function requireOtherFile(
  { output }: Destination,
  read: readonly NamedFile[],
  io: Io,
): Promise<void> {
  if (output === undefined) return;
  for (const { file } of read) {
    if (!(await io.isSameFile(file, output))) continue;
    throw new UsageError([`--output: ${output} is read, and would be lost; write another file`]);
  }
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
  // Asking for the terminal takes Bun as long as its start, and few texts have such characters.
  const visible = visibleText(product.text);
  await io.writeOut(visible !== product.text && io.outIsTerminal ? visible : product.text);
}

async function compare(path: string, text: string, io: Io): Promise<void> {
  const actual = await io.readFile(path);
  const wanted = new TextEncoder().encode(text);
  if (actual.length === wanted.length && actual.every((byte, at) => byte === wanted[at])) return;
  // Git can give a file these line ends, and writing it again would change nothing for Git.
  const isOnlyCrlf = new TextDecoder().decode(actual).replaceAll("\r\n", "\n") === text;
  const problem = isOnlyCrlf
    ? "differs in its line ends alone (CRLF); in Git, eol=lf in .gitattributes keeps LF"
    : `is not up to date; update it with --output ${path}`;
  throw new SystemError([messageLine(path, problem)]);
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
  await io.writeError(`wrote ${visibleLine(path)}\n`);
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

/** JSON as every command prints it. What steers a terminal is escaped, which JSON reads back. */
export const toJsonText = (value: unknown): string =>
  `${visibleText(JSON.stringify(value, null, 2))}\n`;

/** Prints an aligned table; its headings stand out on a terminal. */
export async function writeTable(columns: readonly Column[], io: Io): Promise<void> {
  const [headings = "", ...rows] = table(columns);
  const first = takesColour(io.outIsTerminal, io) ? await styled("bold", headings) : headings;
  await io.writeOut([first, ...rows].map((line) => `${line}\n`).join(""));
}

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

/** Prints the lines of a difference, with what is added and what is left out in their colours. */
export async function writeDifferences(lines: readonly string[], io: Io): Promise<void> {
  const isColoured = takesColour(io.outIsTerminal, io);
  const shown = lines.map(async (line) => {
    const style = MARKS[line.charAt(0)];
    return `${isColoured && style ? await styled(style, visibleLine(line)) : visibleLine(line)}\n`;
  });
  await io.writeOut((await Promise.all(shown)).join(""));
}

/** Added, gone, changed, and not known. */
const MARKS: Readonly<Record<string, Style>> = {
  "+": "green",
  "-": "red",
  "~": "yellow",
  "?": "cyan",
};

/** Writes messages to standard error, one line each; coloured only on a terminal. */
export async function writeMessages(io: Io, messages: readonly Message[]): Promise<void> {
  if (messages.length === 0) return;
  const coloured = takesColour(io.errorIsTerminal, io);
  const style = coloured ? styled : async (_: Style, text: string) => text;
  const lines = messages.map(async ({ severity, text, code }) => {
    const end = code === undefined ? "" : await style("dim", ` [${code}]`);
    return `${await style(COLOURS[severity], severity)}: ${visibleLine(text)}${end}\n`;
  });
  await io.writeError((await Promise.all(lines)).join(""));
}

const COLOURS = { error: "red", warning: "yellow", info: "cyan" } as const;

type Style = "bold" | "dim" | "green" | (typeof COLOURS)[Message["severity"]];

/** The code of styles loads only for a terminal. */
async function styled(name: Style, text: string): Promise<string> {
  const { style } = await import("./style.ts");
  return style(name, text);
}

/**
 * Whether a stream gets colours: on a terminal that has them, unless NO_COLOR is set. FORCE_COLOR
 * decides before all of these; 0 and false turn colours off.
 */
export function takesColour(isTerminal: boolean, { environment }: Io): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: noColor, TERM: terminal } = environment;
  if (forced !== undefined) return !["0", "false"].includes(forced);
  return isTerminal && !noColor && terminal !== "dumb";
}
