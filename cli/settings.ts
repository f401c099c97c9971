import type { Command, Option } from "commander";
import type { Contract } from "../schemas/index.ts";
import { UsageFailure } from "./failures.ts";
import type { Io } from "./io.ts";
import { flagName, onlyPath, valueOption } from "./option.ts";
import { readJson } from "./read-json.ts";

/** A setting of a tool, which a JSON file replaces. */
export interface SettingFlag {
  readonly name: string;
  readonly option: Option;
}

export const settingFlags = ({ settings }: Contract): readonly SettingFlag[] =>
  Object.entries(settings).map(([name, { description }]) => ({
    name,
    option: valueOption(`${flagName(name)} <file>`, `${description} (a JSON file)`),
  }));

interface SettingFile {
  readonly name: string;
  readonly file: string;
}

/** A setting that the user gave. */
export interface GivenSetting extends SettingFile {
  readonly value: unknown;
}

/**
 * The files of the settings that are given.
 *
 * @param input the file of the tool's input.
 * @throws {UsageFailure} when two of the files are standard input, of which there is one.
 */
export function settingFiles(
  command: Command,
  flags: readonly SettingFlag[],
  input: string | undefined,
): readonly SettingFile[] {
  const files: SettingFile[] = [];
  for (const { name, option } of flags) {
    const file = onlyPath(command, option);
    if (file === undefined) continue;
    if (file === "-" && [input, ...files.map((other) => other.file)].includes("-")) {
      throw new UsageFailure([`${option.long}: standard input is read already; give a file`]);
    }
    files.push({ name, file });
  }
  return files;
}

/** Reads the settings one after the other. */
export async function readSettings(
  files: readonly SettingFile[],
  io: Io,
): Promise<readonly GivenSetting[]> {
  const given: GivenSetting[] = [];
  for (const { name, file } of files) given.push({ name, file, value: await readJson(file, io) });
  return given;
}
