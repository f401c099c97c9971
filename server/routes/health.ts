import { HEALTH_MEDIA_TYPE, type Health } from "../../schemas/index.ts";
import { CORS_HEADERS, dataHeaders, dataResponse, staticData } from "../http/response.ts";
import type { Route } from "../http/route.ts";
import type { Service } from "../service.ts";

/** Reads no storage and takes no parameters, so that it is safe to poll. */
export function healthRoute({ identity, isDraining }: Service): Route {
  const bodyOf = (status: Health["status"]): string =>
    JSON.stringify({ status, ...identity } satisfies Health);
  const pass = staticData(bodyOf("pass"), healthHeaders("public, max-age=10"));
  const fail = () => dataResponse(bodyOf("fail"), healthHeaders("no-store"), 503);
  return {
    path: "/api/health",
    methods: { GET: (request) => (isDraining() ? fail() : pass(request)) },
    headers: CORS_HEADERS,
    logged: false,
  };
}

const healthHeaders = (cacheControl: string): Headers =>
  dataHeaders({ ...CORS_HEADERS, "Cache-Control": cacheControl }, HEALTH_MEDIA_TYPE);
