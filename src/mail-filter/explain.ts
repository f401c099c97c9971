import { listInWords } from "../text.ts";
import { CONDITION_FORMS } from "./conditions.ts";
import { ACTIONS, type Actions, propertyValue } from "./fields.ts";
import type { Criteria } from "./terms/criteria.ts";

/** Explains a filter in one plain sentence: the mail that it matches, and what happens to it. */
export function explain(criteria: Criteria, actions: Actions): string {
  const conditions = CONDITION_FORMS.flatMap(({ explanations }) => explanations(criteria));
  const which = conditions.join(", ") + (conditions.length > 1 ? "," : "");
  return `Mail ${which} ${listInWords(describeActions(actions), "and")}.`;
}

function describeActions(actions: Actions): string[] {
  const done = ACTIONS.filter((action) => propertyValue(action, actions) !== "");
  return done.map(({ field, prefix, explanation, names }) => {
    if (prefix === undefined) return explanation;
    const text = String(actions[field]);
    return explanation.replace("*", () => names?.[text] ?? text);
  });
}

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

/** A filter's title in messages: its name, or its first condition. */
export function quotedTitle({ name, isNamed, criteria, search }: ParsedFilter): string {
  const { from, to, subject, words } = criteria;
  const [first] = [from, to, subject, words].flatMap((terms) => terms[0] ?? []);
  return `"${(isNamed ? name : abbreviate(first?.text ?? search)).replaceAll('"', "")}"`;
}

/** The start of a search, which may have thousands of characters: it is enough to identify a filter. */
export const abbreviate = (search: string): string =>
  search.length > MAX_SHOWN ? `${[...search].slice(0, MAX_SHOWN).join("")}…` : search;

const MAX_SHOWN = 120;

/**
 * The steps that import a file into Gmail, with what its actions need.
 *
 * @param isAddition whether the file has only filters that Gmail lacks.
 */
export function howToImport(
  entries: number,
  actions: readonly Actions[],
  isAddition: boolean,
): string[] {
  if (entries === 0) return ["There is nothing to import: Gmail has all of these filters."];
  const addresses = [...new Set(actions.flatMap(({ forward_to }) => forward_to ?? []))];
  const newFilters =
    ["the new filter", "both new filters"][entries - 1] ?? `all ${entries} new filters`;
  return [
    ...(addresses.length > 0
      ? [
          `Add and verify ${addresses.join(", ")} under Settings > See all settings > Forwarding and POP/IMAP.`,
        ]
      : []),
    "On a computer, open Gmail in a browser and go to Settings > See all settings > Filters and Blocked Addresses.",
    isAddition
      ? "The other filters are already in your Gmail: this file has only the new and changed ones."
      : "If you have imported this file before, delete its filters first: an import adds duplicates and replaces nothing.",
    `Choose Import filters, pick ${isAddition ? "the new file, not your export" : "mailFilters.xml"}, and choose Open file.`,
    actions.some((action) => action.delete)
      ? 'Leave "Apply new filters to existing email" off: with it, a filter that deletes removes whole conversations.'
      : 'Tick "Apply new filters to existing email" only if old mail should be filtered too.',
    `Choose Create filters, then check that the list has ${newFilters}: Gmail does not say what failed. Missing labels are created.`,
    ...(actions.some((action) => action.category)
      ? [
          "Check the category in the list too: Gmail sometimes drops it, and then you set it by hand.",
        ]
      : []),
  ];
}
