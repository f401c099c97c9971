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

/** The log of the process, which also has lines about its own state. */
type ProcessLog = Log & { info(message: string): void };

type WriteLogLine = (line: string) => void;

/** The log as lines on standard output: for people on a terminal, else JSON. */
export function outputLog(): ProcessLog {
  const { stdout } = process;
  // The server keeps running while nobody reads the log, or the disk is full.
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
    error: (request_id, error) => line("error", { request_id, error: textOf(error) }),
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
    error: (request_id, error) => line("error:", request_id, textOf(error)),
  };
}

const textOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
