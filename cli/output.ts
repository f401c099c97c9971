import { styleText } from "node:util";
import { escapeForCi, escapeLine, escapeText, formatCount, formatTable } from "../src/text.ts";
import { CliError, formatProblem, joinMessage, type LocatedProblem } from "./cli-error.ts";
import type { ReplaceOptions } from "./files/write-file.ts";
import type { CommonFlags, Io } from "./io.ts";

/** A problem or a finding, for a line on standard error. */
export interface Diagnostic extends LocatedProblem {
  readonly severity: "error" | "warning" | "info";
  /** The code of a warning, for `handtools explain`. */
  readonly code?: string | undefined;
}

/** Writes messages to standard error, one line each, in the format of `--reporter`. */
export async function writeDiagnostics(io: Io, messages: readonly Diagnostic[]): Promise<void> {
  const { reporting } = io;
  reporting.warningCount += messages.filter(({ severity }) => severity === "warning").length;
  const shown = messages.filter(({ severity }) => !reporting.flags.quiet || severity === "error");
  if (shown.length === 0) return;
  const lines = shown.map((message) => WRITERS[reporting.flags.reporter ?? "text"](message, io));
  await io.writeError(lines.map((line) => `${line}\n`).join(""));
}

const WRITERS = { text: textLine, github: githubLine, json: jsonLine };

/** A message for people; coloured only on a terminal. */
function textLine({ severity, code, ...problem }: Diagnostic, io: Io): string {
  const coloured = supportsColor(io.errorIsTerminal, io);
  const style = coloured ? styled : (_: Style, text: string) => text;
  const end = code === undefined ? "" : style("dim", ` [${code}]`);
  return `${style(COLOURS[severity], severity)}: ${escapeLine(formatProblem(problem))}${end}`;
}

const COLOURS = { error: "red", warning: "yellow", info: "cyan" } as const;

/**
 * A command of GitHub Actions, which marks the line in the file:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
function githubLine(message: Diagnostic): string {
  const { severity, code, path = "", text, place: { file, line, column } = {} } = message;
  const command = severity === "info" ? "notice" : severity;
  const properties = Object.entries({ file, line, col: column, title: code })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escaped(String(value)).replace(/[:,]/g, percentEncoded)}`);
  const start = [command, properties.join(",")].filter((part) => part !== "").join(" ");
  return `::${start}::${escaped(joinMessage(path, text))}`;
}

const escaped = (text: string): string => escapeForCi(text).replace(/[%\r\n]/g, percentEncoded);

const percentEncoded = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

function jsonLine({ severity, code, place, path, text }: Diagnostic): string {
  return escapeForCi(JSON.stringify({ severity, code, ...place, path, message: text }));
}

type Style = "dim" | "green" | (typeof COLOURS)[Diagnostic["severity"]];

/** The text in the escape codes of a style, whatever the stream is. */
const styled = (name: Style, text: string): string =>
  styleText(name, text, { validateStream: false });

/**
 * True for a terminal with colours, unless NO_COLOR is set. FORCE_COLOR
 * decides before all of these; 0 and false turn colours off.
 */
function supportsColor(isTerminal: boolean, { environment }: Io): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: noColor, TERM: terminal } = environment;
  if (forced !== undefined) return !["0", "false"].includes(forced);
  return isTerminal && !noColor && terminal !== "dumb";
}

/** @throws {CliError} with `--strict`, after a warning. */
export function requireNoWarnings({ reporting: { flags, warningCount } }: Io): void {
  if (!flags.strict || warningCount === 0) return;
  throw new CliError([
    `--strict: nothing is written, with ${formatCount(warningCount, "warning")}`,
  ]);
}

/** False if lines for people are left out. */
const showsProgress = ({ reporting: { flags } }: Io): boolean =>
  (flags.reporter ?? "text") === "text" && !flags.quiet;

/** The flags that say where a product goes. */
type OutputFlags = Pick<CommonFlags, "output" | "check">;

/** True if the product goes to standard output. */
export const writesToStdout = ({ output = "-" }: OutputFlags): boolean => output === "-";

interface CommandOutput extends ReplaceOptions {
  readonly text: string;
}

/**
 * Writes the product; with `--check` compares it with the file instead.
 *
 * @throws {UsageError} when the file holds content that must stay.
 * @throws {CliError} when it cannot be written, and with `--check` for a file that differs.
 */
export async function writeOutput(
  product: CommandOutput,
  { output = "-", check }: OutputFlags,
  io: Io,
): Promise<void> {
  requireNoWarnings(io);
  if (check) return requireUpToDate(output, product, io);
  if (output !== "-") {
    const { readableByOthers } = await io.replaceFile(output, product.text, product);
    if (product.isSecret && readableByOthers) await writeDiagnostics(io, [readableWarning(output)]);
    if (showsProgress(io)) await io.writeError(`wrote ${escapeLine(output)}\n`);
    return;
  }
  // Asking for the terminal takes Bun as long as its start, and few texts have such characters.
  const visible = escapeText(product.text);
  await io.writeOut(visible !== product.text && io.outIsTerminal ? visible : product.text);
}

async function requireUpToDate(
  path: string,
  { text, isSecret }: CommandOutput,
  io: Io,
): Promise<void> {
  // Git may give a file other line ends.
  const linesOf = (file: string) => file.replaceAll("\r\n", "\n").split("\n");
  const current = Buffer.from(await io.readFile(path)).toString();
  const { start, lines } = diffLines(linesOf(current), linesOf(text), MAX_DIFF_LINES);
  if (lines.length === 0) return;
  // CI logs are kept, so secrets stay out.
  if (!isSecret) await writeDifferences(lines, io);
  const place = { file: path, line: start + 1, column: 1 };
  throw new CliError([{ place, text: NOT_UP_TO_DATE }]);
}

export const NOT_UP_TO_DATE = "is not up to date; run this without --check";

/**
 * The lines between those that two texts have in common, at the start and at the end.
 *
 * @param limit of the lines of each.
 */
export function diffLines(old: readonly string[], fresh: readonly string[], limit = Infinity) {
  const shortest = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < shortest && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < shortest - start && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  const signed = (sign: string, lines: readonly string[]) => {
    const middle = lines.slice(start, lines.length - end);
    const rest = middle.length - limit;
    const shown = rest > 0 ? [...middle.slice(0, limit), `and ${rest} more lines`] : middle;
    return shown.map((line) => `${sign} ${line}`);
  };
  return { start, lines: [...signed("-", old), ...signed("+", fresh)] };
}

const MAX_DIFF_LINES = 5;

export const readableWarning = (path: string): Diagnostic => ({
  severity: "warning",
  text: `${path}: other users can read it; if it holds a secret: chmod 600 ${path}`,
});

/** JSON as every command prints it, with control characters and commands of CI services as `\\u` escapes. */
export const toJsonText = (value: unknown): string =>
  `${escapeForCi(JSON.stringify(value, null, 2))}\n`;

/** Prints an aligned table of columns by their headings. */
export async function writeTable(
  columns: Readonly<Record<string, readonly string[]>>,
  io: Io,
): Promise<void> {
  const lines = formatTable(
    Object.entries(columns).map(([heading, cells]) => ({ heading, cells, align: "left" })),
  );
  await io.writeOut(lines.map((line) => `${line}\n`).join(""));
}

/** Prints lines for people. */
export const writeLines = async (lines: readonly string[], io: Io): Promise<void> =>
  io.writeOut(lines.map((line) => `${escapeLine(line)}\n`).join(""));

/**
 * Prints the lines of a difference, in the colours of added and removed lines.
 *
 * @param stream standard error for a report beside a product.
 */
export async function writeDifferences(
  lines: readonly string[],
  io: Io,
  stream: "out" | "error" = "out",
): Promise<void> {
  // Asking for the terminal takes time, and most runs have no report.
  if (lines.length === 0) return;
  const isColoured = supportsColor(stream === "out" ? io.outIsTerminal : io.errorIsTerminal, io);
  const shown = lines.map((line) => {
    const style = MARKS[line.charAt(0)];
    // A tab only indents.
    const visible = line.split("\t").map(escapeLine).join("\t");
    return `${isColoured && style ? styled(style, visible) : visible}\n`;
  });
  await (stream === "out" ? io.writeOut : io.writeError)(shown.join(""));
}

const MARKS: Readonly<Record<string, Style>> = {
  "+": "green",
  "-": "red",
  "~": "yellow",
  "?": "cyan",
};
