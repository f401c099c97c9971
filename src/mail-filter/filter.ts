import {
  type FilterInput,
  manyFiltersInput,
  type ValidMailFilterInput,
} from "../../schemas/mail-filter.ts";
import { groupBy } from "../group-by.ts";
import type { Issue } from "../issues.ts";
import { validate } from "../validate.ts";
import { criteriaSearch } from "./conditions.ts";
import type { ParsedFilter } from "./explain.ts";
import {
  ACTION_FIELDS,
  ACTIONS,
  type Action,
  type Actions,
  CONDITIONS,
  propertyValue,
} from "./fields.ts";
import type { FilterFindings } from "./findings.ts";
import { MAX_FILTERS, MAX_SEARCH_LENGTH } from "./gmail.ts";
import { type Criteria, readCriteria, toTexts } from "./terms/criteria.ts";
import { normaliseLabel, normaliseName, removeAllInvisible } from "./terms/read.ts";
import { searchKey } from "./terms/search.ts";
import { split } from "./terms/split.ts";
import { warnAboutFilter } from "./warnings.ts";
import { searchString } from "./write.ts";

/** Reads the filters of an input, and rejects what Gmail cannot express. */
export const readFilters = (
  filters: readonly FilterInput[],
  findings: FilterFindings,
): readonly ParsedFilter[] =>
  filters.map((filter, index) => readFilter(filter, index, findings.at("filters", index)));

/**
 * Reads one filter, and rejects what Gmail cannot express.
 *
 * @param isComplete false when fields are missing because they were rejected before.
 */
export function readFilter(
  filter: FilterInput,
  index: number,
  findings: FilterFindings,
  isComplete = true,
): ParsedFilter {
  if (isComplete) requireConditionAndAction(filter, findings);
  const name = normaliseName(filter.name ?? "", findings.at("name"));
  const criteria = readCriteria(filter, findings);
  const actions = readActions(filter, findings);
  warnAboutFilter(criteria, actions, findings);
  const search = searchString(criteria);
  const parts = splitOrReject(filter, criteria, search, findings);
  if (parts.length > 1) warnAboutSplit(parts.length, actions, findings);
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

/** Rejects a filter that selects no mail or does nothing with it. */
function requireConditionAndAction(filter: FilterInput, findings: FilterFindings): void {
  if (!CONDITIONS.some((field) => isGiven(filter[field]))) {
    findings.add("no-condition", { fields: CONDITIONS });
  }
  if (!ACTION_FIELDS.some((field) => isGiven(filter[field]))) {
    findings.add("no-action", { fields: ACTION_FIELDS });
  }
}

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);

/** The filter for its actions, with the label as the file has it. */
const readActions = (filter: FilterInput, findings: FilterFindings): Actions =>
  filter.label === undefined
    ? filter
    : { ...filter, label: readLabel(filter.label, findings.at("label")) };

function splitOrReject(
  filter: FilterInput,
  criteria: Criteria,
  search: string,
  findings: FilterFindings,
): readonly Criteria[] {
  const parts = split(criteria, search.length);
  if (parts === "too-many") {
    findings.add("too-many-entries", { most: MAX_FILTERS });
    return [];
  }
  if (parts === "too-long") {
    const words = toTexts(criteria.words).join(" ");
    const exclusions = toTexts(criteria.exclusions).join(" ");
    const field = words.length >= exclusions.length ? "has_words" : "does_not_have";
    // An item that is too long by itself is named.
    const index = (filter[field] ?? []).findIndex((item) => item.length > MAX_SEARCH_LENGTH);
    const here = index < 0 ? findings.at(field) : findings.at(field, index);
    here.add("too-long", { most: MAX_SEARCH_LENGTH });
    return [];
  }
  return parts;
}

function warnAboutSplit(count: number, actions: Actions, findings: FilterFindings): void {
  findings.add("split", { count });
  if (actions.forward_to) findings.at("forward_to").add("forward-split");
}

/**
 * The label as it is written to the file.
 *
 * @returns undefined when it was rejected.
 */
function readLabel(text: string, findings: FilterFindings): string | undefined {
  const label = normaliseLabel(text, findings);
  if (label === undefined) return undefined;
  const segments = label.split("/").map((segment) => removeAllInvisible(segment).trim());
  const [first = "", ...deeper] = segments;
  if (first === "" || deeper.includes("")) {
    findings.add("label-parts");
    return undefined;
  }
  const isGmails = /^(?:inbox|\[gmail\])$/i.test(first);
  if (isGmails && deeper.length === 0) {
    findings.add("label-of-gmail", { name: first });
    return undefined;
  }
  if (isGmails) {
    const shown = removeAllInvisible(label).trim();
    findings.add("reserved-label/nested", { label: shown, parent: first });
  }
  warnAboutLabel(label, findings);
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

function warnAboutLabel(label: string, findings: FilterFindings): void {
  const name = removeAllInvisible(label).trim();
  if (RESERVED.has(name.toLowerCase()) || /^category_/i.test(name)) {
    findings.add("reserved-label", { name });
  }
  if (name.startsWith("^")) findings.add("system-label");
  if (label.includes("\\")) findings.add("backslash-in-label");
}

/** A key that is equal for filters that match the same mail and do the same with it. */
export const filterKey = (criteria: Criteria, actions: Actions): string =>
  `${criteriaKey(criteria)}\n${actionsKey(actions)}`;

/** A key that is equal for criteria that match the same mail, however they are written. */
export const criteriaKey = (criteria: Criteria): string => searchKey(criteriaSearch(criteria));

/** A key that is equal for filters that do the same. */
export const actionsKey = (actions: Actions): string =>
  propertiesKey((action) => propertyValue(action, actions));

/**
 * The key of the actions that these properties ask for; Gmail's labels have no case.
 *
 * @param valueFor the value of an action's property, empty without one.
 */
export const propertiesKey = (valueFor: (action: Action) => string): string =>
  ACTIONS.map((action) => removeAllInvisible(valueFor(action)).toLowerCase()).join("\n");

/**
 * The filters of an input with the local limits, up to 10,000.
 *
 * @throws {InvalidInputError} with every issue found.
 */
export const validFilters = (input: unknown): ValidMailFilterInput["filters"] =>
  validate(manyFiltersInput, input).filters;

/** The paths of issues, by the index of the filter that they are in. */
function _pathsByFilter(
  issues: readonly Issue[],
): ReadonlyMap<number | undefined, ReadonlySet<string>> {
  const groups = groupBy(issues, ({ path }) => filterIndex(path));
  return new Map(
    [...groups].map(([index, group]) => [index, new Set(group.map(({ path }) => path))]),
  );
}

/** The index of the filter that a path is in; undefined for another path. */
export const filterIndex = (path: string): number | undefined => {
  const index = /^filters\[(\d+)\]/.exec(path)?.[1];
  return index === undefined ? undefined : Number(index);
};
