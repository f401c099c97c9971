import { visibleBytes } from "./visible-bytes.ts";

/** The visible text of HTML; `isCut` when some of it could not be read. */
export interface HtmlText {
  readonly text: string;
  readonly isCut: boolean;
}

/** Reads HTML in a charset that has ASCII in it. */
export function htmlText(html: Uint8Array, decoder: TextDecoder): HtmlText {
  let isCut = false;
  const text = decoder.decode(visibleBytes(html)).replace(ENTITY, (written, decimal, hex, name) => {
    const decoded = name ? named(name) : character(Number(decimal ?? `0x${hex}`));
    isCut ||= decoded === undefined;
    return decoded ?? written;
  });
  return { text, isCut };
}

/** The same of HTML that is a string already. */
export const htmlTextOf = (html: string): HtmlText =>
  htmlText(new TextEncoder().encode(html), new TextDecoder());

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));?/gi;

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
