import { create } from "xmlbuilder2";
import type { Properties } from "./properties.ts";

/** One `<entry>` of the file and the comment before it. */
export interface XmlEntry {
  readonly comment: string;
  readonly properties: Properties;
}

/**
 * Writes `mailFilters.xml`: the Atom feed that Gmail exports, without the ids, dates and author
 * that its importer does not need. The same entries always give the same bytes.
 */
export function writeXml(entries: readonly XmlEntry[]): string {
  const document = create({ version: "1.0", encoding: "UTF-8" });
  const feed = document.ele("feed", {
    xmlns: "http://www.w3.org/2005/Atom",
    "xmlns:apps": "http://schemas.google.com/apps/2006",
  });
  feed.ele("title").txt("Mail Filters");
  for (const { comment, properties } of entries) {
    feed.com(` ${commentText(comment)} `);
    const entry = feed.ele("entry");
    entry.ele("category", { term: "filter" });
    entry.ele("title").txt("Mail Filter");
    entry.ele("content");
    for (const [name, value] of Object.entries(properties)) {
      entry.ele("apps:property", { name, value: escapeAmpersands(value) });
    }
  }
  return `${document.end({ prettyPrint: true, indent: "\t" })}\n`;
}

/** XML allows no double hyphen in a comment, and no escape for one. */
const commentText = (text: string): string => text.replace(/-(?=-)/g, "- ");

/**
 * xmlbuilder2 takes what looks like an entity for one that is already written (`&amp;`, even
 * `&#0;`), and escapes only the other ampersands; escaped beforehand, all are left as they are.
 */
const escapeAmpersands = (text: string): string => text.replaceAll("&", "&amp;");
