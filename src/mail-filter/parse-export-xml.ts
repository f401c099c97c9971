import { SaxesParser } from "saxes";
import * as v from "valibot";
import { MAX_READ_FILTERS } from "../../schemas/mail-filter.ts";
import { error, Findings, type RejectionMessages } from "../findings.ts";
import { validate } from "../issues.ts";
import { formatNumber, hasMoreBytes, isZip } from "../text.ts";

/** An `<entry>` of a file. */
export interface ExportedEntry {
  /** The comment before the entry, which holds its name in files of this tool, or an empty string. */
  readonly comment: string;
  /** The `apps:property` elements that are not off. */
  readonly properties: Readonly<Record<string, string>>;
  /** The properties that the entry has twice, with different values. */
  readonly repeated: readonly string[];
}

/**
 * Parses a `mailFilters.xml` from Gmail or from this tool, with any XML prefixes.
 *
 * @throws {InvalidInputError} if it is too large, has a DOCTYPE or is not such a file.
 */
export function parseExportXml(xml: string): readonly ExportedEntry[] {
  validate(v.string(), xml);
  const findings: Findings<typeof exportRejections> = new Findings(exportRejections);
  if (hasMoreBytes(xml, MAX_EXPORT_BYTES)) findings.fail("too-large");
  if (xml.trim() === "") findings.fail("empty");
  if (isZip(xml)) findings.fail("zip");
  if (/^\s*[{[/]/.test(xml)) findings.fail("json");
  if (!/^\s*</.test(xml)) findings.fail("not-xml");
  const entries: OpenEntry[] = [];
  let open: OpenEntry | undefined;
  let comment = "";
  let depth = 0;
  let isAtEnd = false;

  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", () =>
    isAtEnd ? findings.fail("cut-off") : findings.fail("broken-xml", { line: parser.line }),
  );
  parser.on("doctype", () => findings.fail("entities"));
  parser.on("comment", (text) => {
    comment = text;
  });
  parser.on("opentag", ({ name, uri, local, attributes }) => {
    depth += 1;
    if (depth === 1 && (uri !== ATOM_NAMESPACE || local !== "feed"))
      findings.fail("other-root", { name });
    if (depth > MAX_XML_DEPTH) findings.fail("too-deep");
    if (depth === 2 && uri === ATOM_NAMESPACE && local === "entry") {
      if (entries.length === MAX_READ_FILTERS) findings.fail("too-many");
      open = { comment, properties: new Map(), repeated: [] };
      entries.push(open);
    } else if (open && depth === 3 && uri === APPS_NAMESPACE && local === "property") {
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

const EXPORT_AGAIN =
  "export the filters again in Gmail: Settings > See all settings > Filters and Blocked Addresses > Export";
const EXPECTED_EXPORT = "must be the mailFilters.xml that Gmail exports";
const NOT_AN_EXPORT = "is not Gmail's export (mailFilters.xml)";

const exportRejections = {
  "too-large": error("must have at most 32 MiB"),
  empty: error(`is empty; ${EXPORT_AGAIN}`),
  zip: error("is a ZIP archive; unpack it and use the mailFilters.xml in it"),
  json: error(`${EXPECTED_EXPORT}; this is JSON, which does not need to be converted`),
  "not-xml": error(`${EXPECTED_EXPORT}; filters of other programs are not supported`),
  "broken-xml": error(
    ({ line }: { line: number }) =>
      `${NOT_AN_EXPORT}: it is not XML near line ${line}; ${EXPORT_AGAIN}`,
  ),
  "cut-off": error(`is incomplete: its end is missing; ${EXPORT_AGAIN}`),
  entities: error(`${NOT_AN_EXPORT}: it has a DOCTYPE, like a web page; ${EXPORT_AGAIN}`),
  "other-root": error(
    ({ name }: { name: string }) =>
      `${NOT_AN_EXPORT}: it begins with <${name.slice(0, 40)}>; ${EXPORT_AGAIN}`,
  ),
  "too-deep": error(`${NOT_AN_EXPORT}: its tags are nested too deeply; ${EXPORT_AGAIN}`),
  "too-many": error(`must have at most ${formatNumber(MAX_READ_FILTERS)} filters`),
} satisfies RejectionMessages;

const ATOM_NAMESPACE = "http://www.w3.org/2005/Atom";
const APPS_NAMESPACE = "http://schemas.google.com/apps/2006";

const MAX_EXPORT_BYTES = 32 * 1024 * 1024;
/** An export has three levels, but other programs may add some. */
const MAX_XML_DEPTH = 20;

interface OpenEntry extends Omit<ExportedEntry, "properties" | "repeated"> {
  readonly properties: Map<string, string>;
  readonly repeated: string[];
}

function addProperty(entry: OpenEntry, name = "", value = ""): void {
  if (value === "" || (value === "false" && FLAG_PROPERTY.test(name))) return;
  const known = entry.properties.get(name);
  if (known !== undefined && known !== value) entry.repeated.push(name);
  entry.properties.set(name, value);
}

/** `false` turns these properties off. Gmail omits them instead, but other programs write `false`. */
const FLAG_PROPERTY = /^(?:should|exclude|hasAttachment$)/;
