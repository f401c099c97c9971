import type { Html } from "./html.ts";

/** What is a page's own; the rest is the site's. */
export interface Page {
  readonly title: string;
  readonly description: string;
  /** The page's own path, for its canonical address; a page of an error has none. */
  readonly path?: string;
  /** A class of the main element, for a page with a layout of its own. */
  readonly layout?: string;
  /** The page as schema.org describes it. */
  readonly structuredData?: object;
  readonly main: Html;
}
