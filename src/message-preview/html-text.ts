import { Parser } from "htmlparser2";

/**
 * The visible text of HTML, as a browser shows it. A replacement character marks where a word may or
 * may not end, and follows a text that may be partly hidden.
 */
export function extractVisibleText(html: string): string {
  const shown: string[] = [];
  /** Formats that have attributes, and may part words by their style, or follow the end of another. */
  const styled = new Set<string>();
  let gap = "";
  let isClosed = false;
  let hidden = 0;
  const widen = (name: string) => {
    if (BLOCKS.has(name)) gap = " ";
    else if (gap === "" && (!FORMATS.has(name) || isClosed || styled.has(name))) gap = "\ufffd";
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (Object.keys(attributes).length > 0) styled.add(name);
      if (HIDDEN.has(name)) hidden += 1;
      widen(name);
    },
    ontext(text) {
      if (hidden > 0) return;
      // Only letters beside it can make a word.
      const isOpen = WORD_END.test(shown.at(-1)?.slice(-2) ?? "") && WORD_START.test(text);
      shown.push(gap === "\ufffd" && !isOpen ? " " : gap, text);
      gap = "";
      isClosed = false;
    },
    onclosetag(name) {
      if (HIDDEN.has(name)) hidden -= 1;
      widen(name);
      isClosed = true;
    },
  });
  // A comment, a tag or a style without an end hides the rest of the text, and this sign with it.
  parser.write(`${html}\0`);
  const text = shown.join("");
  return text.endsWith("\0") ? text.slice(0, -1) : `${text} \ufffd`;
}

const nameSet = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Elements that a word goes through: `in<b>voice</b>`. */
const FORMATS = nameSet("b big em i mark s small strike strong sub sup tt u wbr");

/** Elements that begin a line or a cell. Other elements may or may not part words. */
const BLOCKS = nameSet(
  "address article aside blockquote body br caption center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li main menu nav ol optgroup option p pre script section select style summary table tbody td textarea tfoot th thead title tr ul",
);

/** Elements whose text is not shown. */
const HIDDEN = nameSet("script style title");

const WORD_END = /[\p{L}\p{N}\p{M}_&]$/u;
const WORD_START = /^[\p{L}\p{N}\p{M}_&]/u;
