import { findNodeAtLocation, getNodeValue, type Node } from "jsonc-parser";
import { skipComments } from "../../../src/json-tree.ts";
import { type Dialect, JSONC } from "../../../src/mcp-config/client-definition.ts";
import {
  type ConfigValues,
  isObjectOrArray,
  isPlainObject,
  sameValue,
  withMember,
} from "../../../src/mcp-config/json-values.ts";
import { ConfigFileError, parseJsonConfig } from "../../../src/mcp-config/parse/find-servers.ts";
import { showInvisible, toVisibleJsonString } from "../../../src/mcp-config/write-json-toml.ts";

/**
 * Edits JSON so that it has this value. Only parts that differ change: comments, order and layout stay.
 *
 * @throws {ConfigFileError} if the client could not read the file before or after the edit.
 */
export function editJson(text: string, dialect: Dialect, value: unknown): string {
  parseJsonConfig(text, dialect);
  const edited = setNode(text, [], value);
  if (sameValue(parseJsonConfig(edited, dialect).value, value)) return edited;
  throw new ConfigFileError("has a layout that cannot be edited safely");
}

/** Removes a member, and the objects and lists that become empty, unless they contain a comment. */
export function removeJsonMember(text: string, dialect: Dialect, path: readonly string[]): string {
  const { value } = parseJsonConfig(text, dialect);
  const edited = editJson(text, dialect, withMemberAt(value, path, undefined));
  return removeIfEmpty(edited, dialect, path.slice(0, -1));
}

/** Removes an empty object or list, unless it is the root or contains a comment. */
export function removeIfEmpty(text: string, dialect: Dialect, path: readonly string[]): string {
  const { offset, length } = findNode(text, path) ?? { offset: 0, length: 0 };
  const isEmpty = /^[{[]\s*[}\]]$/.test(text.slice(offset, offset + length));
  return isEmpty && path.length > 0 ? removeJsonMember(text, dialect, path) : text;
}

/** Sets or removes a member of nested objects. Missing objects are created. */
export function withMemberAt(object: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const old = isObjectOrArray(object) && Object.hasOwn(object, key) ? object[key] : undefined;
  return withMember(object, key, withMemberAt(old, rest, value));
}

const findNode = (text: string, path: readonly string[]): Node | undefined =>
  findNodeAtLocation(parseJsonConfig(text, JSONC).node, [...path]);

/** Sets the value at a path that exists. */
function setNode(text: string, path: readonly string[], value: unknown): string {
  const node = findNode(text, path);
  const old: unknown = node && getNodeValue(node);
  if (!node || sameValue(old, value)) return text;
  if (isPlainObject(old) && isPlainObject(value)) return setMembers(text, path, old, value);
  if (isListOfObjects(old) && isListOfObjects(value)) return setItems(text, path, old, value);
  const valueText = writeValue(value, detectLayout(text), indentAt(text, node.offset));
  return splice(text, node.offset, node.length, valueText);
}

const isListOfObjects = (value: unknown): value is readonly object[] =>
  Array.isArray(value) && value.every(isPlainObject);

function setMembers(
  text: string,
  path: readonly string[],
  old: ConfigValues,
  value: ConfigValues,
): string {
  let edited = text;
  for (const name of Object.keys(old)) {
    const isChanged = Object.hasOwn(value, name) && !sameValue(old[name], value[name]);
    if (isChanged) edited = setNode(edited, [...path, name], value[name]);
  }
  edited = removeChildren(edited, path, ({ children: [key] = [] }) => {
    return !Object.hasOwn(value, String(key?.value));
  });
  const added = Object.entries(value).filter(([name]) => !Object.hasOwn(old, name));
  const members = added.map(
    ([name, member]) => [`${toVisibleJsonString(name)}: `, member] as const,
  );
  return append(edited, path, members);
}

function setItems(
  text: string,
  path: readonly string[],
  old: readonly object[],
  items: readonly object[],
): string {
  const isIn = (list: readonly object[], item: unknown) =>
    list.some((other) => sameValue(other, item));
  const edited = removeChildren(text, path, (child) => !isIn(items, getNodeValue(child)));
  const added = items.filter((item) => !isIn(old, item));
  return append(
    edited,
    path,
    added.map((item) => ["", item]),
  );
}

function removeChildren(
  text: string,
  path: readonly string[],
  isRemoved: (child: Node) => boolean,
): string {
  const node = findNode(text, path);
  const child = node?.children?.findLast(isRemoved);
  return node && child ? removeChildren(removeNode(text, node, child), path, isRemoved) : text;
}

/** Appends children, with commas in the file's style. */
function append(
  text: string,
  path: readonly string[],
  added: readonly (readonly [start: string, value: unknown])[],
): string {
  const parent = findNode(text, path);
  if (!parent || added.length === 0) return text;
  const layout = detectLayout(text);
  const close = parent.offset + parent.length - 1;
  const outer = indentAt(text, parent.offset);
  const last = parent.children?.at(-1);
  const inside = text.slice(parent.offset + 1, close);
  const end = parent.offset + 1 + inside.trimEnd().length;
  const isBlank = !last && !inside.includes("\n");
  const inner = last && startsLine(text, last) ? indentAt(text, last.offset) : outer + layout.unit;
  const closing = isBlank ? layout.eol + outer : "";
  const comma = last && commaAfter(text, last.offset + last.length, close);
  const isTrailing = comma !== undefined;
  const children = added.map(([start, value]) => start + writeValue(value, layout, inner));
  const addition = children.map((child) => layout.eol + inner + child).join(",");
  const ending = (isTrailing ? "," : "") + closing;
  const edited = splice(text, end, isBlank ? close - end : 0, addition + ending);
  return last && !isTrailing ? splice(edited, last.offset + last.length, 0, ",") : edited;
}

/** Removes a property or an item, its comma, and lines that become empty. */
function removeNode(text: string, parent: Node, child: Node): string {
  const close = parent.offset + parent.length - 1;
  const siblings = parent.children ?? [];
  const index = siblings.indexOf(child);
  const last = child.offset + child.length;
  const comma = commaAfter(text, last, close);
  if (comma !== undefined && text.slice(last, comma).trim() !== "") {
    // A comment precedes the comma.
    return splice(splice(text, comma, 1, ""), child.offset, child.length, "");
  }
  const end = comma === undefined ? last : comma + 1;
  const before = siblings[index - 1];
  const earlier = before && commaAfter(text, before.offset + before.length, close);
  const isLast = index === siblings.length - 1;
  const lineEnd = /^[ \t]*\r?\n/.exec(text.slice(end))?.[0].length ?? 0;
  const ownsItsLines = startsLine(text, child) && lineEnd > 0;
  // A `//` comment needs its line end.
  const mayTrimBefore = isLast && !text.slice(earlier, child.offset).includes("//");
  const ahead = text.slice(0, ownsItsLines ? lineStartAt(text, child) : child.offset);
  const start = (mayTrimBefore && !ownsItsLines ? ahead.trimEnd() : ahead).length;
  const edited = splice(text, start, end + (ownsItsLines ? lineEnd : 0) - start, "");
  if (isLast && earlier !== undefined && comma === undefined) return splice(edited, earlier, 1, "");
  if (siblings.length > 1) return edited;
  const rest = edited.slice(parent.offset + 1);
  const empty = /^\s*[}\]]/.exec(rest)?.[0];
  return empty === undefined ? edited : splice(edited, parent.offset + 1, empty.length - 1, "");
}

const startsLine = (text: string, child: Node): boolean =>
  text.slice(lineStartAt(text, child), child.offset).trim() === "";

const lineStartAt = (text: string, { offset }: Node): number =>
  text.lastIndexOf("\n", offset - 1) + 1;

/** Finds the comma after a child, skipping comments and white space. */
function commaAfter(text: string, from: number, close: number): number | undefined {
  const gap = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(text.slice(from, close))?.[0] ?? "";
  return text[from + gap.length] === "," ? from + gap.length : undefined;
}

interface TextLayout {
  readonly eol: string;
  readonly unit: string;
}

const detectLayout = (text: string): TextLayout => ({
  eol: text.includes("\r\n") ? "\r\n" : "\n",
  unit: /^\{[^\S\n]*\r?\n([ \t]+)\S/.exec(text.slice(skipComments(text)))?.[1] ?? "  ",
});

const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? "";

/** Line feeds and the blanks after them are layout, because JSON escapes line feeds in strings. */
const writeValue = (value: unknown, { unit, eol }: TextLayout, indent: string): string =>
  showInvisible(JSON.stringify(value, null, 1)).replace(
    /\n( *)/g,
    (_, blanks: string) => eol + indent + unit.repeat(blanks.length),
  );

const splice = (text: string, start: number, length: number, replacement: string): string =>
  text.slice(0, start) + replacement + text.slice(start + length);
