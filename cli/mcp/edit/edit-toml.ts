import { escapeToml, tomlKey, tomlString } from "../../../src/mcp-config/formats.ts";
import { ConfigFileError, parseToml } from "../../../src/mcp-config/read/config-file.ts";
import {
  type ConfigValues,
  isObjectOrArray,
  isPlainObject,
  sameValue,
  withMember,
} from "../../../src/mcp-config/values.ts";

type TablePath = readonly [outer: string, name: string];

/**
 * The text with a table added at the end, before a last newline if there is one. An empty line is
 * always put before it, so that `removeTomlTable` can give the bytes back.
 *
 * @param block the table as TOML, with the tables below it.
 * @throws {ConfigFileError} for a text that is not TOML, or that has the outer table inline.
 */
export function addTomlTable(text: string, path: TablePath, block: string): string {
  const eol = detectLineEnd(text);
  const written = block.replaceAll("\n", eol);
  const added = text.endsWith("\n") ? eol + written : eol + eol + written.replace(/\r?\n$/, "");
  return checked(text + added, withTable(text, path, valueAt(parseToml(block), path)), path);
}

/**
 * The text with other values in a table, the new ones first. The lines of all others stay, and so do
 * comments on lines of their own.
 *
 * @throws {ConfigFileError} for a text that is not TOML, or that has the table in another form.
 */
export function setTomlTable(text: string, path: TablePath, table: ConfigValues): string {
  const sections = ownSections(text, path);
  const old = valueAt(parseToml(text), path);
  if (sections.length === 0 || !isPlainObject(old)) throw inlineError(path);
  const isKept = ([field = ""]: readonly string[]) => sameValue(old[field], table[field]);
  const edits = sections.flatMap((section): Edit[] => {
    const { keys, start, end, bodyStart, statements } = section;
    if (keys.length === 0) return statements.filter((statement) => !isKept(statement.keys));
    if (isKept(keys)) return [];
    const hasComments = /^[ \t]*#/m.test(text.slice(start, end));
    return hasComments ? [{ start, end: bodyStart }, ...statements] : [withGap(text, section)];
  });
  const main = sections.find(({ keys }) => keys.length === 0);
  const start = main?.bodyStart ?? text.length;
  const lines = Object.entries(table).flatMap(([field, value]) => {
    if (isKept([field])) return [];
    if (!isPlainObject(value)) return [writeLine([field], value)];
    return Object.entries(value).map(([name, item]) => writeLine([field, name], item));
  });
  const isOpen = start === text.length && !text.endsWith("\n");
  const before = [
    ...(isOpen ? [""] : []),
    ...(main ? [] : ["", `[${path.map(tomlKey).join(".")}]`]),
  ];
  const eol = detectLineEnd(text);
  const added = [...before, ...lines].map((line) => escapeToml(line) + eol).join("");
  const edited = [...edits, { start, end: start, text: added }]
    .sort((one, other) => other.start - one.start || other.end - one.end)
    .reduce(
      (rest, edit) => rest.slice(0, edit.start) + (edit.text ?? "") + rest.slice(edit.end),
      text,
    );
  return checked(edited, withTable(text, path, table), path);
}

export function removeTomlTable(text: string, path: TablePath): string {
  const [outer, name] = path;
  const servers = parseToml(text)[outer];
  if (!isObjectOrArray(servers) || !Object.hasOwn(servers, name)) return text;
  const sections = ownSections(text, path);
  if (sections.length === 0) throw inlineError(path);
  const edited = sections.reduceRight((rest, section) => {
    const { start, end } = withGap(rest, section);
    const before = rest.slice(0, start);
    // A text without a last newline stays without one.
    const isOpen = end >= rest.length && !rest.endsWith("\n") && start < section.start;
    return (isOpen ? before.replace(/\r?\n$/, "") : before) + rest.slice(end);
  }, text);
  const without = withTable(text, path, undefined);
  const isGone = !isObjectOrArray(parseToml(edited)[outer]);
  return checked(edited, isGone ? withMember(without, outer, undefined) : without, path);
}

const inlineError = ([outer]: TablePath): ConfigFileError =>
  new ConfigFileError(
    `has the server written inline; give it a table of its own, [${outer}.NAME], first`,
  );

const detectLineEnd = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");

/** The values of a text with another table in it, or without the table. */
function withTable(text: string, [outer, name]: TablePath, table: unknown): object {
  const values = parseToml(text);
  return withMember(values, outer, withMember(values[outer], name, table));
}

const valueAt = (values: ConfigValues, [outer, name]: TablePath): unknown => {
  const servers = values[outer];
  return isPlainObject(servers) && Object.hasOwn(servers, name) ? servers[name] : undefined;
};

/** A part of the text to be replaced; it goes without a text in its place. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text?: string;
}

const writeLine = (keys: readonly string[], value: unknown): string =>
  `${keys.map(tomlKey).join(".")} = ${writeValue(value)}`;

/** A value on one line. What comes out as another value is found by `checked`. */
function writeValue(value: unknown): string {
  if (typeof value === "string") return tomlString(value);
  if (Array.isArray(value)) return `[ ${value.map(writeValue).join(", ")} ]`;
  if (value instanceof Date) return value.toISOString();
  if (!isPlainObject(value)) return String(value);
  return `{ ${Object.entries(value)
    .map(([key, item]) => writeLine([key], item))
    .join(", ")} }`;
}

/** A header with its statements, all with the whole lines on which they stand. */
interface Section {
  /** The keys below those of the table that it belongs to. */
  readonly keys: readonly string[];
  readonly start: number;
  end: number;
  /** The end of its header's line. */
  readonly bodyStart: number;
  readonly statements: (Edit & Pick<Section, "keys">)[];
}

/** The sections of a table and of the tables below it. */
function ownSections(text: string, table: TablePath): Section[] {
  const sections: Section[] = [];
  for (const { isHeader, start, equals, end } of scanToml(text)) {
    const keys = keysOf(isHeader ? text.slice(start, end) : `${text.slice(start, equals)} = 0`);
    const next = text.indexOf("\n", end) + 1 || text.length;
    const lineStart = text.lastIndexOf("\n", start - 1) + 1;
    const line = { keys, end: next, start: lineStart || Number(text.startsWith("\ufeff")) };
    const section = sections.at(-1);
    if (isHeader) sections.push({ ...line, bodyStart: next, statements: [] });
    else if (section) {
      section.statements.push({ ...line, keys: [...section.keys, ...keys] });
      section.end = next;
    }
  }
  const below = ({ keys }: Pick<Section, "keys">) => keys.slice(table.length);
  return sections
    .filter(({ keys }) => table.every((key, depth) => keys[depth] === key))
    .map((section) => ({
      ...{ ...section, keys: below(section) },
      statements: section.statements.map((one) => ({ ...one, keys: below(one) })),
    }));
}

/** The headers and the statements `key = value` of a text that is TOML. */
function scanToml(text: string) {
  const parts: { isHeader: boolean; start: number; equals: number; end: number }[] = [];
  /** The brackets that are open here, of headers, arrays and inline tables. */
  let depth = 0;
  let isNew = true;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "\n" && depth === 0) isNew = true;
    if (token === "\n" || token.startsWith("#")) continue;
    if (isNew) parts.push({ isHeader: token === "[", start: index, equals: 0, end: 0 });
    isNew = false;
    const part = parts.at(-1);
    if (part && token === "=" && depth === 0) part.equals = index;
    if (part) part.end = index + token.length;
    if (token === "[" || token === "{") depth += 1;
    if (token === "]" || token === "}") depth -= 1;
  }
  return parts;
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
function keysOf(toml: string): string[] {
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

/** A section with one empty line next to it. */
function withGap(text: string, { start, end }: Edit): Edit {
  const gap = /\n(\r?\n)$/.exec(text.slice(Math.max(0, start - 3), start))?.[1] ?? "";
  const after = gap === "" ? (/^\r?\n/.exec(text.slice(end, end + 2))?.[0].length ?? 0) : 0;
  return { start: start - gap.length, end: end + after };
}

/** The edited text, if nothing but the intended change is in it. */
function checked(text: string, expected: object, path: TablePath): string {
  try {
    if (sameValue(parseToml(text), expected)) return text;
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    throw inlineError(path);
  }
  throw new ConfigFileError("is written in a way that cannot be edited safely");
}
