import { HEALTH_MEDIA_TYPE, type Health } from "../../schemas/index.ts";
import { CORS_HEADERS, dataHeaders, dataResponse } from "../http/response.ts";
import type { Route } from "../http/route.ts";
import type { Service } from "../service.ts";

const PATH = "/api/health";

/** Reads no storage and takes no parameters, so that it is safe to poll. */
export function healthRoute(service: Service): Route {
  return {
    path: PATH,
    methods: { GET: () => healthResponse(service) },
    headers: CORS_HEADERS,
    logged: false,
  };
}

/**
 * The health check as Bun gives it by itself, without asking us: the fastest there is, and it says
 * what was so at the start. Whoever stops the service takes it back.
 */
export const fixedHealth = (service: Service) => ({
  [PATH]: { GET: healthResponse(service) },
});

function healthResponse({ identity, isDraining }: Service): Response {
  const status = isDraining() ? "fail" : "pass";
  const health: Health = { status, ...identity };
  const freshness = status === "pass" ? "public, max-age=10" : "no-store";
  const headers = dataHeaders({ ...CORS_HEADERS, "Cache-Control": freshness }, HEALTH_MEDIA_TYPE);
  return dataResponse(JSON.stringify(health), headers, status === "pass" ? 200 : 503);
}
