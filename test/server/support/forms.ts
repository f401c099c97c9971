import { decodeEntities, elementsOf, type PageElement } from "./expect.ts";
import { BASE_URL } from "./servers.ts";

interface Control {
  readonly name: string;
  /** Of a select without options there is none. */
  value: string | undefined;
}

/**
 * The data that a browser sends for the tool's form in a page, by HTML's standard: the line breaks of the markup
 * become LF, a textarea loses a first one, and each is sent as CR LF. It knows nothing of how our
 * forms are made.
 *
 * @param pressed the value of the button that was pressed, named `do`.
 */
export function readForm(page: string, pressed?: string): URLSearchParams {
  const controls: Control[] = [];
  /** The content of a textarea or a select comes after its tag. */
  const latest = (): Control => {
    const control = controls.at(-1);
    if (!control) throw new Error("The page has no control to which this could belong");
    return control;
  };
  const begin = (element: HTMLRewriterTypes.Element, value?: string) => {
    controls.push({ name: attributesOf(element).name ?? "", value });
  };

  new HTMLRewriter()
    .on("#tool-form input[name]", {
      element(input) {
        const { type, value = "on", checked } = attributesOf(input);
        if (type === "hidden") begin(input, value);
        else if (type !== "checkbox" && type !== "radio") begin(input, value.replaceAll("\n", ""));
        else if (checked !== undefined) begin(input, value);
      },
    })
    .on("#tool-form textarea[name]", {
      element: (textarea) => begin(textarea, ""),
      text({ text, lastInTextNode }) {
        const control = latest();
        control.value += text;
        if (lastInTextNode) control.value = decodeEntities(control.value?.replace(/^\n/, "") ?? "");
      },
    })
    .on("#tool-form select[name]", { element: (select) => begin(select) })
    .on("#tool-form select[name] option", {
      element(option) {
        const { value, selected } = attributesOf(option);
        const control = latest();
        // The first one is chosen as long as no other says that it is.
        if (control.value === undefined || selected !== undefined) control.value = value;
      },
    })
    .transform(preprocessed(page));

  const form = new URLSearchParams();
  for (const { name, value = "" } of controls) form.append(name, value.replaceAll("\n", "\r\n"));
  if (pressed !== undefined) form.append("do", pressed);
  return form;
}

/** HTMLRewriter gets byte order marks as numbers, for it would drop them. */
const preprocessed = (page: string): string =>
  page.replace(/\r\n?/g, "\n").replaceAll("\0", "\uFFFD").replaceAll("\uFEFF", "&#xFEFF;");

const attributesOf = (element: HTMLRewriterTypes.Element): Record<string, string | undefined> =>
  Object.fromEntries([...element.attributes].map(([name, value]) => [name, decodeEntities(value)]));

type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

/** Sends a tool's form as a browser does: in the address, or in a body where its page says so. */
export async function sendForm(
  fetch: Fetch,
  path: string,
  page: string,
  pressed?: string,
): Promise<string> {
  const data = readForm(page, pressed);
  const isPosted = /<form id="tool-form"[^>]* method="post"/.test(page);
  const response = isPosted ? await fetch(path, formPost(data)) : await fetch(`${path}?${data}`);
  if (response.status !== 200) throw new Error(`The form gives ${response.status}`);
  return response.text();
}

/** The POST of a form of our pages. */
export const formPost = (data: URLSearchParams | string): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: BASE_URL },
  body: String(data),
});

/** A tool's page as its user sees it. */
interface ShownPage {
  readonly elements: readonly PageElement[];
  /** The outcome of the form: blank, rejected or done. */
  readonly outcome: string | undefined;
  /** The texts of the elements with an id, by the id. */
  readonly texts: Readonly<Record<string, string>>;
  /** The messages beside controls, by their names. */
  readonly messages: Readonly<Record<string, string>>;
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
    messages: Object.fromEntries(
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
