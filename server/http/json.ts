import { Refusal } from "../refusal.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Parses a body as JSON in UTF-8 without a byte order mark. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    throw new Refusal("invalid_request", "the body must be UTF-8");
  }
  return parseJson(text);
}

/** Parses JSON; half of a surrogate pair, written as an escape, is refused. */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal("invalid_request", "the input must be JSON");
  }
  // Only an escape can bring half a pair into text that was decoded from UTF-8.
  if (/\\u[dD][89a-fA-F]/.test(text) && !isWellFormed(value)) {
    throw new Refusal("invalid_request", "the input must not have half of a surrogate pair");
  }
  return value;
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, part]) => key.isWellFormed() && isWellFormed(part));
}
