import { isLoopback } from "../../src/url.ts";
import { HttpError } from "./http-error.ts";

/** Rejects a POST from another site's page. Browsers send an Origin with every POST. */
export function rejectOtherOrigins({ headers }: Request, own: string): void {
  const sent = headers.get("origin");
  if (sent !== null && normaliseLoopback(sent) !== normaliseLoopback(own)) {
    throw new HttpError("origin_rejected");
  }
}

/** People open 127.0.0.1 for localhost. */
function normaliseLoopback(origin: string): string {
  const url = URL.parse(origin);
  return url && isLoopback(url.hostname) ? `${url.protocol}//localhost:${url.port}` : origin;
}

const isLoopbackOrigin = (url: string): boolean => isLoopback(URL.parse(url)?.hostname ?? "");

/**
 * Rejects scripts of other sites, which could otherwise reach a server on the user's machine. Pages
 * of other local programs, such as the MCP Inspector, may call a local server. Only a local server
 * checks the Host, because a proxy may change it.
 */
export function rejectForeignOrigins(request: Request, own: string): void {
  const { headers } = request;
  if (!(isLoopbackOrigin(own) && isLoopbackOrigin(headers.get("origin") ?? "")))
    rejectOtherOrigins(request, own);
  const host = headers.get("host");
  if (isLoopbackOrigin(own) && host !== null && !isLoopbackOrigin(`http://${host}`)) {
    throw new HttpError("origin_rejected");
  }
}
