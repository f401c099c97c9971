import { codeOfStatus, HttpError, toHttpError } from "./error.ts";
import { idOf, requireOneHost, turnOf } from "./request.ts";
import { errorResponse, type Handler, type HeaderMap } from "./response.ts";

/** The rules for answering and logging requests of a path, whatever their method. */
interface Endpoint {
  /** null for an unknown path. */
  readonly path: string | null;
  /** Headers of its errors, such as those of CORS. */
  readonly headers: HeaderMap;
  readonly logged: boolean;
  /** Leaves the reason out of errors. */
  readonly hideReason?: boolean;
}

export interface Route extends Endpoint {
  readonly path: string;
  /** HEAD follows from GET. */
  readonly methods: Readonly<Partial<Record<"GET" | "POST" | "OPTIONS", Handler>>>;
}

/** The parts of the service that answering needs. */
interface Answering {
  readonly log: Log;
  readonly onRequest?: RequestObserver | undefined;
  /** True while the server stops: each answer is then the last of its connection. */
  isDraining(): boolean;
}

/** One request, without any data of the caller. */
interface LogEntry {
  readonly request_id: string;
  readonly method: string;
  /** The route's path, or null for an unknown path. */
  readonly route: string | null;
  readonly status: number;
  readonly duration_ms: number;
  /** Of a request that was rejected or failed: the code of its error. */
  readonly code?: string;
  /** The field of the input that was wrong, by the schema's names; never a name from the caller. */
  readonly field?: string;
}

/** The service's log. */
export interface Log {
  request(entry: LogEntry): void;
  /** A problem for the operator; `requestId` for one of a request. */
  warning(message: string, requestId?: string): void;
  /** An internal error, once, with its stack. */
  error(requestId: string, error: unknown): void;
}

/** Called for every answered request, logged or not. */
export type RequestObserver = (request: Pick<LogEntry, "route" | "status" | "duration_ms">) => void;

export function handlerOf(route: Route, answering: Answering): Handler {
  const { GET, POST, OPTIONS } = route.methods;
  const handlers = new Map(
    Object.entries({ GET, HEAD: GET, POST, OPTIONS }).filter(([, handler]) => handler),
  );
  const allow = [...handlers.keys()].join(", ");
  const reject: Handler = () => {
    throw new HttpError("method_not_allowed", `use ${allow}`, { Allow: allow });
  };
  return (request) => {
    return answer(request, route, answering, handlers.get(request.method) ?? reject);
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
  let problem: HttpError | undefined;
  const toResponse = (error: unknown): Response => {
    problem = toHttpError(error);
    if (problem.code === "internal_error") log.error(idOf(request), error);
    return errorResponse(endpoint.hideReason ? problem.withoutDetail() : problem, endpoint.headers);
  };
  const finish = (response: Response): Response => {
    if (isDraining()) response.headers.set("Connection", "close");
    if (!response.ok) response.headers.set("X-Request-Id", idOf(request));
    if (!endpoint.logged && !onRequest) return response;
    const measured = {
      route: endpoint.path,
      status: response.status,
      duration_ms: Math.round((performance.now() - started) * 1000) / 1000,
    };
    onRequest?.(measured);
    if (endpoint.logged) {
      const { method } = request;
      log.request({ request_id: idOf(request), method, ...measured, ...why(response, problem) });
    }
    return response;
  };
  try {
    requireOneHost(request);
    // A POST takes its turn with its body. If many started here in one turn, that turn would accept
    // all their bodies as short before any of the work is done.
    const turn = request.method === "POST" ? undefined : turnOf(request, request.url.length);
    const response = turn ? turn.then(() => handle(request)) : handle(request);
    if (response instanceof Promise) return response.catch(toResponse).then(finish);
    // Without a promise, health checks are answered a quarter faster.
    return finish(response);
  } catch (error) {
    return finish(toResponse(error));
  }
}

/** For the log: why a request was rejected or failed. */
function why({ status }: Response, problem: HttpError | undefined) {
  if (status < 400) return undefined;
  const field = problem?.field;
  return { code: problem?.code ?? codeOfStatus(status), ...(field !== undefined && { field }) };
}
