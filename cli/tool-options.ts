import { Option } from "commander";
import type { Contract } from "../schemas/index.ts";
import { type FileFlag, fileFlags } from "./input/file-flags.ts";
import { type NumberFlag, numberFlags } from "./input/number-flags.ts";
import { type SourceFlags, sourceFlags } from "./input/source.ts";
import { type ReportingOptions, reportingOptions } from "./messages/reporting.ts";
import { type TextFlag, textFlags, valueOption } from "./options.ts";

/** The options of a tool's command, without the flags of its input. */
export interface ToolOptions {
  readonly source: SourceFlags | undefined;
  readonly files: readonly FileFlag[];
  readonly numbers: readonly NumberFlag[];
  readonly texts: readonly TextFlag[];
  /** At most one. */
  readonly merge: readonly Option[];
  readonly json: Option;
  readonly output: Option;
  readonly check: Option;
  readonly reporting: ReportingOptions;
  /** All of them, in the order of the help. */
  readonly all: readonly Option[];
}

export function toolOptions(contract: Contract): ToolOptions {
  const source = sourceFlags(contract);
  const files = fileFlags(contract);
  const numbers = numberFlags(contract);
  const texts = textFlags(contract);
  const json = new Option("--json", "print the whole result as JSON");
  const output = valueOption(
    "-o, --output <file>",
    "write to this file, whole or not at all; - is standard output",
  );
  const check = valueOption(
    "--check <file>",
    "write nothing; fail when this file differs from what would be written",
  ).conflicts("output");
  const reporting = reportingOptions();
  const merge = [contract.text.merge ?? []]
    .flat()
    .map((description) => new Option("--merge", description).helpGroup("Existing files:"));
  const all = [
    ...(source ? [source.choice, source.values] : []),
    ...files.flatMap(({ option, part = [] }) => [option].concat(part)),
    ...numbers.map(({ option }) => option),
    ...merge,
    ...[...texts.map(({ option }) => option), json, output, check, ...Object.values(reporting)].map(
      (option) => option.helpGroup("Output:"),
    ),
  ];
  return { source, files, numbers, texts, merge, json, output, check, reporting, all };
}

/** True if the words may have a flag of the input or ask for help. */
export function mayHaveInputFlags(contract: Contract, words: readonly string[]): boolean {
  const { all } = toolOptions(contract);
  return words.some(
    (word) => /^-./.test(word) && !all.some(({ short, long }) => [short, long].includes(word)),
  );
}
