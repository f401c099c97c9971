import { HEALTH_MEDIA_TYPE, type Health } from "../../schemas/index.ts";
import { CORS_HEADERS, dataHeaders, dataResponse } from "../http/response.ts";
import type { Route } from "../http/route.ts";
import type { Service } from "../service.ts";

/** Reads no storage and takes no parameters, so that it is safe to poll. */
export function healthRoute({ identity, isDraining }: Service): Route {
  const pass = healthResponse({ status: "pass", ...identity }, 200, "public, max-age=10");
  const fail = healthResponse({ status: "fail", ...identity }, 503, "no-store");
  return {
    path: "/api/health",
    methods: { GET: () => (isDraining() ? fail() : pass()) },
    headers: CORS_HEADERS,
    logged: false,
  };
}

/** Makes a response from a body and headers that are composed once. */
function healthResponse(health: Health, status: number, cacheControl: string): () => Response {
  const body = JSON.stringify(health);
  const headers = dataHeaders(
    { ...CORS_HEADERS, "Cache-Control": cacheControl },
    HEALTH_MEDIA_TYPE,
  );
  return () => dataResponse(body, headers, status);
}
