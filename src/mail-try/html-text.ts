import { Tokenizer } from "htmlparser2";

/**
 * The visible text of HTML, as a browser shows it. A replacement character marks where a word may or
 * may not end, and follows a text that may be partly hidden.
 */
export function htmlText(html: string): string {
  const shown: string[] = [];
  /** Formats of this mail that have attributes, and may part words by their style. */
  const styled = new Set<string>();
  let isWhole = true;
  /** Whether the tags since the last text end the word that it ends in. */
  let gap: Gap = JOINED;
  let isClosed = false;
  let hidden: string | undefined;
  let tag = "";
  let isInTag = false;
  const widen = (name: string) => {
    const isFormat = FORMATS.has(name) && !isClosed && !styled.has(name);
    gap = Math.max(gap, BLOCKS.has(name) ? PARTED : isFormat ? JOINED : UNSURE);
  };
  const show = (text: string) => {
    if (hidden !== undefined) return;
    const isOpen = gap === UNSURE && WORD_END.test(shown.at(-1)?.slice(-2) ?? "");
    if (gap !== JOINED) shown.push(isOpen && WORD_START.test(text) ? "\ufffd" : " ");
    shown.push(text);
    gap = JOINED;
    isClosed = false;
  };
  const endTag = () => {
    isInTag = false;
    widen(tag);
    if (HIDDEN.has(tag)) hidden ??= tag;
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (start, end) => show(html.slice(start, end)),
      ontextentity: (code) => show(String.fromCodePoint(code)),
      onopentagname: (start, end) => {
        tag = html.slice(start, end).toLowerCase();
        isInTag = true;
      },
      onattribname: () => styled.add(tag),
      onopentagend: endTag,
      onselfclosingtag: endTag,
      onclosetag: (start, end) => {
        const name = html.slice(start, end).toLowerCase();
        if (name === hidden) hidden = undefined;
        widen(name);
        isClosed = true;
      },
      oncomment: (_start, _end, endOffset) => {
        // A comment without an end hides the rest of the text.
        if (endOffset === 0) isWhole = false;
      },
      oncdata: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      onattribdata: () => {},
      onattribentity: () => {},
      onattribend: () => {},
      onend: () => {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  if (isInTag || hidden !== undefined || CUT_TAG.test(html.slice(-1000))) isWhole = false;
  return `${shown.join("")}${isWhole ? "" : " \ufffd"}`;
}

const [JOINED, UNSURE, PARTED] = [0, 1, 2];
type Gap = number;

const nameSet = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Elements that a word goes through: `in<b>voice</b>`. */
const FORMATS = nameSet("b big em i mark s small strike strong sub sup tt u wbr");

/** Elements that begin a line or a cell. Other elements may or may not part words. */
const BLOCKS = nameSet(
  "address article aside blockquote body br caption center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li main menu nav ol optgroup option p pre script section select style summary table tbody td textarea tfoot th thead title tr ul",
);

/** Elements whose text is not shown. */
const HIDDEN = nameSet("script style title");

const CUT_TAG = /<[a-z/!?][^<>]*$/i;

const WORD_END = /[\p{L}\p{N}\p{M}_&]$/u;
const WORD_START = /^[\p{L}\p{N}\p{M}_&]/u;
