import { SaxesParser } from "saxes";
import type { ValidMailFilterInput } from "../../../schemas/index.ts";
import { createMailFilters } from "../../../src/index.ts";
import { problems } from "../../support/rejection.ts";

export type FilterFields = ValidMailFilterInput["filters"][number];

/** Runs a single filter; `label: "L"` is its action where it has none of its own. */
export function oneFilter(filter: FilterFields) {
  const { filters, warnings, file } = createMailFilters({ filters: [{ label: "L", ...filter }] });
  const [result] = filters;
  const [entry] = result?.entries ?? [];
  if (!result || !entry) throw new Error("One filter must give one result");
  return {
    ...result,
    properties: entry.properties,
    codes: warnings.map(({ code }) => code),
    warnings,
    xml: file.content,
  };
}

/** Why a single filter is rejected, `path: message` each; empty when it is accepted. */
export const rejections = (filter: FilterFields): readonly string[] =>
  problems(() => oneFilter(filter));

interface Entry {
  readonly comment: string;
  readonly properties: ReadonlyMap<string, string>;
}

/** Reads a `mailFilters.xml` with a strict parser; what is not well-formed throws. */
export function readXml(xml: string): readonly Entry[] {
  const parser = new SaxesParser({ xmlns: true });
  const entries: { comment: string; properties: Map<string, string> }[] = [];
  const roots: string[] = [];
  let comment = "";
  let depth = 0;

  parser.on("error", (error) => {
    throw error;
  });
  parser.on("comment", (text) => {
    comment = text;
  });
  parser.on("opentag", (tag) => {
    if (depth === 0) roots.push(`{${tag.uri}}${tag.local}`);
    if (depth === 1 && tag.local === "entry") entries.push({ comment, properties: new Map() });
    if (tag.uri === "http://schemas.google.com/apps/2006" && tag.local === "property") {
      const { name, value } = tag.attributes;
      const properties = entries.at(-1)?.properties;
      if (!name || !value || !properties || properties.has(name.value)) {
        throw new Error(`A property out of place or twice: ${JSON.stringify(tag.attributes)}`);
      }
      properties.set(name.value, value.value);
    }
    depth += 1;
  });
  parser.on("closetag", () => {
    depth -= 1;
  });
  parser.write(xml).close();

  if (roots.join() !== "{http://www.w3.org/2005/Atom}feed") throw new Error("No Atom feed");
  return entries;
}
