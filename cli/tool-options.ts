import { Option } from "commander";
import type { Contract } from "../schemas/index.ts";
import { valueOption } from "./option.ts";
import { type SettingFlag, settingFlags } from "./settings.ts";
import { type TextFlag, textFlags } from "./text-options.ts";

/** The options of a tool's command beside the flags of its input. */
export interface ToolOptions {
  readonly settings: readonly SettingFlag[];
  readonly texts: readonly TextFlag[];
  readonly json: Option;
  readonly output: Option;
  readonly check: Option;
  /** All of them, in the order of the help. */
  readonly all: readonly Option[];
}

/** The options that a contract asks for, new for each command line. */
export function toolOptions(contract: Contract): ToolOptions {
  const settings = settingFlags(contract);
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
  const all = [
    ...settings.map(({ option }) => option.helpGroup("Settings:")),
    ...[...texts.map(({ option }) => option), json, output, check].map((option) =>
      option.helpGroup("Output:"),
    ),
  ];
  return { settings, texts, json, output, check, all };
}
