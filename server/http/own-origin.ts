import { Refusal } from "../refusal.ts";

/** Browsers send an Origin with every POST; another site's pages must not post here for people. */
export function refuseOtherOrigins(request: Request, origin: string): void {
  const sent = request.headers.get("origin");
  if (sent !== null && sent !== origin) throw new Refusal("origin_rejected");
}
