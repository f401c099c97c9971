// These are the parts of xmlbuilder2 that write tags. Its main entry builds a DOM first, which makes
// the import ten times as large and is slower than the rest of a short run.
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

/** The address of a search in Gmail. A slash would end the search, so it is encoded too. */
export const previewUrl = (search: string): string =>
  `https://mail.google.com/mail/u/0/#search/${encodeURIComponent(search)}`;

/**
 * One entry's properties in Gmail's order. A property that is off is skipped: Gmail never
 * writes `false`, and an empty value is unproven.
 */
export function entryProperties(criteria: Criteria, actions: Actions): Properties {
  const values: { [Name in PropertyName]?: string } = {};
  for (const form of CONDITION_OUTPUTS) Object.assign(values, form.properties(criteria));
  for (const action of ACTIONS) values[action.property] = propertyValue(action, actions);
  const properties: typeof values = {};
  for (const name of PROPERTY_NAMES) if (values[name]) properties[name] = values[name];
  return properties;
}

/** Explains a filter in one plain sentence: the mail that it matches, and what happens to it. */
export const explain = (criteria: Criteria, actions: Actions): string =>
  explainParts(criteria, actions)
    .map(({ text }) => text)
    .join("");

/** The sentence that explains a filter, in parts. */
export function explainParts(criteria: Criteria, actions: Actions): readonly TextPart[] {
  const conditions = CONDITION_OUTPUTS.flatMap(({ field, explanations }) =>
    explanations(criteria).map((text) => ({ field, text })),
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

/**
 * Writes `mailFilters.xml`: the Atom feed that Gmail exports, without the ids, dates and author
 * that its importer does not need. The same entries always give the same bytes.
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

/** One `<entry>` of the file and the comment before it. */
export interface XmlEntry {
  readonly comment: string;
  readonly properties: Properties;
}

/** A writer that begins each line with a line break. */
function xmlWriter(): XMLCBWriter {
  // The writer reads no other options, except flags that are off.
  const options = { prettyPrint: true, indent: "\t", newline: "\n", offset: 0, width: 0 };
  const writer = new XMLCBWriter(options as XMLBuilderCBOptions);
  writer.hasData = true;
  writer.level = 1;
  return writer;
}

/** XML allows no double hyphen in a comment, and no escape for one. */
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

/** The start of every entry. */
const ENTRY_START = `
\t<entry>
\t\t<category term="filter"/>
\t\t<title>Mail Filter</title>
\t\t<content/>`;
