import { type AnyElysia, Elysia } from "elysia";
import { codeOfStatus, HttpError, toHttpError } from "./http/error.ts";
import { elapsedSince, idOf, rawPath, readInput, takeTurn } from "./http/request.ts";
import { errorResponse } from "./http/response.ts";
import { listHandlers, type Route } from "./http/route.ts";
import { routes } from "./routes/routes.ts";
import type { Service } from "./service.ts";

/**
 * The service as an Elysia app: the table of routes, and as hooks what holds for many of them. No
 * route has a schema of Elysia, whose parsed bodies lose a key that is given twice.
 */
export function createApp(service: Service): AnyElysia {
  const table = new Map(routes(service).map((route) => [route.path, route]));
  const app = new Elysia({
    strictPath: true,
    // By default, Elysia looks for the path at the wrong place after a Host of one to three letters.
    handler: { standardHostname: false },
  });
  // Hooks hold only for the routes that are defined after them.
  for (const { path, methods, skipsHooks } of table.values()) {
    const { GET } = methods;
    if (!GET || !skipsHooks) continue;
    const answer = ({ request }: { readonly request: Request }) => {
      // Elysia reads the source of a handler, and awaits one that returns a call: that takes longer.
      const response = GET(request);
      return response;
    };
    app.get(path, answer).head(path, answer);
  }
  const hooked = withHooks(app, service, (path) => table.get(path) ?? UNKNOWN);
  for (const route of table.values()) {
    for (const [method, handle] of listHandlers(route)) {
      if (route.skipsHooks && method !== "ALL") continue;
      hooked.route(method, route.path, ({ request, input }) => handle(request, input), {
        parse: "none",
      });
    }
  }
  return hooked;
}

/** The row of a path that even `/*` does not match, such as that of `OPTIONS *`. */
const UNKNOWN: Route = { path: "*", methods: {} };

/** @param rowOf gives the row of the table that has a path. */
function withHooks(app: Elysia, service: Service, rowOf: (path: string) => Route) {
  const { log, onRequest, isDraining } = service;
  return app
    .decorate("started", 0)
    .decorate("problem", undefined as HttpError | undefined)
    .resolve(async (context) => {
      const { request, route } = context;
      context.started = performance.now();
      // Without a usable Host the URL is relative, and Elysia may have found the path in its middle.
      if (request.url.startsWith("/") && rawPath(request.url) !== route) {
        throw new HttpError("not_found");
      }
      const { body } = rowOf(route);
      // A POST takes its turn when its body is read. Here its size is unknown, and all POSTs of a tick of
      // the event loop would count as short ones.
      if (request.method !== "POST") await takeTurn(request, request.url.length);
      return { input: request.method === "POST" && body && (await readInput(request, body)) };
    })
    .onError((context) => {
      const { request, route, error, code } = context;
      const row = rowOf(route);
      const problem = code === "NOT_FOUND" ? new HttpError("not_found") : toHttpError(error);
      context.problem = problem;
      if (problem.code === "internal_error") log.error(idOf(request), error);
      return (
        row.onProblem?.(problem, request) ??
        errorResponse(row.hideReason ? problem.withoutDetail() : problem, row.headers)
      );
    })
    .mapResponse(({ request, route, responseValue: response, started, problem }) => {
      if (!(response instanceof Response)) return;
      if (isDraining()) response.headers.set("Connection", "close");
      if (!response.ok) response.headers.set("X-Request-Id", idOf(request));
      const { path, logged } = rowOf(route);
      if (!logged && !onRequest) return;
      const measured = {
        route: path.endsWith("*") ? null : path,
        status: response.status,
        duration_ms: elapsedSince(started),
      };
      onRequest?.(measured);
      if (logged) {
        const { method } = request;
        log.request({
          request_id: idOf(request),
          method,
          ...measured,
          ...(response.status >= 400 && { code: problem?.code ?? codeOfStatus(response.status) }),
        });
      }
    });
}
