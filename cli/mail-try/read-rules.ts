import { validFilters } from "../../src/mail-filter/further-issues.ts";
import { readMailFilterExport } from "../../src/mail-filter/mail-filter-export.ts";
import type { MatchOptions } from "../../src/mail-filter/match/mail-message.ts";
import {
  type FilterMatcher,
  filterMatchers,
} from "../../src/mail-filter/match/match-mail-filters.ts";
import { UsageError } from "../errors.ts";
import { readText, sourceName } from "../files/read-file.ts";
import {
  fileInput,
  type Input,
  isXml,
  namingPlaces,
  parseInput,
  warningMessages,
} from "../input/input.ts";
import type { Io } from "../io.ts";
import { writeMessages } from "../messages.ts";

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
  const source = sourceName(file);
  const text = await readText(file, io);
  const rules = isXml(text)
    ? await readExport({ source, value: text }, io)
    : fileInput(await parseInput(source, text));
  return namingPlaces(rules, () => filterMatchers(validFilters(rules.value), options));
}

/** The input that a Gmail export gives, with a warning for what it cannot express. */
async function readExport(
  file: { readonly source: string; readonly value: string },
  io: Io,
): Promise<Input> {
  const input = fileInput(file);
  const exported = await namingPlaces(input, () => readMailFilterExport(file.value));
  const leftOut = exported.warnings.filter(({ code }) => code === "left-out");
  await writeMessages(io, await warningMessages(leftOut, input));
  const [value] = exported.inputs;
  if (value !== undefined) return { ...input, value };
  throw new UsageError([{ place: { file: file.source }, text: "has no filter to try" }]);
}
