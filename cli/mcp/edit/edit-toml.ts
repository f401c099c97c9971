import { stringify } from "smol-toml";
import {
  type ConfigValues,
  isObjectOrArray,
  sameValue,
  unionPattern,
  withMember,
} from "../../../src/mcp-config/json-values.ts";
import { ConfigFileError, parseTomlConfig } from "../../../src/mcp-config/parse/find-servers.ts";
import { escapeToml } from "../../../src/mcp-config/write-json-toml.ts";

type TablePath = readonly [outer: string, name: string];

/**
 * Rewrites a table in place, with its comments at the top, or adds it at the end. All other lines stay.
 * Always puts an empty line before a new table, so that `removeTomlTable` can restore the exact bytes.
 *
 * @throws {ConfigFileError} if the file is not TOML, or the server or the outer table is inline.
 */
export function setTomlTable(text: string, path: TablePath, table: ConfigValues): string {
  const [outer, name] = path;
  const [first, ...others] = ownSections(text, path);
  const comments = first ? [first, ...others].flatMap((section) => section.comments) : [];
  const [header = "", ...lines] = stringify({ [outer]: { [name]: table } }).split("\n");
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const block = escapeToml([header, ...comments, ...lines].join("\n").trimEnd());
  const blockText = block.replaceAll("\n", eol);
  const rest = removeSections(text, others);
  const end = /\r?\n$/.exec(first ? text.slice(first.start, first.end) : text)?.[0] ?? "";
  const edited = first
    ? rest.slice(0, first.start) + blockText + end + rest.slice(first.end)
    : text + eol + (end === "" ? eol : "") + blockText + end;
  return requireOnlyTomlChange(edited, withTable(text, path, table), path);
}

/** Removes a table, and the outer table if it becomes empty. */
export function removeTomlTable(text: string, path: TablePath): string {
  const sections = ownSections(text, path);
  if (sections.length === 0) throw inlineError(path);
  const [outer] = path;
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

/** Returns the file's values with the table set or removed. */
function withTable(text: string, [outer, name]: TablePath, table: unknown): object {
  const values = parseTomlConfig(text);
  return withMember(values, outer, withMember(values[outer], name, table));
}

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
