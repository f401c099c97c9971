import { type Path, rejection } from "./issues.ts";

/**
 * Parses the JSON of an input without losing anything.
 *
 * @throws {InvalidInputError} for a text that is not JSON, a key given twice in an object, and
 * half of a surrogate pair that is written as an escape.
 */
export function readJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw rejection("the input must be JSON");
  }
  // In a text decoded from UTF-8, half a pair can only be an escape.
  if (/\\u[dD][89a-fA-F]/.test(text) && !isWellFormed(value)) {
    throw rejection("the input must not have half of a surrogate pair");
  }
  // A text that is the same when written again has lost nothing, and most are.
  const duplicate = JSON.stringify(value) === text ? undefined : findDuplicateKey(text);
  if (duplicate) throw rejection("is given twice", ...duplicate);
  return value;
}

/** The value of a file without `$schema`, which only editors read. */
export function withoutSchema(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("$schema" in value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== "$schema"));
}

/** The tool's input in the output of `--merge --json`, which has a report too; any other value as it is. */
export function withoutReport(value: unknown): unknown {
  const { merged, dropped, ...input } = Object(value);
  return Array.isArray(merged) && Array.isArray(dropped) ? input : value;
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, part]) => key.isWellFormed() && isWellFormed(part));
}

/**
 * The first key given twice in one object of a JSON text. JSON.parse keeps the last of its
 * values and drops the others silently. Takes linear time, at any depth.
 *
 * @param text JSON that JSON.parse accepts.
 * @returns the key's path, or undefined when every key is there once.
 *
 * @example
 * findDuplicateKey('{"filters":[{"star":true,"star":false}]}'); // ["filters", 0, "star"]
 */
export function findDuplicateKey(text: string): Path | undefined {
  const outer: Container[] = [];
  let inner: Container = { keys: undefined, position: 0 };
  let keyIsNext = false;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case OPENING_BRACE:
        outer.push(inner);
        inner = { keys: new Set(), position: 0 };
        keyIsNext = true;
        break;
      case OPENING_BRACKET:
        outer.push(inner);
        inner = { keys: undefined, position: 0 };
        keyIsNext = false;
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        inner = outer.pop() ?? inner;
        keyIsNext = false;
        break;
      case COMMA:
        keyIsNext = inner.keys !== undefined;
        if (typeof inner.position === "number") inner.position += 1;
        break;
      case QUOTE: {
        const end = closingQuote(text, at);
        if (keyIsNext && addKey(inner, text.slice(at, end + 1))) return joinPath(inner, outer);
        keyIsNext = false;
        at = end;
      }
    }
  }
  return undefined;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** An object or an array that is not closed yet. */
interface Container {
  /** The keys so far; an array has none. */
  readonly keys: Set<string> | undefined;
  position: string | number;
}

/** The offset of the quote that ends the string. */
function closingQuote(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at;
    at += unit === BACKSLASH ? 2 : 1;
  }
  return at;
}

/** Adds a key; true when the object has it already. */
function addKey(object: Container, quoted: string): boolean {
  const key: string = quoted.includes("\\") ? JSON.parse(quoted) : quoted.slice(1, -1);
  object.position = key;
  if (object.keys?.has(key)) return true;
  object.keys?.add(key);
  return false;
}

const joinPath = (inner: Container, outer: readonly Container[]): Path =>
  // The first container is the whole text.
  [...outer.slice(1), inner].map(({ position }) => position);
