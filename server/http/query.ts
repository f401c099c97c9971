import { Refusal } from "../refusal.ts";

/** What stands behind the first question mark; there may be more in it. */
export const queryOf = (url: string): string => /\?(.*)$/s.exec(url)?.[1] ?? "";

/**
 * The one value of a query parameter, decoded; undefined when it is absent.
 *
 * Read from the text, because URLSearchParams would let broken escapes through.
 */
export function queryParameter(url: string, name: string): string | undefined {
  const values = queryOf(url)
    .split("&")
    .map((pair) => pair.split(/=(.*)/s, 2))
    .filter(([key = ""]) => decodes(key, name))
    .map(([, value = ""]) => value);
  if (values.length > 1) throw new Refusal("invalid_request", `${name} must be given once`);
  const [value] = values;
  return value === undefined ? undefined : decode(value, name);
}

function decodes(key: string, name: string): boolean {
  return key === name || (key.includes("%") && decodeOr(key, "") === name);
}

function decode(value: string, name: string): string {
  const decoded = decodeOr(value, undefined);
  if (decoded !== undefined) return decoded;
  throw new Refusal("invalid_request", `${name} must be percent-encoded UTF-8`);
}

function decodeOr<Fallback>(text: string, fallback: Fallback): string | Fallback {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return fallback;
  }
}
