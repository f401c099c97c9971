// These are the parts of xmlbuilder2 that write tags. Its main entry builds a DOM first, which makes
// the import ten times as large and takes longer than the rest of a short run.
import {
  DefaultXMLBuilderCBOptions,
  type XMLBuilderCBOptions,
} from "xmlbuilder2/lib/interfaces.js";
import { XMLCBWriter } from "xmlbuilder2/lib/writers/XMLCBWriter.js";
import { PROPERTY_NAMES, type PropertyName } from "../../schemas/mail-filter.ts";
import { ACTIONS, type Actions, propertyValue } from "./fields.ts";
import { type Criteria, type Size, searchSize } from "./terms/criteria.ts";

export function searchString(criteria: Criteria): string {
  return [
    fieldSearch("from", criteria.from),
    fieldSearch("to", criteria.to),
    fieldSearch("subject", criteria.subject),
    ...criteria.words.map(({ text }) => text),
    exclusionSearch(criteria.exclusions),
    criteria.hasAttachment ? "has:attachment" : "",
    criteria.larger ? `larger:${searchSize(criteria.larger)}` : "",
    criteria.smaller ? `smaller:${searchSize(criteria.smaller)}` : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** `from:(a OR b)`, as Gmail itself rewrites the field of a filter. */
const fieldSearch = (field: "from" | "to" | "subject", terms: readonly string[]): string =>
  terms.length === 0 ? "" : `${field}:(${anyOf(terms)})`;

/** Alternatives in the form that Gmail writes itself. */
export const anyOf = (terms: readonly string[]): string => terms.join(" OR ");

/** `-sale`, or `-{sale "out of office"}`: any one of the terms keeps a mail out. */
const exclusionSearch = (terms: readonly string[]): string => {
  if (terms.length === 0) return "";
  return terms.length === 1 ? `-${terms[0]}` : `-{${terms.join(" ")}}`;
};

/** Gmail's address of that search. A slash would end the search, so it is encoded too. */
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
    from: anyOf(criteria.from),
    to: anyOf(criteria.to),
    subject: anyOf(criteria.subject),
    hasTheWord: [...criteria.words.map(({ text }) => text), ...sizeWords].join(" "),
    doesNotHaveTheWord: anyOf(criteria.exclusions),
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
  const xml = xmlWriter();
  const parts = [FEED_START];
  for (const { comment, properties } of entries) {
    xml.level = 1;
    parts.push(xml.comment(` ${commentText(comment)} `), ENTRY_START);
    xml.level = 2;
    for (const { name, start } of PROPERTY_STARTS) {
      const value = properties[name];
      if (value === undefined) continue;
      parts.push(start, xml.attribute("value", escapeMarkup(value)), PROPERTY_END);
    }
    parts.push(ENTRY_END);
  }
  parts.push(FEED_END);
  return parts.join("");
}

/** One `<entry>` of the file and the comment before it. */
export interface XmlEntry {
  readonly comment: string;
  readonly properties: Properties;
}

/** A writer that begins each line but the first with a line break. */
function xmlWriter(level = 0): XMLCBWriter {
  const options = { ...DefaultXMLBuilderCBOptions, prettyPrint: true, indent: "\t" };
  // The missing options are callbacks, which the writer never calls.
  const writer = new XMLCBWriter(options as XMLBuilderCBOptions);
  writer.hasData = true;
  writer.level = level;
  return writer;
}

const openTag = (xml: XMLCBWriter, name: string, attributes: Attributes = {}): string =>
  startTag(xml, name, attributes) + xml.openTagEnd(name, false, false);

const emptyElement = (xml: XMLCBWriter, name: string, attributes: Attributes = {}): string =>
  startTag(xml, name, attributes) + xml.openTagEnd(name, true, false);

const textElement = (xml: XMLCBWriter, name: string, text: string): string =>
  openTag(xml, name) + xml.text(escapeMarkup(text)) + xml.closeTag(name, true);

type Attributes = Readonly<Record<string, string>>;

const startTag = (xml: XMLCBWriter, name: string, attributes: Attributes): string =>
  Object.entries(attributes).reduce(
    (tag, [key, value]) => tag + xml.attribute(key, escapeMarkup(value)),
    xml.openTagBegin(name),
  );

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

// The constant parts of the file.

const FEED_START = [
  xmlWriter().declaration("1.0", "UTF-8").trimStart(),
  openTag(xmlWriter(), "feed", {
    xmlns: "http://www.w3.org/2005/Atom",
    "xmlns:apps": "http://schemas.google.com/apps/2006",
  }),
  textElement(xmlWriter(1), "title", "Mail Filters"),
].join("");

const ENTRY_START = [
  openTag(xmlWriter(1), "entry"),
  emptyElement(xmlWriter(2), "category", { term: "filter" }),
  textElement(xmlWriter(2), "title", "Mail Filter"),
  emptyElement(xmlWriter(2), "content"),
].join("");

const PROPERTY = "apps:property";

const PROPERTY_STARTS = PROPERTY_NAMES.map((name) => ({
  name,
  start: startTag(xmlWriter(2), PROPERTY, { name }),
}));

const PROPERTY_END = xmlWriter().openTagEnd(PROPERTY, true, false);

const ENTRY_END = xmlWriter(1).closeTag("entry");

const FEED_END = `${xmlWriter().closeTag("feed")}\n`;
