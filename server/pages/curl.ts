import { singleQuote } from "../../src/text.ts";

/**
 * The command that fetches a URL, for a POSIX shell.
 *
 * @param parameter a query parameter and its JSON value.
 */
export function curlGet(
  url: string,
  parameter?: { readonly name: string; readonly json: unknown },
) {
  if (!parameter) return `curl ${singleQuote(url)}`;
  const pair = singleQuote(`${parameter.name}=${JSON.stringify(parameter.json)}`);
  return `curl --get ${singleQuote(url)} \\\n  --data-urlencode ${pair}`;
}

/** The command that posts JSON to a URL. */
export const curlPost = (url: string, json: unknown): string =>
  [
    `curl ${singleQuote(url)}`,
    "  --header 'Content-Type: application/json'",
    `  --data ${singleQuote(JSON.stringify(json, null, 2))}`,
  ].join(" \\\n");
