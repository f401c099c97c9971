import type { Command, Option } from "commander";
import type { Contract } from "../../schemas/index.ts";
import type { Io } from "../io.ts";
import { flagName, onlyValue, valueOption } from "../options.ts";
import { type NamedFile, readJson } from "./files.ts";

/** The flag of a setting, whose value is a JSON file. */
export interface SettingFlag {
  readonly setting: string;
  readonly option: Option;
}

export const settingFlags = ({ settings }: Contract): readonly SettingFlag[] =>
  Object.entries(settings).map(([setting, { description }]) => ({
    setting,
    option: valueOption(`${flagName(setting)} <file>`, `${description} (a JSON file)`),
  }));

/** The file of a setting. */
interface SettingFile extends NamedFile {
  readonly setting: string;
}

/** The files of the given settings. */
export const settingFiles = (
  command: Command,
  flags: readonly SettingFlag[],
): readonly SettingFile[] =>
  flags.flatMap(({ setting, option }) => {
    const file = onlyValue(command, option);
    return file === undefined ? [] : [{ setting, name: String(option.long), file }];
  });

/** A setting that the user gave. */
export interface GivenSetting extends SettingFile {
  readonly value: unknown;
}

/** Reads the files of the settings, one after the other. */
export async function readToolSettings(
  files: readonly SettingFile[],
  io: Io,
): Promise<readonly GivenSetting[]> {
  const given: GivenSetting[] = [];
  for (const setting of files) given.push({ ...setting, value: await readJson(setting.file, io) });
  return given;
}
