import { UsageError } from "./errors.ts";
import { readText } from "./input/files.ts";
import type { Io } from "./io.ts";
import { valueOption } from "./options.ts";

/** The flag of the commands that the environment configures. */
export const envFileOption = () =>
  valueOption("--env-file <path>", "read variables from a file; those of the environment win");

/** The environment, completed by a file that the user names. */
export async function withEnvFile(path: string | undefined, io: Io): Promise<Io["environment"]> {
  if (path === undefined) return io.environment;
  const { parseEnv } = await import("node:util");
  const variables = parseEnv(await readText(path, io));
  if (Object.keys(variables).length === 0) {
    throw new UsageError([`${path}: has no line of the form NAME=VALUE`]);
  }
  return { ...variables, ...io.environment };
}
