import { type AltchaToSolve, solveAltcha } from "../../server/support/altcha.ts";
import { startServer } from "../../server/support/servers.ts";
import { expectSame } from "../runner.ts";

const INGEST_SECRET = "secret-of-a-server-of-ours-000001";
const AS_SERVER = { Authorization: `Bearer ${INGEST_SECRET}` };
const ENVIRONMENT = {
  BASE_URL: "https://tools.test",
  SIGNUP_INGEST_SECRET: INGEST_SECRET,
  CHALLENGE_SECRET: "secret-of-the-embedded-challenge-1",
  // Nobody here comes too often.
  RATE_LIMIT: "off",
};

/** Secrets, and data of visitors, which are in no log. */
const PERSONAL = /secret-of|marked|site\.test/i;

const SIGNUP = "/api/beta-signup";
const TOOL = "/api/tools/automation-cost-calculator";
const TOOL_INPUT = JSON.stringify({ zaps: [{ action_steps: 2, runs_per_month: 30 }] });
const JSON_TYPE = { "Content-Type": "application/json" };

/** Longer than any answer may take. */
const PATIENCE_MS = 30_000;

export const SYNCED = '200 {"ok":true,"listmonk":true}';
export const FAILED = '500 {"error":{"code":"internal_error","message":"Request rejected"}}';

/** How a signup was answered. */
export interface Answer {
  readonly email: string;
  /** Of performance.now(). */
  readonly sentAt: number;
  readonly endedAt: number;
  /** Status and body, such as SYNCED; or why there is none. */
  readonly outcome: string;
}

/** A site as its visitors see it: `handtools serve`, and all that it answered. */
export async function openSite(environment: Readonly<Record<string, string>>) {
  const server = await startServer(undefined, { ...ENVIRONMENT, ...environment });
  if (Number.isNaN(server.port)) throw new Error(`it did not start: ${await server.error()}`);
  // Read from the beginning: a pipe that nobody reads is a fault of its own.
  const output = server.output();
  const answers: Answer[] = [];
  let count = 0;

  const outcomeOf = async (path: string, init?: RequestInit) => {
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const response = await fetch(server.base + path, { ...init, signal, keepalive: false });
      return `${response.status} ${await response.text()}`;
    } catch (error) {
      return String(error);
    }
  };
  const post = async (email: string, fields: object, headers: Record<string, string>) => {
    const body = JSON.stringify({ email, name: "Marked Person", ctaSource: "hero", ...fields });
    const sentAt = performance.now();
    const init = { method: "POST", headers: { ...JSON_TYPE, ...headers }, body };
    const outcome = await outcomeOf(SIGNUP, init);
    const answer: Answer = { email, sentAt, endedAt: performance.now(), outcome };
    answers.push(answer);
    return answer;
  };
  const newEmail = () => `marked-address-${count++}@site.test`;
  const end = async (signal: NodeJS.Signals) => {
    server.signal(signal);
    return server.exited();
  };
  return {
    /** Every signup that was answered, in that order. */
    answers,
    /** A new address, signed up by a server with the secret. */
    signUp: () => post(newEmail(), {}, AS_SERVER),
    /** A new address from a page of the site. */
    signUpWith: (turnstileToken: string) => post(newEmail(), { turnstileToken }, {}),
    /** A token of the embedded challenge, good for one signup. */
    solveChallenge: async () => {
      const challenge = await fetch(`${server.base}${SIGNUP}/challenge`);
      const given: AltchaToSolve = JSON.parse(await challenge.text());
      return solveAltcha(given);
    },
    /** Whether the health check and a tool work. */
    isWell: async () => {
      const tool = { method: "POST", headers: JSON_TYPE, body: TOOL_INPUT };
      const both = [outcomeOf("/api/health"), outcomeOf(TOOL, tool)];
      return (await Promise.all(both)).every((outcome) => outcome.startsWith("200 "));
    },
    /** It stops in order, and its log has an error for each signup that failed, and nobody's data. */
    expectCleanStop: async () => {
      expectSame(await end("SIGTERM"), 0);
      const log = await output;
      const personal = PERSONAL.exec(log)?.[0];
      if (personal !== undefined) throw new Error(`the log tells ${personal}`);
      const failed = answers.filter(({ outcome }) => outcome === FAILED);
      expectSame(log.split('"level":"error"').length - 1, failed.length);
    },
    [Symbol.asyncDispose]: async () => {
      await end("SIGKILL");
    },
  };
}
