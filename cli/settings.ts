import type { Command, Option } from "commander";
import type { Contract } from "../schemas/index.ts";
import type { Io } from "./io.ts";
import { flagName, onlyValue, valueOption } from "./option.ts";
import { readJson } from "./read-json.ts";

/** A setting of a tool, which a JSON file replaces. */
export interface SettingFlag {
  readonly name: string;
  readonly option: Option;
}

export const settingFlags = ({ settings }: Contract): readonly SettingFlag[] =>
  Object.entries(settings).map(([name, { description }]) => ({
    name,
    option: valueOption(`${flagName(name)} <file>`, `${description} (a JSON file)`).helpGroup(
      "Settings:",
    ),
  }));

/** A setting that the user gave. */
export interface GivenSetting {
  readonly name: string;
  readonly file: string;
  readonly value: unknown;
}

/** Reads the files of the settings that are given. */
export async function readSettings(
  command: Command,
  flags: readonly SettingFlag[],
  io: Io,
): Promise<readonly GivenSetting[]> {
  const given: GivenSetting[] = [];
  for (const { name, option } of flags) {
    const file = onlyValue(command, option);
    if (file !== undefined) given.push({ name, file, value: await readJson(file, io) });
  }
  return given;
}
