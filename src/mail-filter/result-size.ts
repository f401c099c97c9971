import type { MailFilterResult } from "../../schemas/mail-filter.ts";
import { InvalidInputError, issueAt } from "../issues.ts";
import { jsonBytes, thousands } from "../text.ts";
import type { Limits } from "../tool.ts";
import { type Criteria, NO_ACTIONS, type ReadFilter } from "./filter.ts";
import { MAX_SEARCH_LENGTH } from "./gmail.ts";
import { entryProperties, searchString } from "./search.ts";
import { writeXml } from "./xml.ts";

/**
 * Refuses filters whose result would be larger than allowed. A few kilobytes of input can become
 * a thousand entries, so the size is computed from the plan and not from the result.
 *
 * @param frame makes the result without its entries, which few inputs need.
 * @throws {InvalidInputError} that names the longest field of the filter which makes most of it.
 */
export function requireResultWithin(
  { resultBytes }: Limits,
  filters: readonly ReadFilter[],
  warnings: Readonly<MailFilterResult["warnings"]>,
  frame: () => MailFilterResult,
): void {
  if (mostBytes(filters, warnings) <= resultBytes) return;
  const sizes = filters.map(entryBytes);
  const total = sizes.reduce((sum, size) => sum + size, jsonBytes(frame()));
  if (total <= resultBytes) return;
  const index = sizes.indexOf(Math.max(...sizes));
  throw new InvalidInputError([
    issueAt(
      ["filters", index, ...longestField(filters[index]?.criteria)],
      `makes a result of more than ${thousands(resultBytes)} bytes; shorten it, or send the filters in several requests`,
    ),
  ]);
}

/** An upper bound, which is enough for nearly all inputs: no character takes more than these. */
function mostBytes(
  filters: readonly ReadFilter[],
  warnings: Readonly<MailFilterResult["warnings"]>,
): number {
  let bytes = 5_000;
  for (const { name, search, actions, chunks } of filters) {
    const texts = name.length + (actions.label?.length ?? 0) + 500;
    bytes += chunks.length * (Math.min(search.length, MAX_SEARCH_LENGTH) * 12 + texts * 6);
    bytes += (search.length + texts) * 15;
  }
  for (const { path, message } of warnings) bytes += (path.length + message.length) * 3 + 100;
  return bytes;
}

/** The bytes of a filter's entries, in the JSON and in the file: all of one filter differ in their lists only. */
function entryBytes({ name, search, actions, chunks }: ReadFilter): number {
  const [first] = chunks;
  if (!first) return 0;
  const count = chunks.length;
  const properties = entryProperties(first, actions);
  const comment = count === 1 ? name : `${name} ( of ${count})`;
  const one =
    jsonBytes({ search: searchString(first), properties }) + fileBytes(comment, properties);
  let bytes = count * one + (count - 1) + (/[^ -~]/.test(search) ? LATER_WARNING : 0);
  if (count === 1) return bytes;
  for (let index = 1; index <= count; index += 1) bytes += String(index).length;
  for (const field of ["from", "to", "subject"] as const) {
    const lists = new Set(chunks.map((chunk) => chunk[field]));
    const valueBytes = (terms: readonly string[]): number => {
      const value = entryProperties({ ...NO_CRITERIA, [field]: terms }, NO_ACTIONS);
      return 2 * jsonBytes(value) + fileBytes("", value);
    };
    const firstBytes = valueBytes(first[field]);
    for (const terms of lists) bytes += (count / lists.size) * (valueBytes(terms) - firstBytes);
  }
  return bytes;
}

/** Room for the warning about the length in bytes, which needs the entries. */
const LATER_WARNING = 250;

const fileBytes = (comment: string, properties: ReturnType<typeof entryProperties>): number =>
  jsonBytes(writeXml([{ comment, properties }])) - jsonBytes(writeXml([]));

const NO_CRITERIA: Criteria = {
  from: [],
  to: [],
  subject: [],
  words: [],
  exclusions: [],
  hasAttachment: false,
};

/** The path of the list that takes most of a filter's search. */
function longestField(criteria: Criteria | undefined): readonly string[] {
  if (!criteria) return [];
  const lists = {
    from: criteria.from,
    to: criteria.to,
    subject: criteria.subject,
    has_words: criteria.words.map(({ text }) => text),
    does_not_have: criteria.exclusions,
  };
  const [longest] = Object.entries(lists)
    .map(([field, terms]) => ({ field, length: terms.join().length }))
    .sort((a, b) => b.length - a.length);
  return longest && longest.length > 0 ? [longest.field] : [];
}
