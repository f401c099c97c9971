import { type Command, Option } from "commander";
import { plural } from "../../src/text.ts";
import { WarningsFound } from "../errors.ts";
import type { Io, Reporting } from "../io.ts";
import { choiceOption, isGiven, onlyChoice } from "../options.ts";

const REPORTERS = ["text", "github", "json"] as const satisfies readonly Reporting["reporter"][];

export const plainReporting = (): Reporting => ({
  reporter: "text",
  isQuiet: false,
  isStrict: false,
  warnings: 0,
});

export const reportingOptions = () => ({
  strict: new Option("--strict", "treat warnings as errors: write nothing and exit with 1"),
  quiet: new Option("--quiet", "print errors only"),
  reporter: choiceOption(
    "--reporter <name>",
    "report problems and warnings as text, as annotations of GitHub Actions, or as JSON lines",
    REPORTERS,
  ),
});

export type ReportingOptions = ReturnType<typeof reportingOptions>;

/** Adds the flags to a command, which then reports as they say. */
export function addReporting(command: Command, io: Io): void {
  const options = reportingOptions();
  for (const option of Object.values(options)) command.addOption(option);
  command.hook("preAction", () => readReporting(command, options, io));
}

/** @throws {UsageError} for another reporter. */
export function readReporting(
  command: Command,
  { strict, quiet, reporter }: ReportingOptions,
  { reporting }: Io,
): void {
  reporting.isStrict = isGiven(command, strict);
  reporting.isQuiet = isGiven(command, quiet);
  reporting.reporter = onlyChoice(command, reporter, REPORTERS) ?? "text";
}

/** @throws {WarningsFound} with `--strict`, after a warning. */
export function requireNoWarnings({ reporting: { isStrict, warnings } }: Io): void {
  if (!isStrict || warnings === 0) return;
  throw new WarningsFound([`--strict: nothing is written, with ${plural(warnings, "warning")}`]);
}

/** False if lines for people are left out. */
export const isHeard = ({ reporting: { reporter, isQuiet } }: Io): boolean =>
  reporter === "text" && !isQuiet;
