import { type AltchaToSolve, solveAltcha } from "../../server/support/altcha.ts";
import { startServer } from "../../server/support/servers.ts";
import { type Answer, FAILED, ms, outcomeOf } from "./expect.ts";

const ingest = "secret-of-a-server-of-ours-000001";
const challenge = "secret-of-the-embedded-challenge-1";
const turnstile = "secret-of-turnstile";

/** Texts that may be in no log: secrets, and data of visitors. */
export const SECRETS = {
  ingest,
  turnstile,
  name: "Marked Person",
  localPart: "marked-address",
  environment: {
    BASE_URL: "https://tools.test",
    SIGNUP_INGEST_SECRET: ingest,
    CHALLENGE_SECRET: challenge,
    // Nobody here comes too often.
    RATE_LIMIT: "off",
  },
  pattern: /secret-of|a-token-of-listmonk|marked|site\.test/i,
};

interface LogLine {
  readonly level: "info" | "warning" | "error";
  readonly request_id?: string;
  readonly status?: number;
  readonly message?: string;
  readonly error?: string;
}

/** A server's log: lines of JSON. */
export interface SiteLog {
  readonly text: string;
  readonly lines: readonly LogLine[];
}

const parseLog = (text: string): SiteLog => ({
  text,
  lines: text
    .split("\n")
    .slice(0, -1)
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
  const other = faults.find((line) => !fault.test(line.error ?? ""));
  if (other) throw new Error(`the log tells of ${other.error}, not of ${fault}`);

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

const SIGNUP = "/api/beta-signup";
const TOOL = "/api/tools/automation-cost-calculator";
const TOOL_INPUT = JSON.stringify({ zaps: [{ action_steps: 2, runs_per_month: 30 }] });

/** Longer than any answer may take. */
const PATIENCE_MS = 30_000;

const JSON_TYPE = { "Content-Type": "application/json" };

/** A site as its visitors and its operator see it: `handtools serve`, and all that it answered. */
export async function openSite(
  environment: Readonly<Record<string, string>>,
  flags?: readonly string[],
) {
  const server = await startServer(flags, { ...SECRETS.environment, ...environment });
  if (Number.isNaN(server.port)) throw new Error(`it did not start: ${await server.error()}`);
  // Read from the beginning: a pipe that nobody reads is a fault of its own.
  const output = server.output();
  const answers: Answer[] = [];
  let count = 0;

  const newEmail = () => `${SECRETS.localPart}-${count++}@site.test`;
  const post = async (email: string, fields: object, headers: Record<string, string>) => {
    const body = JSON.stringify({ email, name: SECRETS.name, ctaSource: "hero", ...fields });
    const init = { method: "POST", headers: { ...JSON_TYPE, ...headers }, body };
    const sentAt = performance.now();
    const outcome = await outcomeOf(`${server.base}${SIGNUP}`, init, PATIENCE_MS);
    const answer: Answer = { email, sentAt, ms: performance.now() - sentAt, ...outcome };
    answers.push(answer);
    return answer;
  };
  const asServer = { Authorization: `Bearer ${SECRETS.ingest}` };
  const isWell = async (path: string, init?: RequestInit) =>
    (await outcomeOf(`${server.base}${path}`, init, PATIENCE_MS)).outcome.startsWith("200 ");

  return {
    pid: server.pid,
    signal: server.signal,
    /** Every signup that was answered, in that order. */
    answers,
    /** A new address, signed up by a server with the secret. */
    signUp: () => post(newEmail(), {}, asServer),
    /** The same address once more. */
    repeat: ({ email }: Answer) => post(email, {}, asServer),
    signUpAs: (email: string) => post(email, {}, asServer),
    /** A new address from a page of the site. */
    signUpWith: (turnstileToken: string) => post(newEmail(), { turnstileToken }, {}),
    /** A token of the embedded challenge, good for one signup. */
    solveChallenge: async () => {
      const response = await fetch(`${server.base}${SIGNUP}/challenge`);
      const challenge: AltchaToSolve = JSON.parse(await response.text());
      return solveAltcha(challenge);
    },
    readiness: async () =>
      (await outcomeOf(`${server.base}/readyz`, undefined, PATIENCE_MS)).outcome,
    isHealthy: () => isWell("/api/health"),
    runsTools: () => isWell(TOOL, { method: "POST", headers: JSON_TYPE, body: TOOL_INPUT }),
    /** The exit code; one that does not end in time is killed. */
    exited: server.exited,
    /** Its log, after its end. */
    log: async () => parseLog(await output),
    [Symbol.asyncDispose]: async () => {
      server.signal("SIGKILL");
      await server.exited();
    },
  };
}

export type Site = Awaited<ReturnType<typeof openSite>>;

const PAUSE_MS = 50;

/** Work without a neighbour takes milliseconds, on a busy machine many; not the wait for a lock. */
const WELL_MS = 1_800;

/** Asks for the health check and a tool, again and again, until it is judged or disposed of. */
export function startWatch({ isHealthy, runsTools }: Site) {
  const seen = { asked: 0, unwell: 0, worstMs: 0 };
  let isOn = true;
  const watch = async () => {
    while (isOn) {
      const start = performance.now();
      const areWell = await Promise.all([isHealthy(), runsTools()]);
      seen.asked += 1;
      if (areWell.includes(false)) seen.unwell += 1;
      seen.worstMs = Math.max(seen.worstMs, performance.now() - start);
      await Bun.sleep(PAUSE_MS);
    }
  };
  const watching = watch();
  const stop = async () => {
    isOn = false;
    await watching;
  };
  return {
    /** The measured times, or an error when it was not healthy all the time. */
    judge: async (): Promise<string> => {
      await stop();
      const { asked, unwell, worstMs } = seen;
      if (unwell > 0) throw new Error(`health or a tool failed ${unwell} of ${asked} times`);
      if (worstMs > WELL_MS) throw new Error(`health and a tool took ${ms(worstMs)}`);
      return `health and a tool in ${ms(worstMs)} at most`;
    },
    [Symbol.asyncDispose]: stop,
  };
}
