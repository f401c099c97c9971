import { type Path, toToolError } from "./issues.ts";

/**
 * Parses the JSON of an input without losing anything.
 *
 * @throws {InvalidInputError} for a text that is not JSON, a key given twice in an object, and
 * half of a surrogate pair that is written as an escape.
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw toToolError("the input must be JSON");
  }
  // In a text decoded from UTF-8, half a pair can only be an escape.
  if (/\\u[dD][89a-fA-F]/.test(text) && !isWellFormed(value)) {
    throw toToolError("the input must not have half of a surrogate pair");
  }
  // A text that is the same when written again, but for spaces, has lost nothing, and most are.
  const written = JSON.stringify(value);
  const isWhole = written === text || withoutSpaces(written) === withoutSpaces(text);
  const duplicate = isWhole ? undefined : findDuplicateKey(text);
  if (duplicate) throw toToolError("is given twice", ...duplicate);
  return value;
}

const withoutSpaces = (json: string): string => json.replace(/[ \t\n\r]+/g, "");

/** The value of a file without `$schema`, which only editors read. */
export function removeSchemaKey(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("$schema" in value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== "$schema"));
}

/** The tool's input in the output of `merge --json`, which has a report too; any other value as it is. */
export function removeMergeReport(value: unknown): unknown {
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
  /** The objects and arrays that are open here; an array has no keys. */
  const open: { readonly keys?: Set<string>; position: string | number }[] = [];
  let keyIsNext = false;
  for (const [token] of text.matchAll(JSON_TOKEN)) {
    const inner = open.at(-1);
    if (token === "{") open.push({ keys: new Set(), position: "" });
    else if (token === "[") open.push({ position: 0 });
    else if (token === "}" || token === "]") open.pop();
    else if (token === "," && typeof inner?.position === "number") inner.position += 1;
    else if (keyIsNext && inner?.keys) {
      const key: string = token.includes("\\") ? JSON.parse(token) : token.slice(1, -1);
      inner.position = key;
      if (inner.keys.has(key)) return open.map(({ position }) => position);
      inner.keys.add(key);
    }
    keyIsNext = token === "{" || (token === "," && inner?.keys !== undefined);
  }
  return undefined;
}

/** A string, or a mark of an object or an array. */
const JSON_TOKEN = /[{}[\],]|"[^"\\]*(?:\\.[^"\\]*)*"/g;
