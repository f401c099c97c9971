import { styleText } from "node:util";
import { plural, visibleLine, visibleLog } from "../src/text.ts";
import { messageLine, type Problem, problemLine, WarningsFound } from "./errors.ts";
import type { Io, Reporting } from "./io.ts";

/** A problem or a finding, for a line on standard error. */
export interface Message extends Problem {
  readonly severity: "error" | "warning" | "info";
  /** The code of a warning, for `handtools explain`. */
  readonly code?: string | undefined;
}

/** Writes messages to standard error, one line each, in the format of `--reporter`. */
export async function writeMessages(io: Io, messages: readonly Message[]): Promise<void> {
  const { reporting } = io;
  reporting.warningCount += messages.filter(({ severity }) => severity === "warning").length;
  const shown = messages.filter(({ severity }) => !reporting.isQuiet || severity === "error");
  if (shown.length === 0) return;
  const lines = shown.map((message) => WRITERS[reporting.reporter](message, io));
  await io.writeError(lines.map((line) => `${line}\n`).join(""));
}

const WRITERS = { text: textLine, github: githubLine, json: jsonLine };

/** A message for people; coloured only on a terminal. */
function textLine({ severity, code, ...problem }: Message, io: Io): string {
  const coloured = takesColour(io.errorIsTerminal, io);
  const style = coloured ? styled : (_: Style, text: string) => text;
  const end = code === undefined ? "" : style("dim", ` [${code}]`);
  return `${style(COLOURS[severity], severity)}: ${visibleLine(problemLine(problem))}${end}`;
}

const COLOURS = { error: "red", warning: "yellow", info: "cyan" } as const;

/**
 * A command of GitHub Actions, which marks the line in the file:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
function githubLine(message: Message): string {
  const { severity, code, path = "", text, place: { file, line, column } = {} } = message;
  const command = severity === "info" ? "notice" : severity;
  const properties = Object.entries({ file, line, col: column, title: code })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escaped(String(value)).replace(/[:,]/g, percentEncoded)}`);
  const start = [command, properties.join(",")].filter((part) => part !== "").join(" ");
  return `::${start}::${escaped(messageLine(path, text))}`;
}

const escaped = (text: string): string => visibleLog(text).replace(/[%\r\n]/g, percentEncoded);

const percentEncoded = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

function jsonLine({ severity, code, place, path, text }: Message): string {
  return visibleLog(JSON.stringify({ severity, code, ...place, path, message: text }));
}

type Style = "bold" | "dim" | "green" | (typeof COLOURS)[Message["severity"]];

/** The text in the escape codes of a style, whatever the stream is. */
export const styled = (name: Style, text: string): string =>
  styleText(name, text, { validateStream: false });

/**
 * True for a terminal with colours, unless NO_COLOR is set. FORCE_COLOR
 * decides before all of these; 0 and false turn colours off.
 */
export function takesColour(isTerminal: boolean, { environment }: Io): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: noColor, TERM: terminal } = environment;
  if (forced !== undefined) return !["0", "false"].includes(forced);
  return isTerminal && !noColor && terminal !== "dumb";
}

export const plainReporting = (): Reporting => ({
  reporter: "text",
  isQuiet: false,
  isStrict: false,
  printsErrors: false,
  warningCount: 0,
});

/** @throws {WarningsFound} with `--strict`, after a warning. */
export function requireNoWarnings({ reporting: { isStrict, warningCount } }: Io): void {
  if (!isStrict || warningCount === 0) return;
  throw new WarningsFound([
    `--strict: nothing is written, with ${plural(warningCount, "warning")}`,
  ]);
}

/** False if lines for people are left out. */
export const printsForPeople = ({ reporting: { reporter, isQuiet } }: Io): boolean =>
  reporter === "text" && !isQuiet;
