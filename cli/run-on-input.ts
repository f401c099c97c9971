import { InvalidInputError } from "../src/issues.ts";
import { runTool, type Tool } from "../src/tool.ts";
import { UsageFailure } from "./failures.ts";
import type { Input } from "./input.ts";
import { line } from "./messages.ts";
import { pathBelow } from "./path-below.ts";
import { sourceName } from "./read-json.ts";
import type { GivenSetting } from "./settings.ts";

/**
 * Runs a tool on what the user gave.
 *
 * @throws {UsageFailure} with every issue, each named as the user gave it.
 */
export function runOnInput(tool: Tool, input: Input, settings: readonly GivenSetting[]) {
  const values = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
  try {
    return runTool(tool, input.value, values);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw new UsageFailure(
      error.issues.map(({ path, message }) => line(...locate(path, input, settings), message)),
    );
  }
}

/** The file, if there is one, and the place in it that a path is about. */
function locate(path: string, input: Input, settings: readonly GivenSetting[]): readonly string[] {
  for (const { name, file } of settings) {
    const rest = pathBelow(path, name);
    if (rest !== undefined) return [sourceName(file), rest.replace(/^\./, "")];
  }
  return [input.source ?? "", input.place(path)];
}
