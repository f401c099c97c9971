/**
 * The origin of an http or https URL that has no path, as browsers send it.
 *
 * @returns undefined for any other text.
 *
 * @example
 * parseOrigin("https://tools.example.com/"); // "https://tools.example.com"
 */
export function parseOrigin(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return url.href === `${url.origin}/` ? url.origin : undefined;
}

/** What is wanted in place of a text that `parseOrigin` does not read. */
export const ORIGIN_REQUIRED =
  "must be an origin without a path, such as https://tools.example.com";

/** A host as a URL has it: `[::1]` for the IPv6 address `::1`, and for `[::1]` itself. */
export const hostInUrl = (host: string): string =>
  host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;

/** True for a host name of this machine: nothing travels over a network. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
