import { Refusal } from "../refusal.ts";

/** Browsers send an Origin with every POST; another site's pages must not post here for people. */
export function refuseOtherOrigins(request: Request, origin: string): void {
  const sent = request.headers.get("origin");
  if (sent !== null && sent !== origin) throw new Refusal("origin_rejected");
}

/**
 * The same for what has no effect: there a page of ours may be open under another name of its
 * server, which the browser vouches for.
 */
export function refuseOtherSites(request: Request, origin: string): void {
  if (request.headers.get("sec-fetch-site") !== "same-origin") refuseOtherOrigins(request, origin);
}
