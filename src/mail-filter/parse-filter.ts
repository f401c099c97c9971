import {
  type FilterInput,
  manyFiltersInput,
  type ValidMailFilterInput,
} from "../../schemas/mail-filter.ts";
import { Findings } from "../findings.ts";
import { validate } from "../issues.ts";
import { criteriaSearch } from "./conditions.ts";
import {
  ACTION_FIELDS,
  ACTIONS,
  type Actions,
  CONDITIONS,
  type FilterAction,
  propertyValue,
} from "./filter-fields.ts";
import { type FilterFindings, filterFindings } from "./filter-findings.ts";
import { MAX_FILTERS, MAX_SEARCH_LENGTH } from "./gmail.ts";
import { type Criteria, parseCriteria, toTexts } from "./search/criteria.ts";
import { normaliseLabel, normaliseName, removeAllInvisible } from "./search/parse-search.ts";
import { searchKey } from "./search/search-tree.ts";
import { splitCriteria } from "./search/split-criteria.ts";
import { searchString } from "./write-xml.ts";

export interface ParsedFilter {
  readonly index: number;
  readonly name: string;
  /** False if the name is only `Filter 1`. */
  readonly isNamed: boolean;
  readonly criteria: Criteria;
  readonly search: string;
  readonly actions: Actions;
  /** The Gmail filters that it is split into. */
  readonly parts: readonly Criteria[];
}

/** @throws {InvalidInputError} if Gmail cannot express the filters, with all issues. */
export function parseFilters(
  filters: readonly FilterInput[],
  findings: FilterFindings = new Findings(filterFindings),
): readonly ParsedFilter[] {
  const parsed = filters.map((filter, index) =>
    parseFilter(filter, index, findings.at("filters", index)),
  );
  findings.throwIfRejected();
  return parsed;
}

export function parseFilter(
  filter: FilterInput,
  index: number,
  findings: FilterFindings,
): ParsedFilter {
  requireConditionAndAction(filter, findings);
  const name = normaliseName(filter.name ?? "", findings.at("name"));
  const criteria = parseCriteria(filter, findings);
  const actions =
    filter.label === undefined
      ? filter
      : { ...filter, label: readLabel(filter.label, findings.at("label")) };
  const search = searchString(criteria);
  return {
    index,
    name: name || `Filter ${index + 1}`,
    isNamed: name !== "",
    criteria,
    search,
    actions,
    parts: splitOrReject(filter, criteria, search, findings) ?? [],
  };
}

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

function splitOrReject(
  filter: FilterInput,
  criteria: Criteria,
  search: string,
  findings: FilterFindings,
): readonly Criteria[] | undefined {
  const parts = splitCriteria(criteria, search.length);
  if (parts === "too-many") return findings.add("too-many-filters", { most: MAX_FILTERS });
  if (parts === "too-long") {
    const words = toTexts(criteria.words).join(" ");
    const exclusions = toTexts(criteria.exclusions).join(" ");
    const field = words.length >= exclusions.length ? "has_words" : "does_not_have";
    // Point to an item that is too long by itself.
    const index = (filter[field] ?? []).findIndex((item) => item.length > MAX_SEARCH_LENGTH);
    const here = index < 0 ? findings.at(field) : findings.at(field, index);
    return here.add("too-long", { most: MAX_SEARCH_LENGTH });
  }
  if (parts.length > 1) findings.add("split", { count: parts.length });
  return parts;
}

function readLabel(text: string, findings: FilterFindings): string | undefined {
  const label = normaliseLabel(text, findings);
  if (label === undefined) return undefined;
  const name = removeAllInvisible(label).trim();
  const [first = "", ...deeper] = name.split("/").map((segment) => segment.trim());
  if (first === "" || deeper.includes("")) return findings.add("label-parts");
  const isGmails = /^(?:inbox|\[gmail\])$/i.test(first);
  if (isGmails && deeper.length === 0) return findings.add("label-of-gmail", { name: first });
  const isReserved = RESERVED_LABELS.has(name.toLowerCase()) || /^(?:category_|\^)/i.test(name);
  if (isGmails || isReserved) findings.add("reserved-label", { name });
  return label;
}

/**
 * Names that Gmail reserves (API labels guide, got-your-back #264, lieer). Each account language adds
 * more. Travel, Personal and Finance are on Google's list too, but users do have labels with these names.
 */
const RESERVED_LABELS = new Set([
  ...["all mail", "bin", "chat", "chats", "draft", "drafts", "forums", "important", "muted"],
  ...["promotions", "scheduled", "sent", "snoozed", "social", "spam", "starred", "todo", "trash"],
  ...["unread", "updates", "voicemail"],
]);

/** Formats a filter's title for messages: its name, or its first condition. */
export function quoteTitle({ name, isNamed, criteria, search }: ParsedFilter): string {
  const { from, to, subject, words } = criteria;
  const [first] = [from, to, subject, words].flatMap((terms) => terms[0] ?? []);
  return `"${(isNamed ? name : abbreviate(first?.text ?? search)).replaceAll('"', "")}"`;
}

/** Shortens a search, which may have thousands of characters. */
export const abbreviate = (search: string): string =>
  search.length > MAX_SEARCH_SHOWN ? `${[...search].slice(0, MAX_SEARCH_SHOWN).join("")}…` : search;

const MAX_SEARCH_SHOWN = 120;

/** Filters with the same key match the same messages and do the same. */
export const filterKey = (criteria: Criteria, actions: Actions): string =>
  `${criteriaKey(criteria)}\n${actionsKey(actions)}`;

export const criteriaKey = (criteria: Criteria): string => searchKey(criteriaSearch(criteria));

export const actionsKey = (actions: Actions): string =>
  propertiesKey((action) => propertyValue(action, actions));

/**
 * Gmail ignores the case of labels, so the key does too.
 *
 * @param valueFor returns the value of an action's property, or an empty string.
 */
export const propertiesKey = (valueFor: (action: FilterAction) => string): string =>
  ACTIONS.map((action) => removeAllInvisible(valueFor(action)).toLowerCase()).join("\n");

/**
 * Validates up to 10,000 filters with the extended limits.
 *
 * @throws {InvalidInputError} with all issues.
 */
export const validateFilters = (input: unknown): ValidMailFilterInput["filters"] =>
  validate(manyFiltersInput, input).filters;
