/**
 * Returns the origin of an http or https URL without a path, else undefined.
 *
 * @example
 * parseOrigin("https://tools.example.com/"); // "https://tools.example.com"
 */
export function parseOrigin(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return url.href === `${url.origin}/` ? url.origin : undefined;
}

export const ORIGIN_REQUIRED =
  "must be an origin without a path, such as https://tools.example.com";

/** Adds the brackets of IPv6 addresses if they are missing: `[::1]`. */
export const hostInUrl = (host: string): string =>
  host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;

/** Whether a host name is this machine, so that requests do not cross a network. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
