import type { Properties } from "./conditions.ts";
import { criteriaSearch } from "./conditions.ts";
import { findConflictingIndexes } from "./conflicts.ts";
import { printEntrySearch, readSearch } from "./export-entry.ts";
import {
  ACTIONS,
  type Action,
  type Actions,
  CONFLICTING_ACTIONS,
  propertyValue,
} from "./fields.ts";
import { readAddress } from "./terms/address.ts";
import { type Criteria, toTexts } from "./terms/criteria.ts";
import { tokenise } from "./terms/read.ts";
import { listLeaves, type SearchLeaf, searchLeaf } from "./terms/search.ts";
import { asksForState } from "./terms/words.ts";

/** The parts of a filter, or of an entry of an export, by which its order among the others may matter. */
interface OrderedFilter {
  /** The conditions whose answer a filter may change. */
  readonly tests: readonly SearchLeaf[];
  readonly domains: readonly string[];
  readonly valueFor: (action: Action) => string;
}

/**
 * The indexes of the filters whose effect may depend on their order. A merged filter goes to the end of
 * the list in Gmail, so these must stay as they are: filters that do the opposite with mail that another
 * may match, filters that test a state (`is:starred`), and filters that set a state another filter tests.
 *
 * @param others further entries of the account, whose criteria are unknown.
 */
export function findOrderDependent(
  filters: readonly { readonly criteria: Criteria; readonly actions: Actions }[],
  others: readonly Properties[],
): ReadonlySet<number> {
  const all: readonly OrderedFilter[] = [
    ...filters.map(({ criteria, actions }) => ({
      tests: listLeaves(criteriaSearch(criteria)).filter(asksForState),
      domains: readDomains(criteria),
      valueFor: (action: Action) => propertyValue(action, actions),
    })),
    ...others.map((properties) => ({
      tests: readLeaves(properties).filter(asksForState),
      domains: [ANYONE],
      valueFor: ({ property }: Action) => properties[property] ?? "",
    })),
  ];
  const setsTested = stateSetter(all.flatMap(({ tests }) => tests));
  const dependent = new Set([...findConflictingIndexes(filters), ...findSettingConflicts(all)]);
  for (const [index, filter] of all.entries()) {
    if (filter.tests.length > 0 || setsTested(filter)) dependent.add(index);
  }
  return dependent;
}

/** The leaves of an entry's search; of a broken one each operator, with the whole search as its value. */
function readLeaves(properties: Properties): readonly SearchLeaf[] {
  const read = readSearch(properties);
  if ("search" in read) return listLeaves(read.search);
  const search = printEntrySearch(properties).replaceAll('"', " ");
  return tokenise(search)
    .filter(({ kind }) => kind === "prefix")
    .map(({ text }) => searchLeaf(text.replace(/^-|:\+?$/g, "").toLowerCase(), search));
}

/** Finds the filters with an action whose effect one of the tests may ask for. */
function stateSetter(tested: readonly SearchLeaf[]): (filter: OrderedFilter) => boolean {
  if (tested.length === 0) return () => false;
  const asked = tested
    .map(({ operator, text }) => `${operator}:${text}`)
    .join("\n")
    .toLowerCase();
  const names = asLabelName(asked);
  const isNamed = (label: string) =>
    label.split("/").some((part) => part !== "" && names.includes(asLabelName(part)));
  return ({ valueFor }) =>
    ACTIONS.some((action) => {
      const value = valueFor(action);
      const isTested = action.askedBy?.test(asked) || (action.field === "label" && isNamed(value));
      return value !== "" && isTested;
    });
}

/** A label as a search may write it: to Gmail `a-b` means the label `A b` and also `a/b`. */
const asLabelName = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}\n]+/gu, "-");

/** The filters with a setting, such as a category, that may match mail of a filter with another setting. */
const findSettingConflicts = (filters: readonly OrderedFilter[]): readonly number[] =>
  [...new Set(CONFLICTING_ACTIONS.map(({ field }) => field))].flatMap((field) => {
    const setters = filters
      .map(({ domains, valueFor }, index) => ({
        domains,
        index,
        value: readSetting(field, valueFor),
      }))
      .filter(({ value }) => value !== "");
    const values = new Map<string, Set<string>>();
    for (const { domains, value } of setters) {
      for (const domain of ["", ...domains]) {
        values.set(domain, (values.get(domain) ?? new Set()).add(value));
      }
    }
    const hasOther = (domain: string, value: string): boolean =>
      [...(values.get(domain) ?? [])].some((known) => known !== value);
    return setters
      .filter(({ domains, value }) =>
        domains.includes(ANYONE)
          ? hasOther("", value)
          : [ANYONE, ...domains].some((domain) => hasOther(domain, value)),
      )
      .map(({ index }) => index);
  });

/** The setting of a filter that another one may set differently; empty without one. */
const readSetting = (field: string, valueFor: OrderedFilter["valueFor"]): string =>
  CONFLICTING_ACTIONS.filter((action) => action.field === field && valueFor(action) !== "")
    .map((action) => action.property + valueFor(action))
    .join("");

/** The domain of a filter that may match mail of anyone. */
const ANYONE = "*";

/**
 * The last two labels of the senders' domains, as `x.com`: filters with different ones match no mail
 * of each other. Other filters may match mail of anyone.
 */
function readDomains({ from }: Criteria): readonly string[] {
  const domains = toTexts(from).map(
    (term) => /[^.@]+\.[^.@]+$/.exec(readAddress(term)?.domain ?? "")?.[0],
  );
  return domains.length === 0 ? [ANYONE] : domains.map((domain = ANYONE) => domain.toLowerCase());
}
