import type { Log } from "../http/route.ts";

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

/** A line of the log about the error that ends a process. */
export const errorLine = (message: string): string => lineOf("error", { message });

const lineOf = (level: string, fields: object): string =>
  `${JSON.stringify({ time: new Date().toISOString(), level, ...fields })}\n`;

/** Leaves out requests; warnings and internal errors are always logged. */
export const withoutRequests = (log: Log): Log => ({ ...log, request: () => {} });

/**
 * Writes lines to standard output in batches. A slow reader never delays the server: it loses
 * lines, and reads how many.
 */
export function lineWriter() {
  let waiting: string[] = [];
  let length = 0;
  let lost = 0;
  let writing: Promise<void> | undefined;
  // Not process.stdout, whose waiting text would keep the process alive for ever.
  const output = Bun.stdout.writer();

  const flush = async (): Promise<void> => {
    await Bun.sleep(FLUSH_MS);
    if (lost > 0) waiting.push(lineOf("warning", { message: lossMessage(lost) }));
    const text = waiting.join("");
    waiting = [];
    length = 0;
    lost = 0;
    try {
      await output.write(text);
      await output.flush();
    } catch {
      // The server keeps running without a reader of its log.
    }
    writing = waiting.length > 0 ? flush() : undefined;
  };
  const written = async (): Promise<void> => {
    while (writing) await writing;
  };

  return {
    write(line: string): void {
      if (length > MAX_WAITING) {
        lost++;
        return;
      }
      waiting.push(line);
      length += line.length;
      writing ??= flush();
    },
    /** Resolves when every line is written, or when the reader takes too long. */
    end: async (): Promise<void> => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, LAST_MS).unref());
      await Promise.race([written(), late]);
      output.unref();
    },
  };
}

const lossMessage = (lines: number): string =>
  `the log is read too slowly: ${lines} ${lines === 1 ? "line is" : "lines are"} lost here`;

/** The time to collect lines before they are written together, in milliseconds. */
const FLUSH_MS = 50;

/** The time for a reader to read the last lines, in milliseconds. */
const LAST_MS = 1_000;

/** Characters kept for a slow or stuck reader; further lines are lost. */
const MAX_WAITING = 1_000_000;
