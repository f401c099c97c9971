import { UsageError } from "./errors.ts";
import { readText } from "./files/read-file.ts";
import type { Io } from "./io.ts";
import { filledOption } from "./options.ts";

export const envFileOption = () =>
  filledOption("--env-file <path>", "read variables from a file; the environment takes precedence");

/** The environment, completed by a file that the user names. */
export async function withEnvFile(path: string | undefined, io: Io): Promise<Io["environment"]> {
  if (path === undefined) return io.environment;
  const { parseEnv } = await import("node:util");
  const text = await readText(path, io);
  const variables = parseEnv(text);
  if (Object.keys(variables).length === 0) {
    throw new UsageError([`${path}: has no line of the form NAME=VALUE`]);
  }
  const [, cut = ""] = CUT_VALUE.exec(text) ?? [];
  if (cut !== "") {
    throw new UsageError([`${path}: ${cut.trim()}: is cut at the #; put the value in quotes`]);
  }
  const [open] = Object.entries(variables).find(([, value]) => value?.includes("\n")) ?? [];
  if (open !== undefined) {
    throw new UsageError([`${path}: ${open}: has a line break; close its quote`]);
  }
  // An empty variable counts as unset, and compose files pass many such.
  const given = Object.entries(io.environment).filter(([, value]) => value !== "");
  return { ...variables, ...Object.fromEntries(given) };
}

/** The name before a value that the parser ends at a `#`, of which systemd reads the rest too. */
const CUT_VALUE = /^([^#=\n]*)=(?!\s*["'`])[^#\n]*[^\s#]#/m;
