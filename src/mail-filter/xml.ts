import type { Properties } from "./properties.ts";
import { type XmlNode, xmlText } from "./xml-text.ts";

/** One `<entry>` of the file and the comment before it. */
export interface XmlEntry {
  readonly comment: string;
  readonly properties: Properties;
}

/**
 * Writes `mailFilters.xml`: the Atom feed that Gmail exports, without the ids, dates and author
 * that its importer does not need. The same entries always give the same bytes.
 */
export const writeXml = (entries: readonly XmlEntry[]): string =>
  xmlText({
    name: "feed",
    attributes: {
      xmlns: "http://www.w3.org/2005/Atom",
      "xmlns:apps": "http://schemas.google.com/apps/2006",
    },
    content: [{ name: "title", content: "Mail Filters" }, ...entries.flatMap(toNodes)],
  });

const toNodes = ({ comment, properties }: XmlEntry): XmlNode[] => [
  { comment: ` ${commentText(comment)} ` },
  {
    name: "entry",
    content: [
      { name: "category", attributes: { term: "filter" } },
      { name: "title", content: "Mail Filter" },
      { name: "content" },
      ...Object.entries(properties).map(([name, value]) => ({
        name: "apps:property",
        attributes: { name, value },
      })),
    ],
  },
];

/** XML allows no double hyphen in a comment, and no escape for one. */
const commentText = (text: string): string => text.replace(/-(?=-)/g, "- ");
