import type { Actions } from "./actions.ts";

/** The steps in Gmail for a file of so many entries, with what its actions need. */
export function howToImport(entries: number, actions: readonly Actions[]): string[] {
  const addresses = [...new Set(actions.flatMap(({ forwardTo }) => forwardTo ?? []))];
  const deletes = actions.some((action) => action.delete);
  const categories = actions.some((action) => action.category);
  return [
    ...(addresses.length > 0
      ? [
          `Add and verify ${addresses.join(", ")} under Settings > See all settings > Forwarding and POP/IMAP.`,
        ]
      : []),
    "In Gmail in a browser, open Settings > See all settings > Filters and Blocked Addresses.",
    "Delete the filters of an earlier import first: importing again adds duplicates and replaces nothing.",
    "Choose Import filters, pick mailFilters.xml, and choose Open file.",
    deletes
      ? 'Leave "Apply new filters to existing email" off: with it a filter that deletes removes whole conversations.'
      : 'Tick "Apply new filters to existing email" only if old mail should be treated too.',
    `Choose Create filters, and check that the list has ${entries === 1 ? "the new filter" : `all ${entries} new filters`}: Gmail closes the window without saying what failed. Missing labels are made.`,
    ...(categories
      ? [
          "Check the category in the list too: Gmail has been seen to drop it, and then it must be set by hand.",
        ]
      : []),
  ];
}
