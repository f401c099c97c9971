import { readFileSync } from "node:fs";
import { type Setting, tools } from "../schemas/index.ts";
import { formatIssue, InvalidInputError } from "../src/issues.ts";
import { prepareSettings } from "../src/tool.ts";
import { validate } from "../src/validate.ts";
import type { ToolSettings } from "./service.ts";
import { StartFailure } from "./start-failure.ts";

/**
 * Reads the files that replace the tools' built-in data. A setting `price_book` is named by the
 * variable `PRICE_BOOK`.
 *
 * @throws {StartFailure} for a file that cannot be read or breaks the setting's schema.
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
): ToolSettings {
  const given = tools.map((tool) => {
    const settings = Object.entries<Setting>(tool.settings).flatMap(([name, setting]) => {
      const variable = name.toUpperCase();
      const file = environment[variable];
      return file ? [[name, readSetting(variable, file, setting)]] : [];
    });
    return [tool.name, prepareSettings(tool, Object.fromEntries(settings))];
  });
  return Object.fromEntries(given);
}

function readSetting(variable: string, file: string, { schema }: Setting): unknown {
  try {
    return validate(schema, JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    const problems =
      error instanceof InvalidInputError
        ? error.issues.map(formatIssue)
        : [error instanceof Error ? error.message : String(error)];
    throw new StartFailure(
      2,
      problems.map((problem) => `${variable}: ${file}: ${problem}`),
    );
  }
}
