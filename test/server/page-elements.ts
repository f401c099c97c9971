export interface PageElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Of all that is in it, with its entities decoded. */
  readonly text: string;
}

/** The elements of a page, in the order in which they begin. */
export async function elementsOf(page: string): Promise<readonly PageElement[]> {
  const elements: { tag: string; attributes: Record<string, string>; text: string }[] = [];
  const open: typeof elements = [];
  const rewriter = new HTMLRewriter().on("*", {
    element(found) {
      const element = {
        tag: found.tagName,
        attributes: Object.fromEntries(
          [...found.attributes].map(([name, value]) => [name, decodeEntities(value)]),
        ),
        text: "",
      };
      elements.push(element);
      if (!found.canHaveContent) return;
      open.push(element);
      found.onEndTag(() => {
        open.pop();
      });
    },
    text(chunk) {
      for (const element of open) element.text += chunk.text;
    },
  });
  await rewriter.transform(new Response(page)).text();
  return elements.map((element) => ({ ...element, text: decodeEntities(element.text).trim() }));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&",
  "&#xFEFF;": "\uFEFF",
};

/** Decodes what our templates encode. */
export const decodeEntities = (text: string): string =>
  text.replace(/&(?:lt|gt|quot|#39|amp|#xFEFF);/g, (entity) => ENTITIES[entity] ?? entity);
