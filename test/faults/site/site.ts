import { startServer } from "../../server/server-process.ts";
import { type AltchaToSolve, solveAltcha } from "../../server/signup/solve-altcha.ts";
import { type Answer, outcomeOf } from "./answer.ts";
import { SECRETS } from "./secrets.ts";
import { parseLog } from "./site-log.ts";

const SIGNUP = "/api/beta-signup";
const TOOL = "/api/tools/automation-cost-calculator";
const TOOL_INPUT = JSON.stringify({ zaps: [{ action_steps: 2, runs_per_month: 30 }] });

/** Longer than any answer may take. */
const PATIENCE_MS = 30_000;

const JSON_TYPE = { "Content-Type": "application/json" };

/** A site as its visitors and its operator see it: `handtools serve`, and all that it answered. */
export async function openSite(environment: Readonly<Record<string, string>>) {
  const server = await startServer(undefined, { ...SECRETS.environment, ...environment });
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
    /** A new address, signed up by a server of ours. */
    signUp: () => post(newEmail(), {}, asServer),
    /** The same address once more. */
    repeat: ({ email }: Answer) => post(email, {}, asServer),
    /** A new address from a page of the site. */
    signUpWith: (turnstileToken: string) => post(newEmail(), { turnstileToken }, {}),
    /** A token of the embedded challenge, good for one signup. */
    solveChallenge: async () => {
      const response = await fetch(`${server.base}${SIGNUP}/challenge`);
      const challenge: AltchaToSolve = JSON.parse(await response.text());
      return solveAltcha(challenge);
    },
    isHealthy: () => isWell("/api/health"),
    runsTools: () => isWell(TOOL, { method: "POST", headers: JSON_TYPE, body: TOOL_INPUT }),
    /** The exit code; one that does not end in time is killed. */
    exited: server.exited,
    /** What it wrote, when it has ended. */
    log: async () => parseLog(await output),
    [Symbol.asyncDispose]: async () => {
      server.signal("SIGKILL");
      await server.exited();
    },
  };
}

export type Site = Awaited<ReturnType<typeof openSite>>;
