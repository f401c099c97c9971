import type { Service } from "../../server/service.ts";
import { runningServer } from "../server/running-server.ts";

/** The whole site on a free port of this machine, which is its own origin as for its visitors. */
export function runningSite(service: Partial<Service> = {}) {
  const site = runningServer({ baseUrl: (): string => site.origin, ...service });
  return site;
}
