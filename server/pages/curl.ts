/**
 * The command that fetches a URL, for a POSIX shell.
 *
 * @param parameter a query parameter, and the JSON it takes.
 */
export function curlGet(
  url: string,
  parameter?: { readonly name: string; readonly json: unknown },
) {
  if (!parameter) return `curl ${quote(url)}`;
  const pair = quote(`${parameter.name}=${JSON.stringify(parameter.json)}`);
  return `curl --get ${quote(url)} \\\n  --data-urlencode ${pair}`;
}

/** The command that posts JSON. */
export const curlPost = (url: string, json: unknown): string =>
  [
    `curl ${quote(url)}`,
    "  --header 'Content-Type: application/json'",
    `  --data ${quote(JSON.stringify(json, null, 2))}`,
  ].join(" \\\n");

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
