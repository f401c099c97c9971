import { SaxesParser } from "saxes";
import * as v from "valibot";
import { InvalidInputError, issueAt } from "../../issues.ts";
import { hasMoreBytes } from "../../text.ts";
import { validate } from "../../validate.ts";

/** An `<entry>` as a file has it. */
export interface FeedEntry {
  /** The comment right before it, which has the name in files of this tool; else empty. */
  readonly comment: string;
  /** The `apps:property` elements, without those that are off. */
  readonly properties: Readonly<Record<string, string>>;
  /** Names that the entry has twice, with different values. */
  readonly repeated: readonly string[];
}

/**
 * Reads the entries of a `mailFilters.xml`, of this tool or as Gmail exports it, with any prefixes.
 *
 * @throws {InvalidInputError} for a text that is too large, declares entities or is not such a file.
 */
export function readFeed(xml: string): readonly FeedEntry[] {
  validate(v.string(), xml);
  if (hasMoreBytes(xml, MAX_BYTES)) throw rejection("must have at most 32 MiB");
  const entries: OpenEntry[] = [];
  let open: OpenEntry | undefined;
  let comment = "";
  let depth = 0;

  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw rejection(`is not well-formed XML: ${error.message.replace(/\s+/g, " ")}`);
  });
  parser.on("doctype", () => {
    throw rejection("must not have a DOCTYPE or define entities");
  });
  parser.on("comment", (text) => {
    comment = text;
  });
  parser.on("opentag", ({ uri, local, attributes }) => {
    depth += 1;
    if (depth === 1 && (uri !== ATOM || local !== "feed")) throw rejection(NO_EXPORT);
    if (depth > MAX_DEPTH) throw rejection(NO_EXPORT);
    if (depth === 2 && uri === ATOM && local === "entry") {
      if (entries.length === MAX_ENTRIES) throw rejection("must have at most 10,000 filters");
      open = { comment, properties: new Map(), repeated: [] };
      entries.push(open);
    } else if (open && depth === 3 && uri === APPS && local === "property") {
      addProperty(open, attributes.name?.value, attributes.value?.value);
    }
    comment = "";
  });
  parser.on("closetag", () => {
    depth -= 1;
    if (depth === 1) open = undefined;
    comment = "";
  });
  parser.write(xml.startsWith("\ufeff") ? xml.slice(1) : xml).close();

  return entries.map(({ properties, ...entry }) => ({
    ...entry,
    properties: Object.fromEntries(properties),
  }));
}

const ATOM = "http://www.w3.org/2005/Atom";
const APPS = "http://schemas.google.com/apps/2006";

const MAX_BYTES = 32 * 1024 * 1024;
/** Gmail keeps a tenth of these; people with more have files from elsewhere. */
const MAX_ENTRIES = 10_000;
/** An export has three levels; the rest is for the additions of other programs. */
const MAX_DEPTH = 20;

const NO_EXPORT = "is not a mailFilters.xml: it must be the Atom feed that Gmail exports";

interface OpenEntry {
  readonly comment: string;
  readonly properties: Map<string, string>;
  readonly repeated: string[];
}

function addProperty(entry: OpenEntry, name = "", value = ""): void {
  if (value === "" || (value === "false" && IS_FLAG.test(name))) return;
  const known = entry.properties.get(name);
  if (known !== undefined && known !== value) entry.repeated.push(name);
  entry.properties.set(name, value);
}

/** Gmail writes no `false` for these; files of others do, and mean that the property is off. */
const IS_FLAG = /^(?:should|exclude|hasAttachment$)/;

const rejection = (message: string): InvalidInputError =>
  new InvalidInputError([issueAt([], message)]);
