import { mailFilter } from "../src/mail-filter/index.ts";
import { someFilters } from "./filters.ts";

interface Element {
  readonly type: "element";
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly elements: readonly (Element | { readonly type: "text"; readonly text: string })[];
}

const element = (
  name: string,
  attributes: Element["attributes"] = {},
  elements: Element["elements"] = [],
): Element => ({ type: "element", name, attributes, elements });

const title = (text: string): Element => element("title", {}, [{ type: "text", text }]);

/** The feed of the filters as xml-js takes it: all is found out, it has but to be written. */
export function feedForXmlJs(count: number): object {
  const entries = mailFilter(someFilters(count)).filters.flatMap(({ entries }) => entries);
  const feed = element(
    "feed",
    {
      xmlns: "http://www.w3.org/2005/Atom",
      "xmlns:apps": "http://schemas.google.com/apps/2006",
    },
    [
      title("Mail Filters"),
      ...entries.map(({ properties }) =>
        element("entry", {}, [
          element("category", { term: "filter" }),
          title("Mail Filter"),
          element("content"),
          ...Object.entries(properties).map(([name, value]) =>
            element("apps:property", { name, value: String(value) }),
          ),
        ]),
      ),
    ],
  );
  return { elements: [feed] };
}
