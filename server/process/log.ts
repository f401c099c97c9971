import type { Log } from "../http/route.ts";
import { withTimeout } from "../once.ts";

/** Writes entries as lines of JSON. */
export function jsonLog(write: (line: string) => void): Log {
  return {
    request: (entry) => write(lineOf("info", entry)),
    warning: (message, request_id) => write(lineOf("warning", { request_id, message })),
    error: (request_id, error) =>
      write(
        lineOf("error", {
          request_id,
          error: error instanceof Error ? error.stack : String(error),
        }),
      ),
  };
}

/** A line of the log with a text for people. */
export const infoLine = (message: string): string => lineOf("info", { message });

const lineOf = (level: string, fields: object): string =>
  `${JSON.stringify({ time: new Date().toISOString(), level, ...fields })}\n`;

/** Leaves out requests; warnings and internal errors are always logged. */
export const withoutRequests = (log: Log): Log => ({ ...log, request: () => {} });

/** Writes lines to standard output. What a slow reader has not read yet is kept in memory. */
export function outputLines() {
  // Not process.stdout, whose waiting text would keep the process alive for ever.
  const output = Bun.stdout.writer();
  const flush = async () => output.flush();
  return {
    async write(line: string): Promise<void> {
      try {
        await output.write(line);
        await flush();
      } catch {
        // Without a reader, or on a full disk, the server keeps running.
      }
    },
    /** Waits until every line is written, or until the reader takes too long. */
    async end(): Promise<void> {
      await withTimeout(LAST_MS, flush()).catch(() => undefined);
      output.unref();
    },
  };
}

/** The time for a reader to read the last lines, in milliseconds. */
const LAST_MS = 1_000;
