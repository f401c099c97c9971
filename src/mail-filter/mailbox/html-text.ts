/** The visible text of HTML; `isCut` when some of it could not be read. */
export function htmlText(html: string): { readonly text: string; readonly isCut: boolean } {
  let isCut = false;
  const text = withoutTags(html).replace(ENTITY, (written, decimal, hex, name) => {
    const decoded = name ? named(name) : character(Number(decimal ?? `0x${hex}`));
    isCut ||= decoded === undefined;
    return decoded ?? written;
  });
  return { text, isCut };
}

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));?/gi;

function withoutTags(html: string): string {
  let text = "";
  let at = 0;
  for (;;) {
    const open = html.indexOf("<", at);
    if (open < 0) return text + html.slice(at);
    text += html.slice(at, open);
    TAG.lastIndex = open;
    const [tag = "", name = ""] = TAG.exec(html) ?? [];
    at = open + tag.length;
    if (name === "") {
      // What is no tag is text, but for comments.
      if (tag === "") text += "<";
      at = tag === "" ? open + 1 : endOf("-->", html, at);
    } else if (WITH_CODE.test(name)) {
      text += " ";
      at = endOf(`</${name}`, html, at);
    } else if (!INLINE.test(name)) text += " ";
  }
}

const TAG = /<!--|<(\/?[a-z][a-z0-9]*)(?:"[^"]*"|'[^']*'|[^"'<>])*>/iy;

/** The place after the next end of a comment, or of an element such as `</style>`. */
function endOf(end: string, html: string, at: number): number {
  const found = new RegExp(end.startsWith("<") ? `${end}\\s*>` : end, "gi");
  found.lastIndex = at;
  return found.test(html) ? found.lastIndex : html.length;
}

/** Elements whose text is not shown in the mail. */
const WITH_CODE = /^(?:style|script|title)$/i;

/** Elements that begin no new word. */
const INLINE = /^\/?(?:a|b|big|em|font|i|mark|s|small|span|strike|strong|sub|sup|tt|u|wbr)$/i;

const character = (code: number): string | undefined =>
  code <= 0x10ffff ? String.fromCodePoint(code) : undefined;

/** The entities of Latin letters are a letter and its accent; others are here by their names. */
function named(name: string): string | undefined {
  const [, letter, accent = ""] =
    /^([a-z])(acute|grave|circ|uml|tilde|ring|cedil|caron)$/i.exec(name) ?? [];
  if (letter !== undefined)
    return (letter + (ACCENTS[accent.toLowerCase()] ?? "")).normalize("NFC");
  return NAMED[name] ?? NAMED[name.toLowerCase()];
}

const ACCENTS: Readonly<Record<string, string>> = {
  acute: "\u0301",
  grave: "\u0300",
  circ: "\u0302",
  uml: "\u0308",
  tilde: "\u0303",
  ring: "\u030a",
  cedil: "\u0327",
  caron: "\u030c",
};

const SIGNS = [
  ..."laquo raquo ldquo rdquo bdquo lsquo rsquo sbquo lsaquo rsaquo hellip mdash ndash".split(" "),
  ..."bull middot copy reg trade sect para deg euro pound yen cent larr rarr uarr darr".split(" "),
  ..."times divide iexcl iquest ensp emsp thinsp nbsp lt gt quot apos check star".split(" "),
];

const NAMED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SIGNS.map((name) => [name, " "])),
  ...Object.fromEntries(["shy", "zwnj", "zwj", "lrm", "rlm"].map((name) => [name, ""])),
  ...{ amp: "&", apos: "'", szlig: "ß", AElig: "Æ", aelig: "æ", OElig: "Œ", oelig: "œ" },
  ...{ Oslash: "Ø", oslash: "ø", Lstrok: "Ł", lstrok: "ł", ordf: "ª", ordm: "º" },
};
