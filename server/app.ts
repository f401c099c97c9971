import { Elysia } from "elysia";
import type { Handler } from "./http/response.ts";
import { handlerOf, type Route } from "./http/route.ts";
import { discoveryRoutes } from "./routes/discovery.ts";
import { fixedHealth, healthRoute } from "./routes/health.ts";
import { notFound, pageRoutes } from "./routes/pages.ts";
import { signupRoutes } from "./routes/signup.ts";
import { toolRoutes } from "./routes/tools.ts";
import type { Service } from "./service.ts";

/**
 * The service as an Elysia app. Elysia routes and listens; it parses and validates nothing,
 * because its own checks echo the input in their answers (facts in style.md, 5).
 */
export function createApp(service: Service) {
  const handlers = routes(service).map((route) => [route.path, handlerOf(route, service)] as const);
  const app = new Elysia({
    strictPath: true,
    // Else a Host of one to three letters shifts where the path is thought to begin.
    handler: { standardHostname: false },
    // Bun's own router knows the paths too: the way through Elysia's takes as long as a tenth of a
    // tool call (bench/RESULTS.md). What it does not find, Elysia looks for.
    serve: { routes: { ...Object.fromEntries(handlers), ...fixedHealth(service) } },
  });
  const answerWith = (request: Request, handle: Handler) =>
    request.url.startsWith("/") ? app.fetch(withHost(request)) : handle(request);
  for (const [path, handle] of handlers) {
    app.all(path, ({ request }) => answerWith(request, handle), { parse: "none" });
  }
  // Our handlers throw nothing, so all that is left to Elysia is a path that it does not know.
  return app.onError(({ request }) => answerWith(request, () => notFound(request, service)));
}

/**
 * Without a usable Host a request's URL is relative, and Elysia looks for its path too far to the
 * right: `/a/path/api/health` would be `/api/health`. With any host it is routed right.
 */
const withHost = (request: Request): Request =>
  new Request(`http://localhost${request.url}`, request);

const routes = (service: Service): Route[] => [
  ...toolRoutes(service),
  healthRoute(service),
  ...signupRoutes(service.signup),
  ...discoveryRoutes(service),
  ...pageRoutes(service),
];
