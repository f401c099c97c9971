import { GREATER, HYPHEN } from "./lines.ts";

/**
 * HTML without its tags, comments, scripts and styles, and with a space where a word ends at a tag.
 * Bytes beyond ASCII are those of any charset that has ASCII in it.
 *
 * @returns bytes that are overwritten by the next call.
 */
export function visibleBytes(html: Uint8Array): Uint8Array {
  if (visible.length < html.length) visible = new Uint8Array(html.length);
  let length = 0;
  let at = 0;
  while (at < html.length) {
    const byte = html[at] ?? 0;
    const isTag = byte === LESS && IN_NAME[html[nameStart(html, at)] ?? 0] === LETTER;
    const end = isTag ? tagEnd(html, at + 2) : 0;
    if (end > 0) {
      const name = nameAt(html, nameStart(html, at));
      if (!INLINE.has(name)) {
        visible[length] = SPACE;
        length += 1;
      }
      const isCode = html[at + 1] !== SLASH && WITH_CODE.has(name);
      at = isCode ? codeEnd(html, end, name) : end;
    } else if (byte === LESS && isCommentStart(html, at)) {
      at = commentEnd(html, at + 4);
    } else {
      visible[length] = byte;
      length += 1;
      at += 1;
    }
  }
  return visible.subarray(0, length);
}

/** One buffer serves all mails, which are read one after the other. */
let visible = new Uint8Array(65_536);

const [SPACE, EXCLAMATION, QUOTE, APOSTROPHE, SLASH, LESS] = [32, 33, 34, 39, 47, 60];

const [LETTER, DIGIT] = [1, 2];

const IN_NAME = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[a-z]/i.test(character) ? LETTER : /\d/.test(character) ? DIGIT : 0;
});

const nameStart = (html: Uint8Array, tag: number): number =>
  tag + (html[tag + 1] === SLASH ? 2 : 1);

/** The name of an element as a number, which is made faster than a string. */
function nameAt(html: Uint8Array, start: number): number {
  let name = 0;
  for (let at = start; IN_NAME[html[at] ?? 0] !== 0; at += 1) {
    name = name * 256 + ((html[at] ?? 0) | LOWER_CASE);
  }
  return name;
}

/** The bit that letters have in lower case, and digits always. */
const LOWER_CASE = 32;

const namesOf = (names: string): ReadonlySet<number> =>
  new Set(names.split(" ").map((name) => nameAt(new TextEncoder().encode(name), 0)));

/** Elements that begin no new word. */
const INLINE = namesOf("a b big em font i mark s small span strike strong sub sup tt u wbr");

/** Elements whose text is not shown in the mail. */
const WITH_CODE = namesOf("style script title");

/** The place after a tag; 0 for a text that looks like one. */
function tagEnd(html: Uint8Array, start: number): number {
  for (let at = start; at < html.length; at += 1) {
    const byte = html[at];
    if (byte === GREATER) return at + 1;
    if (byte === LESS) return 0;
    if (byte === QUOTE || byte === APOSTROPHE) {
      const end = html.indexOf(byte, at + 1);
      if (end < 0) return 0;
      at = end;
    }
  }
  return 0;
}

const isCommentStart = (html: Uint8Array, at: number): boolean =>
  html[at + 1] === EXCLAMATION && html[at + 2] === HYPHEN && html[at + 3] === HYPHEN;

function commentEnd(html: Uint8Array, start: number): number {
  for (let at = html.indexOf(GREATER, start + 2); at >= 0; at = html.indexOf(GREATER, at + 1)) {
    if (html[at - 1] === HYPHEN && html[at - 2] === HYPHEN) return at + 1;
  }
  return html.length;
}

/** The place after the end tag of an element. */
function codeEnd(html: Uint8Array, start: number, name: number): number {
  for (let at = html.indexOf(LESS, start); at >= 0; at = html.indexOf(LESS, at + 1)) {
    if (html[at + 1] === SLASH && nameAt(html, at + 2) === name) {
      const end = html.indexOf(GREATER, at);
      return end < 0 ? html.length : end + 1;
    }
  }
  return html.length;
}
