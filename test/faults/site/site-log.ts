import { type Answer, FAILED } from "./answer.ts";
import { SECRETS } from "./secrets.ts";

interface LogLine {
  readonly level: "info" | "warning" | "error";
  readonly request_id?: string;
  readonly status?: number;
  readonly message?: string;
  readonly fault?: string;
}

/** What a server wrote: its first line is for people, the others are JSON. */
export interface SiteLog {
  readonly text: string;
  readonly lines: readonly LogLine[];
}

export const parseLog = (text: string): SiteLog => ({
  text,
  lines: text
    .split("\n")
    .slice(1, -1)
    .map((line): LogLine => JSON.parse(line)),
});

/**
 * An operator finds one line of the fault and one of the request for each signup that failed, under
 * the id that its caller was told, and nothing secret or personal anywhere.
 *
 * @param fault what every line of a fault says.
 */
export function expectTellingLog(
  { text, lines }: SiteLog,
  answers: readonly Answer[],
  fault: RegExp,
): void {
  const secret = SECRETS.pattern.exec(text)?.[0];
  if (secret !== undefined) throw new Error(`the log tells ${secret}`);
  const faults = lines.filter(({ level }) => level === "error");
  const other = faults.find((line) => !fault.test(line.fault ?? ""));
  if (other) throw new Error(`the log tells of ${other.fault}, not of ${fault}`);

  const failed = answers.filter(({ outcome }) => outcome === FAILED);
  const told = failed.map(({ requestId }) => requestId);
  expectSameIds("faults", faults, told);
  expectSameIds(
    "failed requests",
    lines.filter(({ status }) => status === 500),
    told,
  );
}

function expectSameIds(
  what: string,
  lines: readonly LogLine[],
  told: readonly (string | null)[],
): void {
  const logged = lines.map(({ request_id }) => request_id ?? null);
  if (sorted(logged) === sorted(told)) return;
  throw new Error(`${logged.length} ${what} are logged for ${told.length} told, by other ids`);
}

const sorted = (ids: readonly (string | null)[]): string => ids.map(String).sort().join();
