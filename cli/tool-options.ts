import { type Command, Option } from "commander";
import type { Contract, FileOption, NumberOption } from "../schemas/index.ts";
import type { GivenNumbers } from "../src/tool.ts";
import { UsageError } from "./errors.ts";
import type { NamedFile } from "./files/read-file.ts";
import { type ReportingOptions, reportingOptions } from "./messages/message.ts";
import {
  allValues,
  choiceOption,
  flagName,
  onlyValue,
  type TextFlag,
  textFlags,
  valueOption,
} from "./options.ts";

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

/** The flags that complete a FILE in another format, such as the manifest of a registry. */
export interface SourceFlags {
  readonly choice: Option;
  readonly values: Option;
}

export const sourceFlags = ({ source }: Contract): SourceFlags | undefined =>
  source && {
    choice: choiceOption(
      `${flagName(source.choice.name)} <name>`,
      source.choice.description,
      source.choice.values,
    ).helpGroup("Input:"),
    values: valueOption(
      `${flagName(source.values.name)} <name=value>`,
      source.values.description,
    ).helpGroup("Input:"),
  };

export interface FileFlag {
  /** Its name in the contract, `price_book`. */
  readonly name: string;
  /** A setting replaces data of the tool; the others take an existing file of the tool's format. */
  readonly use: "setting" | FileOption["does"];
  readonly option: Option;
  readonly part?: Option;
}

function fileFlags({ setting, text }: Contract): readonly FileFlag[] {
  const toOption = (name: string, description: string) =>
    valueOption(`${flagName(name)} <file>`, description);
  return [
    ...[setting ?? []].flat().map(({ name, description }) => ({
      name,
      use: "setting" as const,
      option: toOption(name, `${description} (a JSON file)`).helpGroup("Settings:"),
    })),
    ...Object.entries(text.files ?? {}).map(([name, { does, description, part }]) => ({
      name,
      use: does,
      option: toOption(name, description).helpGroup("Existing files:"),
      ...(part && {
        part: valueOption(`${flagName(part.name)} <number>`, part.description).helpGroup(
          "Existing files:",
        ),
      }),
    })),
  ];
}

/** Forbids options beside a flag with which they make no sense. */
export function declareConflicts(
  flags: readonly FileFlag[],
  others: {
    readonly input: readonly Option[];
    readonly rendering: readonly Option[];
    readonly json: Option;
    /** Beside a file that is read, --json prints the outcome of a merge. */
    readonly merge: readonly Option[];
    readonly destination: readonly Option[];
  },
): void {
  const isSetting = ({ use }: FileFlag) => use === "setting";
  const settings = flags.filter(isSetting).map(({ option }) => option);
  const existing = flags.filter((flag) => !isSetting(flag));
  for (const { use, option } of existing) {
    const conflicting = {
      setting: [],
      read: [
        ...others.input,
        ...settings,
        ...others.rendering,
        ...(others.merge.length > 0 ? [] : [others.json]),
      ],
      subtract: [],
      compare: [...others.rendering, ...others.destination],
    }[use];
    const siblings = existing.map((flag) => flag.option).filter((sibling) => sibling !== option);
    option.conflicts([...conflicting, ...siblings].map((other) => other.attributeName()));
  }
}

export type GivenFile = FileFlag & NamedFile & { readonly partNumber?: number | undefined };

export const givenFiles = (command: Command, flags: readonly FileFlag[]): readonly GivenFile[] =>
  flags.flatMap((flag) => {
    const file = onlyValue(command, flag.option);
    const label = String(flag.option.long);
    const partNumber = flag.part && numberOf(command, flag.part);
    if (file !== undefined) return [{ ...flag, label, file, partNumber }];
    if (partNumber === undefined) return [];
    throw new UsageError([`${flag.part?.long}: needs ${label}`]);
  });

function numberOf(command: Command, option: Option): number | undefined {
  const value = onlyValue(command, option);
  if (value === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw new UsageError([`${option.long}: must be a whole number from 1`]);
}

export interface NumberFlag extends NumberOption {
  readonly name: string;
  readonly option: Option;
}

const numberFlags = ({ text }: Contract): readonly NumberFlag[] =>
  Object.entries(text.numbers ?? {}).map(([name, number]) => {
    const value = number.type === "number" ? "<number>" : "<name=number>";
    const option = valueOption(`${flagName(name)} ${value}`, number.description);
    return { ...number, name, option: option.helpGroup("Existing files:") };
  });

/**
 * The numbers that the user gave.
 *
 * @throws {UsageError} for a value that is not a whole number, and for a name given twice.
 */
export function readNumbers(command: Command, flags: readonly NumberFlag[]): GivenNumbers {
  const numbers: Record<string, number | Readonly<Record<string, number>>> = {};
  for (const { name, type, option } of flags) {
    if (type === "number") {
      const value = onlyValue(command, option);
      if (value !== undefined) numbers[name] = wholeNumber(value, option);
    } else {
      const values = allValues(command, option);
      if (values) numbers[name] = byName(values, option);
    }
  }
  return numbers;
}

function byName(values: readonly string[], option: Option): Readonly<Record<string, number>> {
  const pairs = values.map((value) => {
    const at = value.lastIndexOf("=");
    if (at < 1) throw new UsageError([`${option.long}: must be a name and a number: "Name=300"`]);
    return [value.slice(0, at), wholeNumber(value.slice(at + 1), option)] as const;
  });
  const names = pairs.map(([name]) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) {
    throw new UsageError([`${option.long}: ${JSON.stringify(repeated)} is given twice`]);
  }
  return Object.fromEntries(pairs);
}

function wholeNumber(text: string, option: Option): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError([`${option.long}: must be a whole number`]);
  return Number(text);
}
