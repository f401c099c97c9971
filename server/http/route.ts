import type { Log, LogEntry } from "../log.ts";
import { once } from "../once.ts";
import { HttpError } from "./error.ts";
import { requireOneHost } from "./request.ts";
import { errorResponse, type Handler, type HeaderMap } from "./response.ts";
import { turnFor } from "./turns.ts";

/** How a request is answered and logged, whatever its method. */
interface Endpoint {
  /** null for an unknown path. */
  readonly path: string | null;
  /** Headers of its errors, such as those of CORS. */
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

/** What answering needs of the service. */
interface Answering {
  readonly log: Log;
  readonly onRequest?: RequestObserver | undefined;
  /** While it is so, each answer is the last of its connection. */
  isDraining(): boolean;
}

/** Takes every request when it is answered, also those that are not logged. */
export type RequestObserver = (request: Pick<LogEntry, "route" | "status" | "duration_ms">) => void;

/** One handler for all methods of a route. */
export function handlerOf(route: Route, answering: Answering): Handler {
  const { GET, POST, OPTIONS } = route.methods;
  const handlers = new Map(
    Object.entries({ GET, HEAD: GET, POST, OPTIONS }).filter(([, handler]) => handler),
  );
  const allow = [...handlers.keys()].join(", ");
  const refuse: Handler = () => {
    throw new HttpError("method_not_allowed", `use ${allow}`, { Allow: allow });
  };
  return (request) => {
    return answer(request, route, answering, handlers.get(request.method) ?? refuse);
  };
}

/** Runs a handler in its turn, turns what it throws into a response, and writes the log. */
export function answer(
  request: Request,
  endpoint: Endpoint,
  { log, onRequest, isDraining }: Answering,
  handle: Handler,
): Response | Promise<Response> {
  const started = performance.now();
  const id = once(() => crypto.randomUUID());
  const toResponse = (error: unknown): Response => {
    if (!(error instanceof HttpError)) log.fault(id(), error);
    const httpError = toHttpError(error, id);
    const shown = endpoint.hideReason ? httpError.withoutDetail() : httpError;
    return errorResponse(shown, endpoint.headers);
  };
  const logged = (response: Response): Response => {
    if (isDraining()) response.headers.set("Connection", "close");
    if (!endpoint.logged && !onRequest) return response;
    const measured = {
      route: endpoint.path,
      status: response.status,
      duration_ms: Math.round((performance.now() - started) * 1000) / 1000,
    };
    onRequest?.(measured);
    if (endpoint.logged) log.request({ request_id: id(), method: request.method, ...measured });
    return response;
  };
  try {
    requireOneHost(request);
    // A POST takes its turn with its body. If many started here in one turn, that turn would accept
    // all their bodies as short before any of the work is done.
    const turn = request.method === "POST" ? undefined : turnFor(request.url.length);
    const response = turn ? turn.then(() => handle(stillWanted(request))) : handle(request);
    if (response instanceof Promise) return response.catch(toResponse).then(logged);
    // Without a promise, health checks are answered a quarter faster.
    return logged(response);
  } catch (error) {
    return logged(toResponse(error));
  }
}

/** @throws {HttpError} when the client has closed the connection, for the log alone. */
function stillWanted(request: Request): Request {
  if (request.signal.aborted) throw new HttpError("invalid_request", "the client has left");
  return request;
}

/** An internal error shows only its request id. */
const toHttpError = (error: unknown, id: () => string): HttpError =>
  error instanceof HttpError
    ? error
    : new HttpError("internal_error", "", { "X-Request-Id": id() });
