// The internal writer of xmlbuilder2: its main entry builds a DOM first, which is slow, and makes the
// import ten times as large.
import type { XMLBuilderCBOptions } from "xmlbuilder2/lib/interfaces.js";
import { XMLCBWriter } from "xmlbuilder2/lib/writers/XMLCBWriter.js";
import { type FilterInput, PROPERTY_NAMES, type PropertyName } from "../../schemas/mail-filter.ts";
import { CONDITION_OUTPUTS, type Properties } from "./conditions.ts";
import { ACTIONS, type Actions, propertyValue } from "./filter-fields.ts";
import type { Criteria } from "./search/criteria.ts";

/** A part of a text about a filter, and the field that it comes from. */
export interface TextPart {
  readonly text: string;
  /** Undefined for words between two fields. */
  readonly field?: keyof FilterInput;
}

/** The search string of criteria in parts, to be joined by spaces. */
export const searchParts = (criteria: Criteria): readonly TextPart[] =>
  CONDITION_OUTPUTS.map(({ field, search }) => ({ field, text: search(criteria) })).filter(
    ({ text }) => text !== "",
  );

/** The search string of criteria. */
export const searchString = (criteria: Criteria): string =>
  searchParts(criteria)
    .map(({ text }) => text)
    .join(" ");

/** A slash would end the search, so it is encoded too. */
export const previewUrl = (search: string): string =>
  `https://mail.google.com/mail/u/0/#search/${encodeURIComponent(search)}`;

/**
 * Lists an entry's properties in Gmail's order. Skips properties that are off, because Gmail never writes
 * `false`, and we do not know how it reads an empty value.
 */
export function entryProperties(criteria: Criteria, actions: Actions): Properties {
  const values: { [Name in PropertyName]?: string } = {};
  for (const { properties } of CONDITION_OUTPUTS) Object.assign(values, properties(criteria));
  for (const action of ACTIONS) values[action.property] = propertyValue(action, actions);
  const sorted: typeof values = {};
  for (const name of PROPERTY_NAMES) if (values[name]) sorted[name] = values[name];
  return sorted;
}

/** Explains a filter in one plain sentence: the mail that it matches, and what happens to it. */
export const explain = (criteria: Criteria, actions: Actions): string =>
  explainParts(criteria, actions)
    .map(({ text }) => text)
    .join("");

/**
 * The sentence that explains a filter, in parts.
 *
 * @param max how many terms of a condition to list. A longer list becomes "any of 6 senders".
 */
export function explainParts(
  criteria: Criteria,
  actions: Actions,
  max = Number.POSITIVE_INFINITY,
): readonly TextPart[] {
  const conditions = CONDITION_OUTPUTS.flatMap(({ field, explanations }) =>
    explanations(criteria, max).map((text) => ({ field, text })),
  );
  const done = ACTIONS.filter((action) => propertyValue(action, actions) !== "");
  const actionParts = done.map(({ field, prefix, explanation, names }) => {
    const value = String(actions[field]);
    const text =
      prefix === undefined ? explanation : explanation.replace("*", () => names?.[value] ?? value);
    return { field, text };
  });
  return [
    { text: "Mail " },
    ...join(conditions, ", ", ", "),
    { text: conditions.length > 1 ? ", " : " " },
    ...join(actionParts, ", ", " and "),
    { text: "." },
  ];
}

const join = (parts: readonly TextPart[], joiner: string, last: string): readonly TextPart[] =>
  parts.flatMap((part, index) =>
    index === 0 ? part : [{ text: index < parts.length - 1 ? joiner : last }, part],
  );

/** @param isAddition whether the file contains only filters that Gmail lacks. */
export function howToImport(
  entries: number,
  actions: readonly Actions[],
  isAddition: boolean,
): string[] {
  if (entries === 0) return ["There is nothing to import: Gmail has all of these filters."];
  const { verify, open, details } = importSteps(entries, actions, isAddition);
  return [...verify, open, ...details];
}

/** The steps of an import: what to do before, where, and how. */
export function importSteps(
  entries: number,
  actions: readonly Pick<Actions, "category" | "delete" | "forward_to">[],
  isAddition: boolean,
) {
  const addresses = [...new Set(actions.flatMap(({ forward_to }) => forward_to ?? []))];
  const newFilters =
    ["the new filter", "both new filters"][entries - 1] ?? `all ${entries} new filters`;
  const verify =
    addresses.length > 0
      ? [
          `Add and verify ${addresses.join(", ")} under Settings > See all settings > Forwarding and POP/IMAP.`,
        ]
      : [];
  const open =
    "On a computer, open Gmail in a browser and go to Settings > See all settings > Filters and Blocked Addresses.";
  const details = [
    ...(isAddition
      ? []
      : [
          "If you have imported this file before, delete its filters first: an import adds duplicates and replaces nothing.",
        ]),
    `Choose Import filters, pick ${isAddition ? "the new file, not your export" : "mailFilters.xml"}, and choose Open file.`,
    actions.some((action) => action.delete)
      ? 'Leave "Apply new filters to existing email" off: with it, a filter that deletes removes whole conversations.'
      : 'Tick "Apply new filters to existing email" only if old mail should be filtered too.',
    `Choose Create filters, then check that the list has ${newFilters}: Gmail does not report failed filters. Missing labels are created.`,
    ...(actions.some((action) => action.category)
      ? ["Check the category in the list too: Gmail sometimes drops it. Then set it by hand."]
      : []),
  ];
  return { verify, open, details };
}

/**
 * Writes the Atom feed that Gmail exports, without the IDs, dates and author that its importer does not
 * need. The same entries always produce the same bytes.
 */
export function writeXml(entries: readonly XmlEntry[]): string {
  const xml = xmlWriter();
  const parts = [FEED_START];
  for (const { comment, properties } of entries) {
    parts.push(xml.comment(` ${commentText(comment)} `), ENTRY_START);
    xml.level = 2;
    for (const name of PROPERTY_NAMES) {
      const value = properties[name];
      if (value === undefined) continue;
      parts.push(
        xml.openTagBegin("apps:property"),
        xml.attribute("name", name),
        xml.attribute("value", escapeMarkup(value)),
        xml.openTagEnd("apps:property", true, false),
      );
    }
    xml.level = 1;
    parts.push(xml.closeTag("entry"));
  }
  parts.push(FEED_END);
  return parts.join("");
}

export interface XmlEntry {
  readonly comment: string;
  readonly properties: Properties;
}

function xmlWriter(): XMLCBWriter {
  // The writer's other options are flags that are off.
  const options = { prettyPrint: true, indent: "\t", newline: "\n", offset: 0, width: 0 };
  const writer = new XMLCBWriter(options as XMLBuilderCBOptions);
  writer.hasData = true;
  writer.level = 1;
  return writer;
}

/** A comment in XML must not contain a double hyphen, and has no escape for it. */
const commentText = (text: string): string =>
  text.includes("--") ? text.replace(/-(?=-)/g, "- ") : text;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
]);

const escapeMarkup = (text: string): string =>
  /[&<>"]/.test(text)
    ? text.replace(/[&<>"]/g, (character) => ESCAPES.get(character) ?? character)
    : text;

const FEED_START = `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:apps="http://schemas.google.com/apps/2006">
\t<title>Mail Filters</title>`;

const FEED_END = "\n</feed>\n";

const ENTRY_START = `
\t<entry>
\t\t<category term="filter"/>
\t\t<title>Mail Filter</title>
\t\t<content/>`;
