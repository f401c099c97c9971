import { type Path, toToolError } from "./issues.ts";

/**
 * Parses the JSON of an input and rejects everything that `JSON.parse` would lose.
 *
 * @throws {InvalidInputError} for invalid JSON, duplicate keys and unpaired surrogates.
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw toToolError("the input must be JSON");
  }
  // Decoded UTF-8 has no unpaired surrogates, so one must be an escape.
  if (/\\u[dD][89a-fA-F]/.test(text) && !isWellFormed(value)) {
    throw toToolError("the input must be valid Unicode: a surrogate is not paired");
  }
  // A fast path: JSON that is the same when written again, but for spaces, has no duplicate keys.
  const rewritten = JSON.stringify(value);
  const isWhole = rewritten === text || withoutSpaces(rewritten) === withoutSpaces(text);
  const duplicate = isWhole ? undefined : findDuplicateKey(text);
  if (duplicate) throw toToolError("is given twice", ...duplicate);
  return value;
}

const withoutSpaces = (json: string): string => json.replace(/[ \t\n\r]+/g, "");

/** Removes `$schema`, which only editors read. */
export function removeSchemaKey(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("$schema" in value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== "$schema"));
}

/** Reduces the output of `merge --json` to the tool's input. Other values stay the same. */
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
 * Finds the first duplicate key in JSON. `JSON.parse` silently keeps only its last value. Takes linear
 * time at any depth.
 *
 * @param text JSON that `JSON.parse` accepts.
 *
 * @example
 * findDuplicateKey('{"filters":[{"star":true,"star":false}]}'); // ["filters", 0, "star"]
 */
export function findDuplicateKey(text: string): Path | undefined {
  /** The enclosing objects and arrays; an array has no keys. */
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

const JSON_TOKEN = /[{}[\],]|"[^"\\]*(?:\\.[^"\\]*)*"/g;
