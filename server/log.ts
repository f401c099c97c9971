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

/** Lines wait this long, so that many are written at once. */
const FLUSH_MS = 50;

/** So many characters wait for a reader that is slow or stuck; lines beyond them are lost. */
const MAX_WAITING = 1_000_000;

/** Writes lines to standard output, some at a time. Whoever reads it never holds up the server. */
export function lineWriter() {
  let waiting: string[] = [];
  let length = 0;
  let writing: Promise<void> | undefined;
  // Nobody may read the log any more; the server goes on.
  process.stdout.on("error", () => {});

  const flush = async (): Promise<void> => {
    await Bun.sleep(FLUSH_MS);
    const text = waiting.join("");
    waiting = [];
    length = 0;
    await new Promise<void>((resolve) => process.stdout.write(text, () => resolve()));
    writing = waiting.length > 0 ? flush() : undefined;
  };

  return {
    write(line: string): void {
      if (length > MAX_WAITING) return;
      waiting.push(line);
      length += line.length;
      writing ??= flush();
    },
    /** Resolves when all is written. */
    end: async (): Promise<void> => {
      while (writing) await writing;
    },
  };
}
