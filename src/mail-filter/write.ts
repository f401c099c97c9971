// These are the parts of xmlbuilder2 that write tags. Its main entry builds a DOM first, which makes
// the import ten times as large and is slower than the rest of a short run.
import type { XMLBuilderCBOptions } from "xmlbuilder2/lib/interfaces.js";
import { XMLCBWriter } from "xmlbuilder2/lib/writers/XMLCBWriter.js";
import { PROPERTY_NAMES, type PropertyName } from "../../schemas/mail-filter.ts";
import { ACTIONS, type Actions, propertyValue } from "./fields.ts";
import { type Criteria, type Size, searchSize } from "./terms/criteria.ts";
import { OR } from "./terms/search.ts";
import type { ListTerm } from "./terms/words.ts";

export function searchString(criteria: Criteria): string {
  return [
    fieldSearch("from", criteria.from),
    fieldSearch("to", criteria.to),
    fieldSearch("subject", criteria.subject),
    joinTerms(criteria.words, " "),
    exclusionSearch(criteria.exclusions),
    criteria.hasAttachment ? "has:attachment" : "",
    criteria.larger ? `larger:${searchSize(criteria.larger)}` : "",
    criteria.smaller ? `smaller:${searchSize(criteria.smaller)}` : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** `from:(a OR b)`, as Gmail itself rewrites the field of a filter. */
export const fieldSearch = (
  field: "from" | "to" | "subject",
  terms: readonly ListTerm[],
): string => (terms.length === 0 ? "" : `${field}:(${joinTerms(terms, OR)})`);

/** `-sale`, or `-{sale "out of office"}`: any one of the terms keeps a mail out. */
const exclusionSearch = (terms: readonly ListTerm[]): string => {
  if (terms.length === 0) return "";
  return terms.length === 1 ? `-${terms[0]?.text}` : `-{${joinTerms(terms, " ")}}`;
};

function joinTerms(terms: readonly ListTerm[], joiner: string): string {
  let joined = "";
  for (const { text } of terms) joined += joined === "" ? text : joiner + text;
  return joined;
}

/** The address of a search in Gmail. A slash would end the search, so it is encoded too. */
export const previewUrl = (search: string): string =>
  `https://mail.google.com/mail/u/0/#search/${encodeURIComponent(search)}`;

/** The names and values of one entry's `apps:property` elements. */
export type Properties = { readonly [Name in PropertyName]?: string | undefined };

/**
 * One entry's properties in Gmail's order. A property that is off is left out: Gmail never
 * writes `false`, and an empty value is unproven.
 */
export function entryProperties(criteria: Criteria, actions: Actions): Properties {
  const conditions = conditionProperties(criteria);
  const properties: { [Name in PropertyName]?: string } = {};
  for (const { name, action } of PROPERTIES) {
    const value = action ? propertyValue(action, actions) : conditions[name];
    if (value) properties[name] = value;
  }
  return properties;
}

/** Each property, with the action that it is for unless it is a condition. */
const PROPERTIES = PROPERTY_NAMES.map((name) => ({
  name,
  action: ACTIONS.find(({ property }) => property === name),
}));

function conditionProperties(criteria: Criteria): Partial<Record<PropertyName, string>> {
  const { larger, smaller } = criteria;
  // An entry holds one size; a second one goes to the words, where operators are allowed.
  const sizeWords = larger && smaller ? [`smaller:${searchSize(smaller)}`] : [];
  return {
    from: joinTerms(criteria.from, OR),
    to: joinTerms(criteria.to, OR),
    subject: joinTerms(criteria.subject, OR),
    hasTheWord: [joinTerms(criteria.words, " "), ...sizeWords].join(" ").trim(),
    doesNotHaveTheWord: joinTerms(criteria.exclusions, OR),
    hasAttachment: criteria.hasAttachment ? "true" : "",
    ...(larger ? sizeProperties(larger, "s_sl") : smaller && sizeProperties(smaller, "s_ss")),
  };
}

const sizeProperties = (size: Size, sizeOperator: "s_sl" | "s_ss") => ({
  size: String(size.value),
  sizeOperator,
  sizeUnit: size.unit === "MB" ? "s_smb" : "s_sb",
});

/**
 * Writes `mailFilters.xml`: the Atom feed that Gmail exports, without the ids, dates and author
 * that its importer does not need. The same entries always give the same bytes.
 */
export function writeXml(entries: readonly XmlEntry[]): string {
  const xml = xmlWriter(1);
  const parts = [FEED_START];
  for (const { comment, properties } of entries) {
    parts.push(xml.comment(` ${commentText(comment)} `), ENTRY_START);
    xml.level = 2;
    for (const { name, start } of PROPERTY_STARTS) {
      const value = properties[name];
      if (value === undefined) continue;
      const end = xml.openTagEnd("apps:property", true, false);
      parts.push(start, xml.attribute("value", escapeMarkup(value)), end);
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
function xmlWriter(level: number): XMLCBWriter {
  // The writer reads no other options, except flags that are off.
  const options = { prettyPrint: true, indent: "\t", newline: "\n", offset: 0, width: 0 };
  const writer = new XMLCBWriter(options as XMLBuilderCBOptions);
  writer.hasData = true;
  writer.level = level;
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

/** The tag of each property up to its value. */
const PROPERTY_STARTS = PROPERTY_NAMES.map((name) => {
  const xml = xmlWriter(2);
  return { name, start: xml.openTagBegin("apps:property") + xml.attribute("name", name) };
});
