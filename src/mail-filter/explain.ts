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
