import { decodeEntities } from "../page-elements.ts";

interface Control {
  readonly name: string;
  /** Of a select without options there is none. */
  value: string | undefined;
}

/**
 * What a browser sends for the tool's form in a page, by HTML's standard: the line breaks of the markup
 * become LF, a textarea loses a first one, and each is sent as CR LF. It knows nothing of how our
 * forms are made.
 *
 * @param pressed the value of the button that was pressed, named `do`.
 */
export function readForm(page: string, pressed?: string): URLSearchParams {
  const controls: Control[] = [];
  /** What is in a textarea or a select comes after its tag. */
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
        if (type !== "checkbox") begin(input, value.replaceAll("\n", ""));
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

/** HTMLRewriter is told of byte order marks by their number, for it would drop them. */
const preprocessed = (page: string): string =>
  page.replace(/\r\n?/g, "\n").replaceAll("\0", "\uFFFD").replaceAll("\uFEFF", "&#xFEFF;");

const attributesOf = (element: HTMLRewriterTypes.Element): Record<string, string | undefined> =>
  Object.fromEntries([...element.attributes].map(([name, value]) => [name, decodeEntities(value)]));
