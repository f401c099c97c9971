/** A logged request. It contains no data of the caller. */
interface LogEntry {
  readonly request_id: string;
  readonly method: string;
  /** The path of the route, or null for an unknown path. */
  readonly route: string | null;
  readonly status: number;
  readonly duration_ms: number;
  /** The code of an error. */
  readonly code?: string;
}

export interface Log {
  request(entry: LogEntry): void;
  warning(message: string, requestId?: string): void;
  /** Logs an internal error with its stack. `source`: the request's ID, or the failed activity. */
  error(source: string, error: unknown): void;
}

/** Called for every request, even if it is not logged. */
export type RequestObserver = (request: Pick<LogEntry, "route" | "status" | "duration_ms">) => void;

type ProcessLog = Log & { info(message: string): void };

type WriteLogLine = (line: string) => void;

/** Logs to standard output: for people on a terminal, else JSON. */
export function outputLog(): ProcessLog {
  const { stdout } = process;
  // A closed pipe or a full disk must not stop the server.
  stdout.on("error", () => undefined);
  const write: WriteLogLine = (line) => stdout.write(line);
  return stdout.isTTY ? textLog(write) : jsonLog(write);
}

export function jsonLog(write: WriteLogLine): ProcessLog {
  const line = (level: string, fields: object) =>
    write(`${JSON.stringify({ time: new Date().toISOString(), level, ...fields })}\n`);
  return {
    info: (message) => line("info", { message }),
    request: (entry) => line("info", entry),
    warning: (message, request_id) => line("warning", { request_id, message }),
    error: (request_id, error) => line("error", { request_id, error: getStack(error) }),
  };
}

export function textLog(write: WriteLogLine): ProcessLog {
  const line = (...words: readonly (string | number | undefined)[]) =>
    write(`${words.filter((word) => word !== undefined).join(" ")}\n`);
  return {
    info: line,
    request: ({ method, route, status, duration_ms, code }) =>
      line(method, route ?? "(unknown path)", status, `${duration_ms} ms`, code),
    warning: (message) => line("warning:", message),
    error: (request_id, error) => line("error:", request_id, getStack(error)),
  };
}

const getStack = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
