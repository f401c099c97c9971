import { ConfigFileError, type ConfigValues, parseToml } from "../read/config-file.ts";
import { isObject, sameValue, withMember } from "../values.ts";
import { scanToml } from "./scan-toml.ts";

/**
 * The text with a table in place of the one of that name, or at the end.
 *
 * @param path the outer table, and the inner one's name.
 * @param block the table as TOML, with the tables below it.
 * @throws {ConfigFileError} for a text that is not TOML, or that has the table in another form.
 */
export function setTomlTable(
  text: string,
  [outer, name]: readonly [string, string],
  block: string,
): string {
  const before = parseToml(text);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const written = block.replaceAll("\n", eol);
  const servers = before[outer];
  const table = tableOf(parseToml(block), outer, name);
  const expected = withMember(before, outer, withMember(servers, name, table));
  if (!isObject(servers) || !Object.hasOwn(servers, name)) {
    const gap = text.trim() === "" || /\n\r?\n$/.test(text) ? "" : eol;
    const end = text === "" || text.endsWith("\n") ? "" : eol;
    return checked(text + end + gap + written, expected, outer);
  }
  const [first, ...others] = ownSections(text, [outer, name]);
  if (!first) throw inline(outer);
  const rest = others.reduceRight((edited, section) => cut(edited, section), text);
  return checked(rest.slice(0, first.start) + written + rest.slice(first.end), expected, outer);
}

export function removeTomlTable(text: string, [outer, name]: readonly [string, string]): string {
  const before = parseToml(text);
  const servers = before[outer];
  if (!isObject(servers) || !Object.hasOwn(servers, name)) return text;
  const sections = ownSections(text, [outer, name]);
  if (sections.length === 0) throw inline(outer);
  const edited = sections.reduceRight((rest, section) => cut(rest, section), text);
  const without = withMember(servers, name, undefined);
  const isGone = Object.keys(without).length === 0 && !isObject(parseToml(edited)[outer]);
  return checked(edited, withMember(before, outer, isGone ? undefined : without), outer);
}

function tableOf(root: ConfigValues, outer: string, name: string): unknown {
  const tables = root[outer];
  return isObject(tables) ? tables[name] : undefined;
}

const inline = (outer: string): ConfigFileError =>
  new ConfigFileError(
    `has the server written inline; give it a table of its own, [${outer}.NAME], first`,
  );

interface Section {
  readonly path: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** The sections of a table and of the tables below it. */
const ownSections = (text: string, path: readonly string[]): Section[] =>
  sectionsOf(text).filter((section) => path.every((key, depth) => section.path[depth] === key));

/** The sections of a text, each from its header to the last line that is not a comment. */
function sectionsOf(text: string): Section[] {
  const headers = headerOffsets(text);
  return headers.map((start, index) => {
    const next = headers[index + 1] ?? text.length;
    const body = text
      .slice(start, next)
      .replace(/(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*(?:#[^\n]*)?$/, "");
    const eol = /^[^\n]*\r?\n/.exec(text.slice(start + body.length))?.[0].length ?? 0;
    return { path: headerPath(text.slice(start)), start, end: start + body.length + eol };
  });
}

const headerOffsets = (text: string): number[] =>
  scanToml(text).headers.map((offset) =>
    Math.max(text.startsWith("\ufeff") ? 1 : 0, text.lastIndexOf("\n", offset - 1) + 1),
  );

/** The keys of a header, as the TOML parser reads them. */
function headerPath(text: string): string[] {
  const keys: string[] = [];
  const header = /^[^\r\n]*/.exec(text)?.[0] ?? "";
  let value: unknown = parseToml(header);
  for (;;) {
    if (Array.isArray(value)) value = value[0];
    const [key] = isObject(value) ? Object.keys(value) : [];
    if (key === undefined || !isObject(value)) return keys;
    keys.push(key);
    value = value[key];
  }
}

/** Removes the section and one empty line next to it. */
function cut(text: string, { start, end }: Section): string {
  const before = text.slice(0, start);
  const after = text.slice(end);
  const shorter = before.replace(/(\n)\r?\n$/, "$1");
  return shorter === before ? before + after.replace(/^\r?\n/, "") : shorter + after;
}

/** The edited text, if nothing but the intended change is in it. */
function checked(text: string, expected: unknown, outer: string): string {
  try {
    if (sameValue(parseToml(text), expected)) return text;
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    throw inline(outer);
  }
  throw new ConfigFileError("is written in a way that cannot be edited safely");
}
