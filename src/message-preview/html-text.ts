import { Parser } from "htmlparser2";

/**
 * Extracts the visible text of HTML. A replacement character marks a place where a word may end, and
 * the end of a result that may be incomplete.
 */
export function extractVisibleText(html: string): string {
  const shown: string[] = [];
  /** Formats with attributes: their style may separate words. */
  const styled = new Set<string>();
  let gap = "";
  let isClosed = false;
  let hidden = 0;
  const widen = (name: string) => {
    if (BLOCK_ELEMENTS.has(name)) gap = " ";
    else if (gap === "" && (!INLINE_ELEMENTS.has(name) || isClosed || styled.has(name)))
      gap = "\ufffd";
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (Object.keys(attributes).length > 0) styled.add(name);
      if (HIDDEN_ELEMENTS.has(name)) hidden += 1;
      widen(name);
    },
    ontext(text) {
      if (hidden > 0) return;
      // The gap matters only between letters.
      const isOpen = WORD_END.test(shown.at(-1)?.slice(-2) ?? "") && WORD_START.test(text);
      shown.push(gap === "\ufffd" && !isOpen ? " " : gap, text);
      gap = "";
      isClosed = false;
    },
    onclosetag(name) {
      if (HIDDEN_ELEMENTS.has(name)) hidden -= 1;
      widen(name);
      isClosed = true;
    },
  });
  // An unclosed comment, tag or style hides the rest of the text, and this character too.
  parser.write(`${html}\0`);
  const text = shown.join("");
  return text.endsWith("\0") ? text.slice(0, -1) : `${text} \ufffd`;
}

const nameSet = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Elements that do not separate words: `in<b>voice</b>`. */
const INLINE_ELEMENTS = nameSet("b big em i mark s small strike strong sub sup tt u wbr");

/** Elements that start a line or a cell. Any other element may separate words or not. */
const BLOCK_ELEMENTS = nameSet(
  "address article aside blockquote body br caption center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li main menu nav ol optgroup option p pre script section select style summary table tbody td textarea tfoot th thead title tr ul",
);

const HIDDEN_ELEMENTS = nameSet("script style title");

const WORD_END = /[\p{L}\p{N}\p{M}_&]$/u;
const WORD_START = /^[\p{L}\p{N}\p{M}_&]/u;
