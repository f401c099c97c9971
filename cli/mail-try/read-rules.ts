import { mailFilterContract } from "../../schemas/mail-filter.ts";
import { InvalidInputError, withNames } from "../../src/issues.ts";
import { furtherIssues } from "../../src/mail-filter/filter.ts";
import { readMailFilterProduct } from "../../src/mail-filter/mail-filter-product.ts";
import type { MatchOptions } from "../../src/mail-filter/match/mail-message.ts";
import {
  type FilterMatcher,
  filterMatchers,
} from "../../src/mail-filter/match/match-mail-filters.ts";
import { validInput } from "../../src/tool.ts";
import { UsageError } from "../errors.ts";
import { sourceName } from "../files/read-file.ts";
import { type JsonFile, readInputFile, readText } from "../input/input.ts";
import { positionIn } from "../input/positions.ts";
import type { Io } from "../io.ts";
import { writeMessages } from "../messages/message.ts";

/**
 * The filters of an input or of a Gmail export, ready to be tried.
 *
 * @throws {UsageError} for a file of another kind, or filters that Gmail cannot express.
 */
export async function readRules(
  file: string,
  options: MatchOptions,
  io: Io,
): Promise<readonly FilterMatcher[]> {
  const text = await readText(file, io);
  const isExport = /^\uFEFF?\s*</.test(text);
  const rules = isExport
    ? await readExport(sourceName(file), text, io)
    : await readInputFile(file, io);
  return namingPlaces(rules, () => {
    const { filters } = validInput(mailFilterContract.merge_input, rules.value, furtherIssues);
    return filterMatchers(filters, options);
  });
}

/** The input that a Gmail export gives, with a warning for what it cannot express. */
async function readExport(source: string, text: string, io: Io): Promise<JsonFile> {
  const product = namingPlaces({ source, text: "" }, () => readMailFilterProduct(text));
  const leftOut = product.warnings.filter(({ code }) => code === "left-out");
  await writeMessages(
    io,
    leftOut.map(({ code, severity, path, message }) => ({
      severity,
      code,
      place: { file: source },
      path,
      text: withNames(message),
    })),
  );
  const [value] = product.inputs;
  if (value !== undefined) return { source, text: "", value };
  throw new UsageError([{ place: { file: source }, text: "has no filter to try" }]);
}

/**
 * Runs `work` on what a file holds.
 *
 * @throws {UsageError} with the place of each issue, where the file is JSON.
 */
export function namingPlaces<Value>(file: Omit<JsonFile, "value">, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw new UsageError(
      error.issues.map(({ path, message }) => ({
        place: { file: file.source, ...(file.text !== "" && positionIn(file, path)) },
        path,
        text: withNames(message),
      })),
    );
  }
}
