import type { Command, Option } from "commander";
import type { Contract, FileOption } from "../../schemas/index.ts";
import { UsageError } from "../errors.ts";
import { isStandardInput } from "../files/read-file.ts";
import { flagName, onlyValue, valueOption } from "../options.ts";

export interface FileFlag {
  /** Its name in the contract, `price_book`. */
  readonly name: string;
  /** A setting replaces data of the tool; the others take an existing file of the tool's format. */
  readonly use: "setting" | FileOption["does"];
  readonly option: Option;
  readonly part?: Option;
}

export function fileFlags({ setting, text }: Contract): readonly FileFlag[] {
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

/** A file that the command line names, and the name of its argument or flag in messages. */
export interface NamedFile {
  readonly label: string;
  readonly file: string;
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

/** @throws {UsageError} for an empty path, and when standard input is to be read twice. */
export function requireReadable(files: readonly NamedFile[]): void {
  files.forEach(({ label, file }, index) => {
    if (file === "") throw new UsageError([`${label}: must not be empty`]);
    if (isStandardInput(file) && files.findIndex((other) => isStandardInput(other.file)) < index) {
      throw new UsageError([`${label}: standard input is already used; give a file`]);
    }
  });
}
