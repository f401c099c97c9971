import { SaxesParser } from "saxes";
import * as v from "valibot";
import { MAX_READ_FILTERS } from "../../schemas/inputs/mail-filter.ts";
import { type InvalidInputError, rejection } from "../issues.ts";
import { hasMoreBytes, isZip, thousands } from "../text.ts";
import { validate } from "../validate.ts";

/** An `<entry>` as a file has it. */
export interface FeedEntry {
  /** The comment right before the entry, which is its name in files of this tool; empty without one. */
  readonly comment: string;
  /** The `apps:property` elements, without those that are off. */
  readonly properties: Readonly<Record<string, string>>;
  /** Names of properties that the entry has twice, with different values. */
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
  if (xml.trim() === "") throw notExport("is empty");
  if (isZip(xml))
    throw rejection("is a ZIP archive; unpack it, and give the mailFilters.xml in it");
  if (WEB_PAGE.test(xml)) throw notExport(IS_WEB_PAGE);
  const entries: OpenEntry[] = [];
  let open: OpenEntry | undefined;
  let comment = "";
  let depth = 0;
  let isAtEnd = false;

  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", () => {
    if (!/^\s*</.test(xml)) throw notExport(`${IS_OTHER}: it is not XML`);
    // The parser reports a text at its end, which may be lines below its start.
    const problem = `${IS_OTHER}: it is not XML near line ${parser.line}`;
    throw notExport(isAtEnd ? "is cut off: its end is missing" : problem);
  });
  parser.on("doctype", (type) => {
    if (/^\s*html\b/i.test(type)) throw notExport(IS_WEB_PAGE);
    throw rejection("must not have a DOCTYPE or define entities");
  });
  parser.on("comment", (text) => {
    comment = text;
  });
  parser.on("opentag", ({ name, uri, local, attributes }) => {
    depth += 1;
    if (depth === 1 && local === "html") throw notExport(IS_WEB_PAGE);
    if (depth === 1 && (uri !== ATOM || local !== "feed")) {
      throw notExport(`${IS_OTHER}: it begins with <${name.slice(0, 40)}>`);
    }
    if (depth > MAX_DEPTH) throw notExport(`${IS_OTHER}: its tags are nested too deeply`);
    if (depth === 2 && uri === ATOM && local === "entry") {
      // Gmail keeps a tenth of these; people with more have files from elsewhere.
      if (entries.length === MAX_READ_FILTERS) {
        throw rejection(`must have at most ${thousands(MAX_READ_FILTERS)} filters`);
      }
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
  parser.write(xml.startsWith("\ufeff") ? xml.slice(1) : xml);
  isAtEnd = true;
  parser.close();

  return entries.map(({ properties, ...entry }) => ({
    ...entry,
    properties: Object.fromEntries(properties),
  }));
}

const ATOM = "http://www.w3.org/2005/Atom";
const APPS = "http://schemas.google.com/apps/2006";

const MAX_BYTES = 32 * 1024 * 1024;
/** An export has three levels; the rest is for the additions of other programs. */
const MAX_DEPTH = 20;

const IS_OTHER = "is not Gmail's export (mailFilters.xml)";
const IS_WEB_PAGE =
  "is a web page, perhaps Google's sign-in, and not Gmail's export (mailFilters.xml)";
const WEB_PAGE = /^\s*<(?:!doctype\s+html|html)\b/i;

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

/** Properties that are off if `false`: Gmail leaves them out then, and other programs write it. */
const IS_FLAG = /^(?:should|exclude|hasAttachment$)/;

/** The error for a text that is not a whole export; it says how to get one. */
const notExport = (problem: string): InvalidInputError =>
  rejection(
    `${problem}; export the filters again in Gmail: Settings > See all settings > Filters and Blocked Addresses > Export`,
  );
