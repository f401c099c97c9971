import type { Log } from "../http/route.ts";

/** The log of the process, which also has lines about its own state. */
interface ProcessLog extends Log {
  info(message: string): void;
}

type Write = (line: string) => void;

/** The log as lines on standard output: for people on a terminal, else JSON. */
export function outputLog(): ProcessLog {
  const { stdout } = process;
  // The server keeps running while nobody reads the log, or the disk is full.
  stdout.on("error", () => undefined);
  const write: Write = (line) => stdout.write(line);
  return stdout.isTTY ? textLog(write) : jsonLog(write);
}

export function jsonLog(write: Write): ProcessLog {
  const line = (level: string, fields: object) =>
    write(`${JSON.stringify({ time: new Date().toISOString(), level, ...fields })}\n`);
  return {
    info: (message) => line("info", { message }),
    request: (entry) => line("info", entry),
    warning: (message, request_id) => line("warning", { request_id, message }),
    error: (request_id, error) => line("error", { request_id, error: textOf(error) }),
  };
}

export function textLog(write: Write): ProcessLog {
  const line = (...words: readonly (string | number | undefined)[]) =>
    write(`${words.filter((word) => word !== undefined).join(" ")}\n`);
  return {
    info: (message) => line(message),
    request: ({ method, route, status, duration_ms, code }) =>
      line(method, route ?? "(unknown path)", status, `${duration_ms} ms`, code),
    warning: (message) => line("warning:", message),
    error: (request_id, error) => line("error:", request_id, textOf(error)),
  };
}

const textOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Leaves out requests; warnings and internal errors are always logged. */
export const withoutRequests = (log: Log): Log => ({ ...log, request: () => {} });
