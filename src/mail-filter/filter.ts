import type { FilterInput } from "../../schemas/mail-filter.ts";
import { thousands } from "../text.ts";
import type { FilterDiagnostics } from "./diagnostics.ts";
import { ACTION_FIELDS, type Actions, CONDITIONS } from "./fields.ts";
import { MAX_FILTERS, MAX_SEARCH_LENGTH } from "./gmail.ts";
import { split } from "./split.ts";
import { type Criteria, readCriteria, toTexts } from "./terms/criteria.ts";
import { normaliseLabel, normaliseName, removeAllInvisible } from "./terms/normalise.ts";
import { warnAboutFilter } from "./warnings.ts";
import { searchString } from "./write.ts";

/** A parsed filter: which mail it selects, what it does with it, and the Gmail filters it is split into. */
export interface ParsedFilter {
  readonly index: number;
  readonly name: string;
  /** False for a name that comes from the index. */
  readonly isNamed: boolean;
  readonly criteria: Criteria;
  readonly search: string;
  readonly actions: Actions;
  readonly parts: readonly Criteria[];
}

/** Reads the filters of an input, and rejects what Gmail cannot express. */
export const readFilters = (
  filters: readonly FilterInput[],
  diagnostics: FilterDiagnostics,
): readonly ParsedFilter[] =>
  filters.map((filter, index) => readFilter(filter, index, diagnostics.at("filters", index)));

/**
 * Reads one filter, and rejects what Gmail cannot express.
 *
 * @param isComplete false when fields are missing because they were rejected before.
 */
export function readFilter(
  filter: FilterInput,
  index: number,
  diagnostics: FilterDiagnostics,
  isComplete = true,
): ParsedFilter {
  if (isComplete) requireConditionAndAction(filter, diagnostics);
  const name = normaliseName(filter.name ?? "", diagnostics.at("name"));
  const criteria = readCriteria(filter, diagnostics);
  const actions = readActions(filter, diagnostics);
  warnAboutFilter(criteria, actions, diagnostics);
  const search = searchString(criteria);
  const parts = splitOrReject(filter, criteria, search, diagnostics);
  if (parts.length > 1) warnAboutSplit(parts.length, actions, diagnostics);
  return {
    index,
    name: name || `Filter ${index + 1}`,
    isNamed: name !== "",
    criteria,
    search,
    actions,
    parts,
  };
}

/** The start of a search, which may have thousands of characters: it is enough to identify a filter. */
export const abbreviate = (search: string): string =>
  search.length > MAX_SHOWN ? `${[...search].slice(0, MAX_SHOWN).join("")}…` : search;

const MAX_SHOWN = 120;

/** Rejects a filter that selects no mail or does nothing with it. */
function requireConditionAndAction(filter: FilterInput, diagnostics: FilterDiagnostics): void {
  if (!CONDITIONS.some((field) => isGiven(filter[field]))) {
    diagnostics.reject(`must have a condition: one of ${quoteNames(CONDITIONS)}`);
  }
  if (!ACTION_FIELDS.some((field) => isGiven(filter[field]))) {
    diagnostics.reject(`must have an action: one of ${quoteNames(ACTION_FIELDS)}`);
  }
}

const quoteNames = (fields: readonly string[]): string =>
  fields.map((field) => `\`${field}\``).join(", ");

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);

/** The filter for its actions, with the label as the file has it. */
const readActions = (filter: FilterInput, diagnostics: FilterDiagnostics): Actions =>
  filter.label === undefined
    ? filter
    : { ...filter, label: readLabel(filter.label, diagnostics.at("label")) };

function splitOrReject(
  filter: FilterInput,
  criteria: Criteria,
  search: string,
  diagnostics: FilterDiagnostics,
): readonly Criteria[] {
  const parts = split(criteria, search.length);
  if (parts === "too-many") {
    diagnostics.reject(
      `must be shorter: it would become more than ${thousands(MAX_FILTERS)} filters, and Gmail keeps no more`,
    );
    return [];
  }
  if (parts === "too-long") {
    const words = toTexts(criteria.words).join(" ");
    const exclusions = toTexts(criteria.exclusions).join(" ");
    const field = words.length >= exclusions.length ? "has_words" : "does_not_have";
    // An item that is too long by itself is named.
    const index = (filter[field] ?? []).findIndex((item) => item.length > MAX_SEARCH_LENGTH);
    diagnostics
      .at(field, ...(index < 0 ? [] : [index]))
      .reject(
        `must be shorter: a Gmail filter holds ${thousands(MAX_SEARCH_LENGTH)} characters, and only \`from\`, \`to\`, \`subject\` and a list with OR in \`has_words\` can be split over several`,
      );
    return [];
  }
  return parts;
}

function warnAboutSplit(count: number, actions: Actions, diagnostics: FilterDiagnostics): void {
  diagnostics.info(
    "split",
    `was too long for one filter and became ${count}, which together match the same mail`,
  );
  if (actions.forward_to) {
    diagnostics
      .at("forward_to")
      .warn(
        "forward-split",
        "may get a mail twice: the filter became several, and a mail can match two of them",
      );
  }
}

/**
 * The label as it is written to the file.
 *
 * @returns undefined when it was rejected.
 */
function readLabel(text: string, diagnostics: FilterDiagnostics): string | undefined {
  const label = normaliseLabel(text, diagnostics);
  if (label === undefined) return undefined;
  const segments = label.split("/").map((segment) => removeAllInvisible(segment).trim());
  const [first = "", ...deeper] = segments;
  if (first === "" || deeper.includes("")) {
    diagnostics.reject("must have a name on both sides of each slash, as in Money/Bills");
    return undefined;
  }
  const isGmails = /^(?:inbox|\[gmail\])$/i.test(first);
  if (isGmails && deeper.length === 0) {
    diagnostics.reject(`must not be ${first}, which belongs to Gmail`);
    return undefined;
  }
  if (isGmails) {
    diagnostics.warn(
      "reserved-label",
      `${removeAllInvisible(label).trim()} is under Gmail's own ${first}, as mail programs make labels; the import may reject it`,
    );
  }
  warnAboutLabel(label, diagnostics);
  return label;
}

/**
 * Names that Gmail reserves (API labels guide, got-your-back #264, lieer). The list is not complete,
 * and each account language adds its own names. Travel, Personal and Finance are on Google's list
 * too, but Gmail's exports have them as labels of users.
 */
const RESERVED = new Set([
  ...["all mail", "bin", "chat", "chats", "draft", "drafts", "forums", "important", "muted"],
  ...["promotions", "scheduled", "sent", "snoozed", "social", "spam", "starred", "todo", "trash"],
  ...["unread", "updates", "voicemail"],
]);

function warnAboutLabel(label: string, diagnostics: FilterDiagnostics): void {
  const name = removeAllInvisible(label).trim();
  if (RESERVED.has(name.toLowerCase()) || /^category_/i.test(name)) {
    diagnostics.warn(
      "reserved-label",
      `${name} is one of Gmail's own names; the import may reject it`,
    );
  }
  if (name.startsWith("^")) {
    diagnostics.warn("system-label", "a label that starts with ^ may be read as a system label");
  }
  if (label.includes("\\")) {
    diagnostics.warn("backslash-in-label", "a backslash does not nest labels; use a slash");
  }
}
