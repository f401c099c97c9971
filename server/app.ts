import { Elysia } from "elysia";
import type { Handler } from "./http/response.ts";
import { handlerOf, type Route } from "./http/route.ts";
import { agentRoutes } from "./routes/agents.ts";
import { discoveryRoutes } from "./routes/discovery.ts";
import { healthRoute } from "./routes/health.ts";
import { mcpRoutes } from "./routes/mcp.ts";
import { notFound, pageRoutes } from "./routes/pages.ts";
import { readinessRoute } from "./routes/readiness.ts";
import { signupRoutes } from "./routes/signup.ts";
import { toolRoutes } from "./routes/tools.ts";
import type { Service } from "./service.ts";

/**
 * The service as an Elysia app. Elysia routes and listens; it parses and validates nothing,
 * because its own checks repeat the input in their answers.
 */
export function createApp(service: Service) {
  const app = new Elysia({
    strictPath: true,
    // With the default, a Host of one to three letters shifts where Elysia looks for the path.
    handler: { standardHostname: false },
  });
  const unknownPath: Handler = (request) => notFound(request, service);
  for (const route of routes(service)) {
    const handle = handlerOf(route, service, unknownPath);
    for (const method of [...BUN_METHODS, "ALL"]) {
      app.route(method, route.path, handle, { parse: "none" });
    }
  }
  // The handlers throw nothing, so an unknown path is the only error that Elysia meets.
  return app.onError(({ request }) => unknownPath(request));
}

/** Elysia leaves these methods to Bun's own router, which is faster than its own. */
const BUN_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

const routes = (service: Service): Route[] => [
  ...toolRoutes(service),
  healthRoute(service),
  readinessRoute(service),
  ...(service.signup ? signupRoutes(service.signup) : []),
  ...discoveryRoutes(service),
  ...mcpRoutes(service),
  ...agentRoutes(service),
  ...pageRoutes(service),
];
