import { inConflict } from "../conflicts.ts";
import { ACTIONS, type Actions, EXCLUSIVE } from "../fields.ts";
import { asksForState } from "../gmail.ts";
import { searchOf } from "../gmail-export/meaning.ts";
import { readAddress } from "../terms/address.ts";
import type { Criteria } from "../terms/criteria.ts";
import type { Properties } from "../write.ts";

/** A filter and the properties of one entry with all of it. */
export interface OrderedFilter {
  readonly criteria: Criteria;
  readonly actions: Actions;
  readonly properties: Properties;
}

/**
 * The filters whose effect may depend on their place among the others. A merged filter goes to the
 * end of the list in Gmail, so these must stay as they are: filters that do the opposite with mail that
 * another may match, filters that ask for a state, and filters that do what any filter asks for.
 *
 * @param others entries beside the filters, of which no criteria are known.
 */
export function dependOnOrder(
  filters: readonly OrderedFilter[],
  others: readonly Properties[],
): ReadonlySet<number> {
  const dependent = new Set(inConflict(filters));
  for (const index of exclusive(filters, others)) dependent.add(index);

  const searches = filters.map(({ properties }) => searchOf(properties));
  const asking = [...searches, ...others.map(searchOf)].filter(asksForState);
  const isAskedFor = actionsAskedFor(asking);
  for (const [index, { properties }] of filters.entries()) {
    if (asksForState(searches[index] ?? "") || isAskedFor(properties)) dependent.add(index);
  }
  return dependent;
}

/** Finds the entries with an action whose effect one of the searches may ask for. */
function actionsAskedFor(searches: readonly string[]): (properties: Properties) => boolean {
  if (searches.length === 0) return () => false;
  const asked = searches.join("\n").toLowerCase();
  const actions = ACTIONS.filter(({ askedBy }) => askedBy?.test(asked));
  const names = asLabelName(asked);
  return (properties) =>
    actions.some(({ property }) => properties[property] !== undefined) ||
    (properties.label ?? "")
      .split("/")
      .some((part) => part !== "" && names.includes(asLabelName(part)));
}

/** A label as a search may write it: to Gmail `a-b` means the label `A b` and also `a/b`. */
const asLabelName = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}\n]+/gu, "-");

/** The filters with a category, for example, that may match mail of a filter with another one. */
const exclusive = (
  filters: readonly OrderedFilter[],
  others: readonly Properties[],
): readonly number[] =>
  [...new Set(EXCLUSIVE.map(({ field }) => field))].flatMap((field) => {
    const setters = [
      ...filters.map((filter) => ({ ...filter, domains: domainsOf(filter.criteria) })),
      ...others.map((properties) => ({ properties, domains: [ANYONE] })),
    ]
      .map((filter, index) => ({ ...filter, index, value: settingOf(field, filter.properties) }))
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

/** The setting of an entry that another entry may set differently; empty without one. */
const settingOf = (field: string, properties: Properties): string =>
  EXCLUSIVE.filter((action) => action.field === field)
    .map(({ property }) => (properties[property] ? property + properties[property] : ""))
    .join("");

/** In place of a domain. */
const ANYONE = "*";

/**
 * The last two labels of the senders' domains, as `x.com`: filters with different ones match no mail
 * of each other. Other filters may match mail of anyone.
 */
function domainsOf({ from }: Criteria): readonly string[] {
  const domains = from.map((term) => /[^.@]+\.[^.@]+$/.exec(readAddress(term)?.domain ?? "")?.[0]);
  return domains.length === 0 ? [ANYONE] : domains.map((domain = ANYONE) => domain.toLowerCase());
}
