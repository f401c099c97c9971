import { stringify } from "smol-toml";
import {
  type ConfigValues,
  isObjectOrArray,
  isPlainObject,
  sameValue,
  unionPattern,
  withMember,
} from "../../../src/mcp-config/json-values.ts";
import { ConfigFileError, parseTomlConfig } from "../../../src/mcp-config/parse/find-servers.ts";
import { escapeToml } from "../../../src/mcp-config/write-json-toml.ts";

type TablePath = readonly [outer: string, name: string];

/**
 * Adds a table at the end, before any final newline. Always puts an empty line before it, so that
 * `removeTomlTable` can restore the exact bytes.
 *
 * @param block the table as TOML, with its subtables.
 * @throws {ConfigFileError} if the file is not TOML, or the outer table is inline.
 */
export function addTomlTable(text: string, path: TablePath, block: string): string {
  const eol = detectLineEnd(text);
  const blockText = block.replaceAll("\n", eol);
  const added = text.endsWith("\n") ? eol + blockText : eol + eol + blockText.replace(/\r?\n$/, "");
  return requireOnlyTomlChange(
    text + added,
    withTable(text, path, getTomlValue(parseTomlConfig(block), path)),
    path,
  );
}

/**
 * Rewrites a table in place, with its comments at the top. All other lines stay.
 *
 * @throws {ConfigFileError} if the file is not TOML, or the table has another syntax.
 */
export function setTomlTable(text: string, path: TablePath, table: ConfigValues): string {
  const [first, ...others] = ownSections(text, path);
  if (!first) throw inlineError(path);
  const [outer, name] = path;
  const comments = [first, ...others].flatMap((section) => section.comments);
  const [header = "", ...lines] = stringify({ [outer]: { [name]: table } }).split("\n");
  const block = escapeToml([header, ...comments, ...lines].join("\n").trimEnd());
  const old = text.slice(first.start, first.end);
  const blockText = block.replaceAll("\n", detectLineEnd(text)) + (/\r?\n$/.exec(old)?.[0] ?? "");
  const rest = removeSections(text, others);
  const edited = rest.slice(0, first.start) + blockText + rest.slice(first.end);
  return requireOnlyTomlChange(edited, withTable(text, path, table), path);
}

/** Removes a table, and the outer table if it becomes empty. */
export function removeTomlTable(text: string, path: TablePath): string {
  const [outer, name] = path;
  const servers = parseTomlConfig(text)[outer];
  if (!isObjectOrArray(servers) || !Object.hasOwn(servers, name)) return text;
  const sections = ownSections(text, path);
  if (sections.length === 0) throw inlineError(path);
  const rest = removeSections(text, sections);
  // The outer table may have no header.
  const isEmpty = Object.keys(Object(parseTomlConfig(rest)[outer])).length === 0;
  const edited = isEmpty ? removeSections(rest, ownSections(rest, [outer])) : rest;
  const without = withTable(text, path, undefined);
  return requireOnlyTomlChange(
    edited,
    isEmpty ? withMember(without, outer, undefined) : without,
    path,
  );
}

/** Removes sections, and an empty line next to each. */
const removeSections = (text: string, sections: readonly TableSection[]): string =>
  sections.reduceRight((rest, section) => {
    const { start, end } = withGap(rest, section);
    const before = rest.slice(0, start);
    // Do not add a final newline.
    const isOpen = end >= rest.length && !rest.endsWith("\n") && start < section.start;
    return (isOpen ? before.replace(/\r?\n$/, "") : before) + rest.slice(end);
  }, text);

const inlineError = ([outer]: TablePath): ConfigFileError =>
  new ConfigFileError(
    `has the server in an inline table; move it to its own table, [${outer}.NAME], first`,
  );

const detectLineEnd = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");

/** Returns the file's values with the table set or removed. */
function withTable(text: string, [outer, name]: TablePath, table: unknown): object {
  const values = parseTomlConfig(text);
  return withMember(values, outer, withMember(values[outer], name, table));
}

const getTomlValue = (values: ConfigValues, [outer, name]: TablePath): unknown => {
  const servers = values[outer];
  return isPlainObject(servers) && Object.hasOwn(servers, name) ? servers[name] : undefined;
};

/** A header and its statements, as whole lines. */
interface TableSection {
  readonly start: number;
  end: number;
  readonly comments: string[];
}

/** The sections of a table and its subtables. */
function ownSections(text: string, table: readonly string[]): readonly TableSection[] {
  const sections: TableSection[] = [];
  /** The open brackets of headers, arrays and inline tables. */
  let depth = 0;
  let isNewLine = true;
  /** Comments that may belong to the next section. */
  let comments: string[] = [];
  for (const { 0: token, index } of text.matchAll(TOML_TOKEN)) {
    if (token === "\n") isNewLine ||= depth === 0;
    else if (token.startsWith("#")) (isNewLine ? comments : sections.at(-1)?.comments)?.push(token);
    else {
      if (isNewLine && token === "[") sections.push({ start: index, end: index, comments: [] });
      else sections.at(-1)?.comments.push(...comments);
      const section = sections.at(-1);
      if (section) section.end = index + token.length;
      comments = [];
      isNewLine = false;
      if (token === "[" || token === "{") depth += 1;
      if (token === "]" || token === "}") depth -= 1;
    }
  }
  const isOwn = ({ start }: TableSection) => {
    const keys = keysOf(text.slice(start, text.indexOf("\n", start) + 1 || text.length));
    return table.every((key, depth) => keys[depth] === key);
  };
  return sections.filter(isOwn).map(({ start, end, comments }) => ({
    start: text.lastIndexOf("\n", start - 1) + 1 || Number(text.startsWith("\ufeff")),
    end: text.indexOf("\n", end) + 1 || text.length,
    comments,
  }));
}

/** TOML tokens, in order of precedence. A bare word may be a date that contains a space. */
const TOML_TOKEN = unionPattern(
  "g",
  /"""(?:[^\\]|\\[\s\S])*?"""+/, // a text of several lines
  /'''[\s\S]*?'''+/,
  /"(?:[^"\\\n]|\\.)*"/, // a text
  /'[^'\n]*'/,
  /#[^\n]*/, // a comment
  /[[\]{}=,\n]/, // a mark
  /(?:[^\s"'#[\]{}=,\ufeff]| (?=\d\d:\d\d))+/, // a bare word
);

/** Parses the keys of a single value, such as a header, with the TOML parser. */
function keysOf(toml: string): string[] {
  const keys: string[] = [];
  let value: unknown = parseTomlConfig(toml);
  for (;;) {
    if (Array.isArray(value)) value = value[0];
    const [key] = isObjectOrArray(value) ? Object.keys(value) : [];
    if (key === undefined || !isObjectOrArray(value)) return keys;
    keys.push(key);
    value = value[key];
  }
}

/** A section and one empty line next to it. */
function withGap(text: string, { start, end }: TableSection) {
  const gap = /\n(\r?\n)$/.exec(text.slice(Math.max(0, start - 3), start))?.[1] ?? "";
  const after = gap === "" ? (/^\r?\n/.exec(text.slice(end, end + 2))?.[0].length ?? 0) : 0;
  return { start: start - gap.length, end: end + after };
}

/** Returns the edited file if it contains only the intended change. */
function requireOnlyTomlChange(text: string, expected: object, path: TablePath): string {
  try {
    if (sameValue(parseTomlConfig(text), expected)) return text;
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    throw inlineError(path);
  }
  throw new ConfigFileError("has a layout that cannot be edited safely");
}
