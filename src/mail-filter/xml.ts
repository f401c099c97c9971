// These are the parts of xmlbuilder2 that write tags. Its main entry builds a DOM first, which makes
// the import ten times as large and takes longer than the rest of a short run.
import {
  DefaultXMLBuilderCBOptions,
  type XMLBuilderCBOptions,
} from "xmlbuilder2/lib/interfaces.js";
import { XMLCBWriter } from "xmlbuilder2/lib/writers/XMLCBWriter.js";
import type { Properties } from "./search.ts";

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

/** One `<entry>` of the file and the comment before it. */
export interface XmlEntry {
  readonly comment: string;
  readonly properties: Properties;
}

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

type XmlNode = XmlElement | { readonly comment: string };

interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string>>;
  /** A text, or children in their order. */
  readonly content?: string | readonly XmlNode[];
}

/**
 * An indented XML document that ends with a newline. The caller guarantees that names are XML names
 * and that comments and texts hold only characters that XML can carry there.
 */
function xmlText(root: XmlElement): string {
  const options = { ...DefaultXMLBuilderCBOptions, prettyPrint: true, indent: "\t" };
  // The missing options are callbacks, which the writer never calls.
  const writer = new XMLCBWriter(options as XMLBuilderCBOptions);
  const declaration = writer.declaration("1.0", "UTF-8");
  // Makes the writer begin each further line with a line break.
  writer.hasData = true;
  return `${declaration}${nodeText(root, writer)}\n`;
}

function nodeText(node: XmlNode, writer: XMLCBWriter): string {
  if ("comment" in node) return writer.comment(node.comment);
  const { name, attributes = {}, content = "" } = node;
  const start = [
    writer.openTagBegin(name),
    ...Object.entries(attributes).map(([key, value]) => writer.attribute(key, escapeMarkup(value))),
    writer.openTagEnd(name, content.length === 0, false),
  ].join("");
  if (content.length === 0) return start;
  if (typeof content === "string") {
    return `${start}${writer.text(escapeMarkup(content))}${writer.closeTag(name, true)}`;
  }
  writer.level += 1;
  const children = content.map((child) => nodeText(child, writer)).join("");
  writer.level -= 1;
  return `${start}${children}${writer.closeTag(name)}`;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
]);

const escapeMarkup = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ESCAPES.get(character) ?? character);
