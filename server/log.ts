/** One request, without anything that is the caller's. */
export interface LogEntry {
  readonly request_id: string;
  readonly method: string;
  /** The route's path, or null for a path that there is not. */
  readonly route: string | null;
  readonly status: number;
  readonly duration_ms: number;
}

export interface Log {
  request(entry: LogEntry): void;
  /** Something the operator should look at. */
  warning(message: string): void;
  /** A fault of ours, once, with its stack. */
  fault(requestId: string, error: unknown): void;
}

/** Lines of JSON. */
export function jsonLog(write: (line: string) => void): Log {
  const line = (level: string, fields: object) =>
    write(`${JSON.stringify({ time: new Date().toISOString(), level, ...fields })}\n`);
  return {
    request: (entry) => line("info", entry),
    warning: (message) => line("warning", { message }),
    fault: (request_id, error) =>
      line("error", { request_id, fault: error instanceof Error ? error.stack : String(error) }),
  };
}

/** Requests go unlogged; warnings and faults never do. */
export const faultsOnly = (log: Log): Log => ({ ...log, request: () => {} });
