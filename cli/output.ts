import { styleText } from "node:util";
import { escapeForCi, escapeLine, escapeText, formatCount, formatTable } from "../src/text.ts";
import { CliError, formatProblem, joinMessage, type LocatedProblem } from "./cli-error.ts";
import type { ReplaceOptions } from "./files/write-file.ts";
import type { CommonFlags, Io } from "./io.ts";

/** A line on standard error. */
export interface Diagnostic extends LocatedProblem {
  readonly severity: "error" | "warning" | "info";
  /** The code of a warning, for `handtools explain`. */
  readonly code?: string | undefined;
}

/** Writes to standard error, one line each, in the format of `--reporter`. */
export async function writeDiagnostics(io: Io, diagnostics: readonly Diagnostic[]): Promise<void> {
  const { reporting } = io;
  reporting.warningCount += diagnostics.filter(({ severity }) => severity === "warning").length;
  const shown = diagnostics.filter(
    ({ severity }) => !reporting.flags.quiet || severity === "error",
  );
  if (shown.length === 0) return;
  const lines = shown.map((diagnostic) =>
    LINE_FORMATTERS[reporting.flags.reporter ?? "text"](diagnostic, io),
  );
  await io.writeError(lines.map((line) => `${line}\n`).join(""));
}

const LINE_FORMATTERS = { text: textLine, github: githubLine, json: jsonLine };

function textLine({ severity, code, ...problem }: Diagnostic, io: Io): string {
  const coloured = supportsColor(io.errorIsTerminal, io);
  const style = coloured ? applyStyle : (_: Style, text: string) => text;
  const end = code === undefined ? "" : style("dim", ` [${code}]`);
  return `${style(SEVERITY_COLOURS[severity], severity)}: ${escapeLine(formatProblem(problem))}${end}`;
}

const SEVERITY_COLOURS = { error: "red", warning: "yellow", info: "cyan" } as const;

/**
 * Formats a command of GitHub Actions that annotates the line:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
function githubLine(diagnostic: Diagnostic): string {
  const { severity, code, path = "", text, location: { file, line, column } = {} } = diagnostic;
  const command = severity === "info" ? "notice" : severity;
  const properties = Object.entries({ file, line, col: column, title: code })
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) => `${name}=${escapeProperty(String(value)).replace(/[:,]/g, percentEncode)}`,
    );
  const start = [command, properties.join(",")].filter((part) => part !== "").join(" ");
  return `::${start}::${escapeProperty(joinMessage(path, text))}`;
}

const escapeProperty = (text: string): string =>
  escapeForCi(text).replace(/[%\r\n]/g, percentEncode);

const percentEncode = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

function jsonLine({ severity, code, location, path, text }: Diagnostic): string {
  return escapeForCi(JSON.stringify({ severity, code, ...location, path, message: text }));
}

type Style = "dim" | "green" | (typeof SEVERITY_COLOURS)[Diagnostic["severity"]];

/** Adds escape codes, whatever the stream is. */
const applyStyle = (name: Style, text: string): string =>
  styleText(name, text, { validateStream: false });

/**
 * Whether to use colours: on a terminal with colours, unless NO_COLOR is set. FORCE_COLOR takes
 * precedence; 0 and false turn colours off.
 */
function supportsColor(isTerminal: boolean, { environment }: Io): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: noColor, TERM: terminal } = environment;
  if (forced !== undefined) return !["0", "false"].includes(forced);
  return isTerminal && !noColor && terminal !== "dumb";
}

/** @throws {CliError} for `--strict` after a warning. */
export function requireNoWarnings({ reporting: { flags, warningCount } }: Io): void {
  if (!flags.strict || warningCount === 0) return;
  throw new CliError([
    `--strict: nothing is written because of ${formatCount(warningCount, "warning")}`,
  ]);
}

/** Whether to print progress for people. */
const showsProgress = ({ reporting: { flags } }: Io): boolean =>
  (flags.reporter ?? "text") === "text" && !flags.quiet;

type OutputFlags = Pick<CommonFlags, "output" | "check">;

export const writesToStdout = ({ output = "-" }: OutputFlags): boolean => output === "-";

interface CommandOutput extends ReplaceOptions {
  readonly text: string;
}

/**
 * Writes the output, or compares it with the file if `--check` is set.
 *
 * @throws {UsageError} if the file has content that must stay.
 * @throws {CliError} if the output cannot be written, or `--check` finds a difference.
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
    if (product.isSecret && readableByOthers)
      await writeDiagnostics(io, [readableByOthersWarning(output)]);
    if (showsProgress(io)) await io.writeError(`wrote ${escapeLine(output)}\n`);
    return;
  }
  // Detecting a terminal takes Bun as long as starting, and few outputs have such characters.
  const visible = escapeText(product.text);
  await io.writeOut(visible !== product.text && io.outIsTerminal ? visible : product.text);
}

async function requireUpToDate(
  path: string,
  { text, isSecret }: CommandOutput,
  io: Io,
): Promise<void> {
  // Git may convert line endings.
  const linesOf = (file: string) => file.replaceAll("\r\n", "\n").split("\n");
  const current = Buffer.from(await io.readFile(path)).toString();
  const { start, lines } = diffLines(linesOf(current), linesOf(text), MAX_DIFF_LINES);
  if (lines.length === 0) return;
  // CI stores its logs, so omit secrets.
  if (!isSecret) await writeDifferences(lines, io);
  const location = { file: path, line: start + 1, column: 1 };
  throw new CliError([{ location, text: NOT_UP_TO_DATE }]);
}

export const NOT_UP_TO_DATE = "is not up to date; run this without --check";

/**
 * Compares two lists of lines, without their common start and end.
 *
 * @param limit the most lines to show from each list.
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
    const shown = middle.slice(0, limit).map((line) => `${sign} ${line}`);
    return rest > 0 ? [...shown, `… ${formatCount(rest, "more line")}`] : shown;
  };
  return { start, lines: [...signed("-", old), ...signed("+", fresh)] };
}

const MAX_DIFF_LINES = 5;

export const readableByOthersWarning = (path: string): Diagnostic => ({
  severity: "warning",
  text: `${path}: other users can read it; if it holds a secret: chmod 600 ${path}`,
});

/** Escapes control characters and commands of CI services. */
export const toJsonText = (value: unknown): string =>
  `${escapeForCi(JSON.stringify(value, null, 2))}\n`;

/** @param columns by their headings. */
export async function writeTable(
  columns: Readonly<Record<string, readonly string[]>>,
  io: Io,
): Promise<void> {
  const lines = formatTable(
    Object.entries(columns).map(([heading, cells]) => ({ heading, cells, align: "left" })),
  );
  await io.writeOut(lines.map((line) => `${line}\n`).join(""));
}

export const writeLines = async (lines: readonly string[], io: Io): Promise<void> =>
  io.writeOut(lines.map((line) => `${escapeLine(line)}\n`).join(""));

/**
 * Prints the lines of a diff, coloured by their first character.
 *
 * @param stream standard error for a report besides the output.
 */
export async function writeDifferences(
  lines: readonly string[],
  io: Io,
  stream: "out" | "error" = "out",
): Promise<void> {
  // Detecting a terminal takes time, and most runs have no report.
  if (lines.length === 0) return;
  const isColoured = supportsColor(stream === "out" ? io.outIsTerminal : io.errorIsTerminal, io);
  const shown = lines.map((line) => {
    const style = MARK_STYLES[line.charAt(0)];
    // Keep tabs, which only indent.
    const visible = line.split("\t").map(escapeLine).join("\t");
    return `${isColoured && style ? applyStyle(style, visible) : visible}\n`;
  });
  await (stream === "out" ? io.writeOut : io.writeError)(shown.join(""));
}

const MARK_STYLES: Readonly<Record<string, Style>> = {
  "+": "green",
  "-": "red",
  "~": "yellow",
  "?": "cyan",
};
