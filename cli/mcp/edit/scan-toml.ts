/** A value in a text: a string, a number, a date or a boolean. */
export interface Literal {
  readonly offset: number;
  readonly length: number;
}

/** A key and its value, at the offsets of the key, the `=` and the end of the value. */
export interface Statement {
  readonly start: number;
  equals: number;
  end: number;
}

interface Header {
  readonly start: number;
  end: number;
}

/** The headers, the statements and the values in a text that is TOML, in the order of the text. */
export function scanToml(text: string): {
  headers: Header[];
  statements: Statement[];
  values: Literal[];
} {
  const headers: Header[] = [];
  let header: Header | undefined;
  const statements: Statement[] = [];
  const values: Literal[] = [];
  let statement: Statement | undefined;
  /** The brackets that are open here, of arrays and inline tables. */
  const open: string[] = [];
  let isValue = false;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "\n" && open.length === 0) {
      header = undefined;
      isValue = false;
      statement = undefined;
    }
    if (token === "\n" || token.startsWith("#")) continue;
    if (header) {
      header.end = index + token.length;
      continue;
    }
    if (!statement && token !== "[") {
      statement = { start: index, equals: index, end: index };
      statements.push(statement);
    }
    if (statement) statement.end = index + token.length;
    if (token === "=" && statement && open.length === 0) statement.equals = index;
    if (token === "=") isValue = true;
    else if (token === ",") isValue = open.at(-1) === "[";
    else if (token === "[" && !isValue) {
      header = { start: index, end: index };
      headers.push(header);
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
  return { headers, statements, values };
}

/** A string, a comment, a mark, or a bare word; a date may have a space in it. */
const TOKEN =
  /"""(?:[^\\]|\\[\s\S])*?"""+|'''[\s\S]*?'''+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[\]{}=,\n]|(?:[^\s"'#[\]{}=,\ufeff]| (?=\d\d:\d\d))+/g;
