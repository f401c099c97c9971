// These are the parts of xmlbuilder2 that write tags. Its main entry builds a DOM first, which makes
// the import ten times as large and takes longer than the rest of a short run.
import {
  DefaultXMLBuilderCBOptions,
  type XMLBuilderCBOptions,
} from "xmlbuilder2/lib/interfaces.js";
import { XMLCBWriter } from "xmlbuilder2/lib/writers/XMLCBWriter.js";
import { PROPERTY_NAMES, type PropertyName } from "../../schemas/mail-filter.ts";
import type { Properties } from "./search.ts";

/**
 * Writes `mailFilters.xml`: the Atom feed that Gmail exports, without the ids, dates and author
 * that its importer does not need. The same entries always give the same bytes.
 */
export function writeXml(entries: readonly XmlEntry[]): string {
  const xml = xmlWriter();
  const properties = propertyWriter(xml);
  const declaration = xml.declaration("1.0", "UTF-8");
  // Makes the writer begin each further line with a line break.
  xml.hasData = true;
  const feed = openTag(xml, "feed", {
    xmlns: "http://www.w3.org/2005/Atom",
    "xmlns:apps": "http://schemas.google.com/apps/2006",
  });
  xml.level = 1;
  const title = textElement(xml, "title", "Mail Filters");
  const entryStart = openTag(xml, "entry");
  const entryEnd = xml.closeTag("entry");
  xml.level = 2;
  const entryHead =
    emptyElement(xml, "category", { term: "filter" }) +
    textElement(xml, "title", "Mail Filter") +
    emptyElement(xml, "content");

  const parts = [declaration, feed, title];
  for (const entry of entries) {
    xml.level = 1;
    parts.push(xml.comment(` ${commentText(entry.comment)} `), entryStart, entryHead);
    xml.level = 2;
    for (const name of PROPERTY_NAMES) {
      const value = entry.properties[name];
      if (value !== undefined) parts.push(properties(name, value));
    }
    parts.push(entryEnd);
  }
  xml.level = 0;
  parts.push(xml.closeTag("feed"), "\n");
  return parts.join("");
}

/** One `<entry>` of the file and the comment before it. */
export interface XmlEntry {
  readonly comment: string;
  readonly properties: Properties;
}

function xmlWriter(): XMLCBWriter {
  const options = { ...DefaultXMLBuilderCBOptions, prettyPrint: true, indent: "\t" };
  // The missing options are callbacks, which the writer never calls.
  return new XMLCBWriter(options as XMLBuilderCBOptions);
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

/** Writes the properties of an entry; what is the same for all of one name is written once. */
function propertyWriter(xml: XMLCBWriter): (name: PropertyName, value: string) => string {
  const starts = new Map<string, string>();
  const end = xml.openTagEnd(PROPERTY, true, false);
  return (name, value) => {
    let start = starts.get(name);
    if (start === undefined) {
      start = startTag(xml, PROPERTY, { name });
      starts.set(name, start);
    }
    return start + xml.attribute("value", escapeMarkup(value)) + end;
  };
}

const PROPERTY = "apps:property";

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
