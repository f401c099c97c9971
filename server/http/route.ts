import { HttpError } from "./error.ts";
import type { ExpectedBody } from "./request.ts";
import type { Handler, HeaderMap } from "./response.ts";

/** A row of the table of routes: what is particular to a path. What holds for many is a hook of the app. */
export interface Route {
  /** A path that ends in `*` stands for the unknown paths below it. */
  readonly path: string;
  /** HEAD follows from GET. Other methods are rejected, unless ALL takes them. */
  readonly methods: Readonly<Partial<Record<"GET" | "POST" | "OPTIONS" | "ALL", Handler>>>;
  /** The body of a POST. */
  readonly body?: ExpectedBody;
  /** Headers of its errors, such as those of CORS. */
  readonly headers?: HeaderMap;
  /** True for a line in the log with each request. */
  readonly logged?: boolean;
  /** True for a GET that no hook sees, as the health check. */
  readonly skipsHooks?: boolean;
  /** Leaves the reason out of errors. */
  readonly hideReason?: boolean;
  /** Learns of each rejected or failed request, and may answer it in its own way. */
  readonly onProblem?: (problem: HttpError, request: Request) => Response | undefined;
}

/** The handlers of a path by method; ALL stands for every other one. */
export function listHandlers({
  methods: { GET, POST, OPTIONS, ALL },
}: Route): Map<string, Handler> {
  const handlers = new Map<string, Handler>();
  for (const [method, handler] of Object.entries({ GET, HEAD: GET, POST, OPTIONS })) {
    if (handler) handlers.set(method, handler);
  }
  const allow = [...handlers.keys()].join(", ");
  const reject: Handler = () => {
    throw new HttpError("method_not_allowed", `use ${allow}`, { Allow: allow });
  };
  return handlers.set("ALL", ALL ?? reject);
}

/** A line of the log for a request, without any data of the caller. */
interface LogEntry {
  readonly request_id: string;
  readonly method: string;
  /** The route's path, or null for an unknown path. */
  readonly route: string | null;
  readonly status: number;
  readonly duration_ms: number;
  /** The code of the error, for a request that was rejected or failed. */
  readonly code?: string;
}

/** The service's log. */
export interface Log {
  request(entry: LogEntry): void;
  /** A problem for the operator; `requestId` for one of a request. */
  warning(message: string, requestId?: string): void;
  /** An internal error, once, with its stack. `source`: the id of its request, or what else failed. */
  error(source: string, error: unknown): void;
}

/** Called for every answered request, logged or not. */
export type RequestObserver = (request: Pick<LogEntry, "route" | "status" | "duration_ms">) => void;
