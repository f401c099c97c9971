import type { Log } from "../log.ts";
import { HttpError } from "./error.ts";
import { errorResponse, type Handler, type HeaderMap } from "./response.ts";

/** How a request is answered and logged, whatever its method. */
export interface Endpoint {
  /** Null for a path that there is not. */
  readonly path: string | null;
  /** The headers of its errors, such as those of CORS. */
  readonly headers: HeaderMap;
  readonly logged: boolean;
  /** Its errors say no more than that the request was rejected. */
  readonly hideReason?: boolean;
}

export interface Route extends Endpoint {
  readonly path: string;
  /** HEAD follows from GET. */
  readonly methods: Readonly<Partial<Record<"GET" | "POST" | "OPTIONS", Handler>>>;
}

interface Logging {
  readonly log: Log;
}

/** The handler of all of a path's methods. */
export function handlerOf(route: Route, service: Logging): Handler {
  const { GET, POST, OPTIONS } = route.methods;
  const handlers = new Map(
    Object.entries({ GET, HEAD: GET, POST, OPTIONS }).filter(([, handler]) => handler),
  );
  const allow = [...handlers.keys()].join(", ");
  const refuse: Handler = () => {
    throw new HttpError("method_not_allowed", `use ${allow}`, { Allow: allow });
  };
  return (request) => answer(request, route, service, handlers.get(request.method) ?? refuse);
}

/** Runs a handler: whatever it throws becomes a response, and the log is written. */
export async function answer(
  request: Request,
  endpoint: Endpoint,
  { log }: Logging,
  handle: Handler,
): Promise<Response> {
  const started = performance.now();
  const id = crypto.randomUUID();
  let response: Response;
  try {
    response = await handle(request);
  } catch (error) {
    if (!(error instanceof HttpError)) log.fault(id, error);
    const refusal = toRefusal(error, id);
    response = errorResponse(
      endpoint.hideReason ? refusal.withoutDetail() : refusal,
      endpoint.headers,
    );
  }
  if (endpoint.logged) {
    log.request({
      request_id: id,
      method: request.method,
      route: endpoint.path,
      status: response.status,
      duration_ms: Math.round((performance.now() - started) * 1000) / 1000,
    });
  }
  return response;
}

/** Of a fault the caller learns nothing but the id under which it is logged. */
const toRefusal = (error: unknown, id: string): HttpError =>
  error instanceof HttpError ? error : new HttpError("internal_error", "", { "X-Request-Id": id });
