/** A value in a text: a string, a number, a date or a boolean. */
export interface Literal {
  readonly offset: number;
  readonly length: number;
}

/** The offsets of headers and the values in a text that is TOML, both in the order of the text. */
export function scanToml(text: string): { headers: number[]; values: Literal[] } {
  const headers: number[] = [];
  const values: Literal[] = [];
  /** The brackets of the arrays and the inline tables around the place. */
  const open: string[] = [];
  let isHeader = false;
  let isValue = false;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "\n" && open.length === 0) {
      isHeader = false;
      isValue = false;
    }
    if (isHeader || token === "\n" || token.startsWith("#")) continue;
    if (token === "=") isValue = true;
    else if (token === ",") isValue = open.at(-1) === "[";
    else if (token === "[" && !isValue) {
      headers.push(index);
      isHeader = true;
    } else if (token === "[" || token === "{") {
      open.push(token);
      isValue = token === "[";
    } else if (token === "]" || token === "}") {
      open.pop();
      isValue = false;
    } else if (isValue) {
      values.push({ offset: index, length: token.length });
      isValue = false;
    }
  }
  return { headers, values };
}

/** A string, a comment, a mark, or a bare word, of which a date may have a space. */
const TOKEN =
  /"""(?:[^\\]|\\[\s\S])*?"""+|'''[\s\S]*?'''+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[\]{}=,\n]|(?:[^\s"'#[\]{}=,\ufeff]| (?=\d\d:\d\d))+/g;
