import { Elysia } from "elysia";
import { pathOf } from "./http/request.ts";
import type { Handler } from "./http/response.ts";
import { handlerOf } from "./http/route.ts";
import { notFound, routes } from "./routes/routes.ts";
import type { Service } from "./service.ts";

/**
 * The service as an Elysia app. Elysia routes and listens; it parses and validates nothing,
 * because its own checks repeat the input in their answers.
 */
export function createApp(service: Service): Elysia {
  const app = new Elysia({
    strictPath: true,
    // With the default, a Host of one to three letters shifts where Elysia looks for the path.
    handler: { standardHostname: false },
  });
  const handlers = new Map(routes(service).map((route) => [route.path, handlerOf(route, service)]));
  const unknown = notFound(service);
  const byPath: Handler = (request) => (handlers.get(pathOf(request.url)) ?? unknown)(request);
  for (const [path, handle] of handlers) {
    // Without a usable Host the URL is relative, and Elysia may look for the path in its middle.
    const handleRouted = ({ request }: { readonly request: Request }) =>
      request.url.startsWith("/") ? byPath(request) : handle(request);
    for (const method of [...BUN_METHODS, "ALL"]) {
      app.route(method, path, handleRouted, { parse: "none" });
    }
  }
  // The handlers throw nothing, so a path that Elysia did not find is the only error it meets.
  app.onError(({ request }) => byPath(request));
  return app;
}

/** Elysia leaves these methods to Bun's own router, which is faster than its own. */
const BUN_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
