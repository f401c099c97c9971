import { parseToml } from "../../../src/mcp-config/read/config-file.ts";
import { isObjectOrArray } from "../../../src/mcp-config/values.ts";

/** A part of a text that is TOML. */
interface Span {
  readonly start: number;
  end: number;
}

/** A header, and the statements `key = value` below it. */
interface TomlSection extends Span {
  readonly statements: (Span & { equals: number })[];
}

/** The sections of a text that is TOML, first the one without a header. */
export function scanToml(text: string): TomlSection[] {
  const sections: TomlSection[] = [];
  const open = (start: number): TomlSection => {
    const section = { start, end: start, statements: [] };
    sections.push(section);
    return section;
  };
  let { statements } = open(0);
  let current: Span | undefined;
  /** The brackets that are open here, of headers, arrays and inline tables. */
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "\n" && depth === 0) current = undefined;
    if (token === "\n" || token.startsWith("#")) continue;
    if (!current && token === "[") {
      const section = open(index);
      statements = section.statements;
      current = section;
    } else if (!current) {
      const statement = { start: index, equals: 0, end: index };
      statements.push(statement);
      current = statement;
    }
    const statement = statements.at(-1);
    if (token === "=" && depth === 0 && statement) statement.equals = index;
    current.end = index + token.length;
    if (token === "[" || token === "{") depth += 1;
    if (token === "]" || token === "}") depth -= 1;
  }
  return sections;
}

/** What a text is made of, in the order in which it is tried. A bare word may be a date with a space in it. */
const TOKENS = [
  /"""(?:[^\\]|\\[\s\S])*?"""+/, // a text of several lines
  /'''[\s\S]*?'''+/,
  /"(?:[^"\\\n]|\\.)*"/, // a text
  /'[^'\n]*'/,
  /#[^\n]*/, // a comment
  /[[\]{}=,\n]/, // a mark
  /(?:[^\s"'#[\]{}=,\ufeff]| (?=\d\d:\d\d))+/, // a bare word
];
const TOKEN = new RegExp(TOKENS.map(({ source }) => source).join("|"), "g");

/** The keys that lead to the one value in a text, such as a header, as the TOML parser reads them. */
export function keysOf(toml: string): string[] {
  const keys: string[] = [];
  let value: unknown = parseToml(toml);
  for (;;) {
    if (Array.isArray(value)) value = value[0];
    const [key] = isObjectOrArray(value) ? Object.keys(value) : [];
    if (key === undefined || !isObjectOrArray(value)) return keys;
    keys.push(key);
    value = value[key];
  }
}
