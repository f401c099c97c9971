import type { Node } from "jsonc-parser";
import { formatPath } from "../../../src/issues.ts";
import { type JsonTree, skipComments } from "../../../src/json-tree.ts";
import type { Dialect } from "../../../src/mcp-config/client-definition.ts";
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
 * Sets a member of an object. Comments, order and layout stay. If the member is an object, only the
 * parts that differ change.
 *
 * @param path the member's keys. Missing objects are created.
 * @throws {ConfigFileError} if the client could not read the file, or the path is ambiguous.
 */
export function setJsonMember(
  text: string,
  dialect: Dialect | undefined,
  path: readonly string[],
  value: unknown,
): string {
  const before = parseJsonConfig(text, dialect);
  const { keys, name } = splitPath(path);
  const [rootKey = ""] = keys;
  const parent = memberAt(before, keys);
  if (!parent && keys.length > 1) return setJsonMember(text, dialect, keys, { [name]: value });
  const edited = parent
    ? setMembers(text, dialect, keys, { ...Object(parent.value), [name]: value })
    : addMembers(text, before, [[rootKey, { [name]: value }]]);
  return requireOnlyJsonChange(edited, dialect, withMemberAt(before.value, path, value));
}

/** Adds items to a list in the root, unless they are already there. */
export function addJsonItems(
  text: string,
  dialect: Dialect | undefined,
  key: string,
  items: readonly unknown[],
): string {
  if (items.length === 0) return text;
  const root = parseJsonConfig(text, dialect);
  const list = findMember(root, key);
  const old: unknown = list ? list.value : [];
  if (!Array.isArray(old)) {
    throw new ConfigFileError(`${formatPath([key])} must be a list`);
  }
  const added = items.filter((item) => !old.some((other) => isSameItem(other, item)));
  if (added.length === 0) return text;
  const edited = list ? appendItems(text, list, added) : addMembers(text, root, [[key, added]]);
  return requireOnlyJsonChange(edited, dialect, withMember(root.value, key, [...old, ...added]));
}

/** Whether the items are equal or have the same ID: the user may have edited the first. */
export const isSameItem = (one: unknown, other: unknown): boolean =>
  sameValue(one, other) ||
  (isObjectOrArray(one) && isObjectOrArray(other) && one.id !== undefined && one.id === other.id);

/** Removes a member, and the objects that become empty, except the root. */
export function removeJsonMember(
  text: string,
  dialect: Dialect | undefined,
  path: readonly string[],
): string {
  const before = parseJsonConfig(text, dialect);
  const { keys, name } = splitPath(path);
  const parent = memberAt(before, keys);
  const property = parent && findProperty(parent, name);
  if (!parent || !property) return text;
  const edited = requireOnlyJsonChange(
    removeNode(text, parent.node, property),
    dialect,
    withMemberAt(before.value, path, undefined),
  );
  return keys.length === 0 ? edited : removeIfEmpty(edited, dialect, keys);
}

/** Removes an empty object or list, unless it contains a comment. */
export function removeIfEmpty(
  text: string,
  dialect: Dialect | undefined,
  path: readonly string[],
): string {
  const { keys, name } = splitPath(path);
  const parent = memberAt(parseJsonConfig(text, dialect), keys);
  const { node } = (parent && findMember(parent, name)) ?? {};
  const valueText = node && text.slice(node.offset, node.offset + node.length);
  return valueText !== undefined && /^[{[]\s*[}\]]$/.test(valueText)
    ? removeJsonMember(text, dialect, path)
    : text;
}

/** Removes items from a list in the root, and the list if it becomes empty. */
export function removeJsonItems(
  text: string,
  dialect: Dialect | undefined,
  key: string,
  items: readonly unknown[],
): string {
  let edited = text;
  for (const item of items) {
    const root = parseJsonConfig(edited, dialect);
    const list = findMember(root, key);
    const old: unknown = list?.value;
    const index = Array.isArray(old) ? old.findIndex((other) => sameValue(other, item)) : -1;
    const child = list?.node.children?.[index];
    if (!list || !child || !Array.isArray(old)) continue;
    const expected = withMember(root.value, key, old.toSpliced(index, 1));
    edited = requireOnlyJsonChange(removeNode(edited, list.node, child), dialect, expected);
  }
  return edited === text ? text : removeIfEmpty(edited, dialect, [key]);
}

const splitPath = (path: readonly string[]) => ({
  keys: path.slice(0, -1),
  name: path.at(-1) ?? "",
});

/** Finds the object at a path of keys, if it exists. */
function memberAt(root: JsonTree, keys: readonly string[]): JsonTree | undefined {
  let found: JsonTree | undefined = root;
  for (const key of keys) {
    const member: JsonTree | undefined = found && findMember(found, key);
    found = member && requireObject(member, key);
  }
  return found;
}

function withMemberAt(object: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const old = isObjectOrArray(object) && Object.hasOwn(object, key) ? object[key] : undefined;
  return withMember(object, key, withMemberAt(old, rest, value));
}

const findProperty = ({ node }: JsonTree, name: string): Node | undefined =>
  node.children?.find(({ children }) => children?.[0]?.value === name);

function findMember(parent: JsonTree, name: string): JsonTree | undefined {
  const node = findProperty(parent, name)?.children?.[1];
  return node && { node, value: Object(parent.value)[name] };
}

function requireObject(member: JsonTree, key: string): JsonTree {
  if (member.node.type === "object") return member;
  throw new ConfigFileError(`${formatPath([key])} must be an object`);
}

/** Sets the members of an object. Equal members stay unchanged. */
function setMembers(
  text: string,
  dialect: Dialect | undefined,
  path: readonly string[],
  value: ConfigValues,
): string {
  let edited = text;
  const object = () => memberAt(parseJsonConfig(edited, dialect), path);
  const before = object();
  if (!before) return text;
  const old: ConfigValues = Object(before.value);
  // Go backwards, so that the other offsets stay valid.
  for (const { children: [key, node] = [] } of (before.node.children ?? []).toReversed()) {
    const name = String(key?.value);
    if (!node || !Object.hasOwn(value, name) || sameValue(old[name], value[name])) continue;
    const member = value[name];
    if (isPlainObject(old[name]) && isPlainObject(member)) {
      edited = setMembers(edited, dialect, [...path, name], member);
    } else {
      const valueText = writeValue(member, detectLayout(edited), indentAt(edited, node.offset));
      edited = splice(edited, node.offset, node.length, valueText);
    }
  }
  const parent = object() ?? before;
  const siblings = [...(parent.node.children ?? [])];
  for (const property of siblings.toReversed()) {
    if (Object.hasOwn(value, String(property.children?.[0]?.value))) continue;
    edited = removeNode(edited, { ...parent.node, children: siblings }, property);
    siblings.splice(siblings.indexOf(property), 1);
  }
  const added = Object.entries(value).filter(([name]) => !Object.hasOwn(old, name));
  return added.length === 0 ? edited : addMembers(edited, object() ?? before, added);
}

function addMembers(
  text: string,
  { node }: JsonTree,
  members: readonly (readonly [string, unknown])[],
): string {
  const layout = detectLayout(text);
  const write = (indent: string) =>
    members
      .map(([name, value]) => `${toVisibleJsonString(name)}: ${writeValue(value, layout, indent)}`)
      .join(`,${layout.eol}${indent}`);
  return append(text, node, write, layout);
}

function appendItems(text: string, { node }: JsonTree, items: readonly unknown[]): string {
  const layout = detectLayout(text);
  const write = (indent: string) =>
    items.map((item) => writeValue(item, layout, indent)).join(`,${layout.eol}${indent}`);
  return append(text, node, write, layout);
}

/** Appends a child, with commas in the file's style. */
function append(
  text: string,
  parent: Node,
  write: (indent: string) => string,
  layout: TextLayout,
): string {
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
  const addition = `${layout.eol}${inner}${write(inner)}${isTrailing ? "," : ""}${closing}`;
  const edited = splice(text, end, isBlank ? close - end : 0, addition);
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

/** Returns the edited file if it contains only the intended change. */
function requireOnlyJsonChange(
  text: string,
  dialect: Dialect | undefined,
  expected: unknown,
): string {
  if (sameValue(parseJsonConfig(text, dialect).value, expected)) return text;
  throw new ConfigFileError("has a layout that cannot be edited safely");
}
