import { singleQuote } from "../../src/text.ts";

/** The command that fetches a URL, for a POSIX shell. */
export const curlGet = (url: string): string => `curl ${singleQuote(url)}`;

/** The command that posts JSON to a URL. */
export const curlPost = (url: string, json: unknown): string =>
  [
    `curl ${singleQuote(url)}`,
    "  --header 'Content-Type: application/json'",
    `  --data ${singleQuote(JSON.stringify(json, null, 2))}`,
  ].join(" \\\n");
