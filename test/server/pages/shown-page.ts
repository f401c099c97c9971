import { elementsOf, type PageElement } from "../page-elements.ts";

/** A tool's page as its user sees it. */
export interface ShownPage {
  readonly elements: readonly PageElement[];
  /** What came of the form: blank, refused or done. */
  readonly outcome: string | undefined;
  /** The texts of the elements with an id, by the id. */
  readonly texts: Readonly<Record<string, string>>;
  /** What is said beside controls, by their names. */
  readonly remarks: Readonly<Record<string, string>>;
  /** The ids that links within the page lead to. */
  readonly linked: readonly string[];
  /** The names of the controls that are marked as wrong. */
  readonly invalid: readonly string[];
}

const NOTES = ":notes";

/** Reads a page by the marks that our script goes by too. */
export async function shownPage(page: string): Promise<ShownPage> {
  const elements = await elementsOf(page);
  const texts = elements.flatMap(({ attributes: { id }, text }) =>
    id === undefined ? [] : [[id, text] as const],
  );
  return {
    elements,
    outcome: elements.flatMap(({ attributes }) => attributes["data-outcome"] ?? [])[0],
    texts: Object.fromEntries(texts),
    remarks: Object.fromEntries(
      texts
        .filter(([id, text]) => id.endsWith(NOTES) && text !== "")
        .map(([id, text]) => [id.slice(0, -NOTES.length), text]),
    ),
    linked: elements.flatMap(({ attributes: { href = "" } }) => /^#(.+)/.exec(href)?.[1] ?? []),
    invalid: elements.flatMap(({ attributes }) =>
      attributes["aria-invalid"] === "true" ? (attributes.name ?? []) : [],
    ),
  };
}
