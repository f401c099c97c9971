import { escapeToml, tomlKey, tomlString } from "../../../src/mcp-config/formats.ts";
import { ConfigFileError, parseToml } from "../../../src/mcp-config/read/config-file.ts";
import {
  type ConfigValues,
  isObjectOrArray,
  isPlainObject,
  sameValue,
  withMember,
} from "../../../src/mcp-config/values.ts";
import { scanToml } from "./scan-toml.ts";

type TablePath = readonly [outer: string, name: string];

/**
 * The text with a table added at the end, before a last newline if there is one. An empty line is
 * always put before it, so that `removeTomlTable` can give the bytes back.
 *
 * @param block the table as TOML, with the tables below it.
 * @throws {ConfigFileError} for a text that is not TOML, or that has the outer table inline.
 */
export function addTomlTable(text: string, [outer, name]: TablePath, block: string): string {
  const before = parseToml(text);
  const eol = detectLineEnd(text);
  const written = block.replaceAll("\n", eol);
  const table = valueAt(parseToml(block), [outer, name]);
  const expected = withMember(before, outer, withMember(before[outer], name, table));
  const added = /\n$/.test(text) ? eol + written : eol + eol + written.replace(/\r?\n$/, "");
  return checked(text + added, expected, outer);
}

/**
 * The text with other values in a table. What is equal stays as it is, and so do comments and
 * the order.
 *
 * @throws {ConfigFileError} for a text that is not TOML, or that has the table in another form.
 */
export function setTomlTable(text: string, [outer, name]: TablePath, table: ConfigValues): string {
  const before = parseToml(text);
  const old = valueAt(before, [outer, name]);
  const sections = ownSections(text, [outer, name]);
  if (sections.length === 0 || !isPlainObject(old)) throw inlineError(outer);
  const isKept = (field = "") => sameValue(old[field], table[field]);
  const edits = additions(text, [outer, name], sections, old, table);
  for (const section of sections) {
    const { path, start, end, bodyStart, statements } = section;
    if (path.length > 0 && isKept(path[0])) continue;
    if (valueAt(table, path) === undefined) {
      const isBare = !/^[ \t]*#/m.test(text.slice(start, end));
      edits.push(isBare ? gapAndSection(text, section) : wholeLine(text, start, bodyStart));
      if (isBare) continue;
    }
    for (const { path: keys, start, valueStart, end } of statements) {
      if (isKept(keys[0])) continue;
      const value = valueAt(table, keys);
      if (value === undefined) edits.push(wholeLine(text, start, end));
      else if (!sameValue(valueAt(old, keys), value)) {
        edits.push({ start: valueStart, end, text: escapeToml(writeValue(value)) });
      }
    }
  }
  let edited = "";
  let end = 0;
  for (const edit of edits.sort((one, other) => one.start - other.start || one.end - other.end)) {
    edited += text.slice(end, edit.start) + edit.text;
    end = edit.end;
  }
  edited += text.slice(end);
  return checked(edited, withMember(before, outer, withMember(before[outer], name, table)), outer);
}

export function removeTomlTable(text: string, [outer, name]: TablePath): string {
  const before = parseToml(text);
  const servers = before[outer];
  if (!isObjectOrArray(servers) || !Object.hasOwn(servers, name)) return text;
  const sections = ownSections(text, [outer, name]);
  if (sections.length === 0) throw inlineError(outer);
  const edited = sections.reduceRight((rest, section) => cut(rest, section), text);
  const without = withMember(servers, name, undefined);
  const isGone = Object.keys(without).length === 0 && !isObjectOrArray(parseToml(edited)[outer]);
  return checked(edited, withMember(before, outer, isGone ? undefined : without), outer);
}

const inlineError = (outer: string): ConfigFileError =>
  new ConfigFileError(
    `has the server written inline; give it a table of its own, [${outer}.NAME], first`,
  );

const detectLineEnd = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");

/** The value that the keys lead to; undefined without one of them. */
function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (inner: unknown, key) =>
      isPlainObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined,
    value,
  );
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Removes a part of a line, and the line where nothing else is on it. */
function wholeLine(text: string, start: number, end: number): Edit {
  const lineStart = Math.max(text.lastIndexOf("\n", start - 1) + 1, byteOrderMarkLength(text));
  const next = nextLine(text, end);
  const isAlone = text.slice(end, next).trim() === "";
  return isAlone ? { start: lineStart, end: next, text: "" } : { start, end, text: "" };
}

/** Removes a section and one empty line next to it. */
function gapAndSection(text: string, { start, end }: Pick<Section, "start" | "end">): Edit {
  const gap = /\n(\r?\n)$/.exec(text.slice(Math.max(0, start - 3), start))?.[1] ?? "";
  const after = gap === "" ? (/^\r?\n/.exec(text.slice(end, end + 2))?.[0].length ?? 0) : 0;
  return { start: start - gap.length, end: end + after, text: "" };
}

/** New members, each where the others of its table are. */
function additions(
  text: string,
  path: TablePath,
  sections: readonly Section[],
  old: ConfigValues,
  table: ConfigValues,
): Edit[] {
  const eol = detectLineEnd(text);
  const header = escapeToml(path.map(tomlKey).join("."));
  const lines = new Map<number, string>();
  const add = (offset: number, line: string) => lines.set(offset, (lines.get(offset) ?? "") + line);
  const main = sections.find((section) => section.path.length === 0);
  const [first = { start: text.length, end: text.length }] = sections;
  // A table without a header, which exists by the tables below it, gets one before them.
  const start = main?.end ?? gapAndSection(text, first).start;
  const gap = main || start === first.start ? "" : eol;
  let fields = main ? "" : `${gap}[${header}]${eol}`;
  let tables = "";
  for (const [field, value] of Object.entries(table)) {
    const before = old[field];
    if (before === undefined && isPlainObject(value)) {
      tables += `${eol}[${header}.${field}]${eol}`;
      for (const [name, member] of Object.entries(value)) tables += writeLine(name, member, eol);
    } else if (before === undefined) fields += writeLine(field, value, eol);
    else if (isPlainObject(before) && isPlainObject(value) && !isInline(sections, field)) {
      const own = sections.find(({ path: [key, ...rest] }) => key === field && rest.length === 0);
      for (const [name, member] of Object.entries(value)) {
        if (Object.hasOwn(before, name)) continue;
        if (own) add(own.end, writeLine(name, member, eol));
        else fields += `${field}.${writeLine(name, member, eol)}`;
      }
    }
  }
  add(start, fields + tables + (main || gap !== "" ? "" : eol));
  return Array.from(lines, ([offset, added]) => {
    const isOpen = added !== "" && text.length === offset && !text.endsWith("\n");
    const written = isOpen ? eol + added.replace(/\r?\n$/, "") : added;
    return { start: offset, end: offset, text: written };
  });
}

const writeLine = (key: string, value: unknown, eol: string): string =>
  escapeToml(`${tomlKey(key)} = ${writeValue(value)}`) + eol;

const isInline = (sections: readonly Section[], field: string): boolean =>
  sections.some(({ statements }) =>
    statements.some(({ path: [key, ...rest] }) => key === field && rest.length === 0),
  );

/** @throws {ConfigFileError} for a date or a float, whose spelling a parsed value does not keep. */
function writeValue(value: unknown): string {
  if (typeof value === "string") return tomlString(value);
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[ ${value.map(writeValue).join(", ")} ]`;
  if (!isPlainObject(value) || value instanceof Date) throw unsafeError();
  const members = Object.entries(value).map(
    ([key, item]) => `${tomlKey(key)} = ${writeValue(item)}`,
  );
  return `{ ${members.join(", ")} }`;
}

interface Section {
  /** The keys below those of the table that it belongs to. */
  readonly path: readonly string[];
  readonly start: number;
  /** The end of its header. */
  readonly bodyStart: number;
  /** The end of the last line that is not blank or a comment. */
  readonly end: number;
  readonly statements: readonly PlacedStatement[];
}

interface PlacedStatement {
  /** The keys below those of the table. */
  readonly path: readonly string[];
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** The sections of a table and of the tables below it. */
function ownSections(text: string, table: TablePath): Section[] {
  const { headers, statements } = scanToml(text);
  let next = 0;
  return headers.flatMap((header, index): Section[] => {
    const limit = headers[index + 1]?.start ?? text.length;
    while ((statements[next]?.start ?? limit) < header.start) next += 1;
    const first = next;
    while ((statements[next]?.start ?? limit) < limit) next += 1;
    const path = parseKeys(text.slice(header.start, header.end));
    if (!table.every((key, depth) => path[depth] === key)) return [];
    const below = path.slice(table.length);
    const own = statements.slice(first, next).map(({ start, equals, end }) => ({
      path: [...below, ...parseKeys(`${text.slice(start, equals)} = 0`)],
      start,
      valueStart: end - text.slice(equals + 1, end).trimStart().length,
      end,
    }));
    return [
      {
        path: below,
        start: Math.max(byteOrderMarkLength(text), text.lastIndexOf("\n", header.start - 1) + 1),
        bodyStart: header.end,
        end: nextLine(text, own.at(-1)?.end ?? header.end),
        statements: own,
      },
    ];
  });
}

/** The length of a byte order mark. */
const byteOrderMarkLength = (text: string): number => (text.startsWith("\ufeff") ? 1 : 0);

const nextLine = (text: string, from: number): number => {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end + 1;
};

/** The keys of a header or a statement, as the TOML parser reads them. */
function parseKeys(toml: string): string[] {
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

/** The text without the section; a text without a last newline stays without one. */
function cut(text: string, section: Section): string {
  const { start, end } = gapAndSection(text, section);
  const before = text.slice(0, start);
  const isOpen = end >= text.length && !text.endsWith("\n") && start < section.start;
  return (isOpen ? before.replace(/\r?\n$/, "") : before) + text.slice(end);
}

const unsafeError = (): ConfigFileError =>
  new ConfigFileError("is written in a way that cannot be edited safely");

/** The edited text, if nothing but the intended change is in it. */
function checked(text: string, expected: unknown, outer: string): string {
  try {
    if (sameValue(parseToml(text), expected)) return text;
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    throw inlineError(outer);
  }
  throw unsafeError();
}
