import { expectSame } from "../runner.ts";
import type { Site } from "./site.ts";

/** How a signup was answered. */
export interface Answer {
  readonly email: string;
  /** Of performance.now(). */
  readonly sentAt: number;
  readonly ms: number;
  /** Status and body, such as SYNCED; or why there is none. */
  readonly outcome: string;
  /** The id under which a fault is logged. */
  readonly requestId: string | null;
}

export const SYNCED = '200 {"ok":true,"listmonk":true}';
export const NOT_SYNCED = '200 {"ok":true,"listmonk":false}';
export const FAILED = '500 {"error":{"code":"internal_error","message":"Request rejected"}}';

/** Asks on a connection of its own, and never throws. */
export async function outcomeOf(
  url: string,
  init: RequestInit | undefined,
  patienceMs: number,
): Promise<Pick<Answer, "outcome" | "requestId">> {
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const response = await fetch(url, { ...init, signal, keepalive: false });
    const outcome = `${response.status} ${await response.text()}`;
    return { outcome, requestId: response.headers.get("x-request-id") };
  } catch (error) {
    return { outcome: codeOf(error), requestId: null };
  }
}

/** Such as ConnectionRefused. */
const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : String(error);

const CLIENTS = 8;

/** Between an answer and the client's next signup. */
const PAUSE_MS = 20;

/** Signs new addresses up, eight at a time, until it is stopped or disposed of. */
export function startLoad(signUp: () => Promise<Answer>) {
  const answers: Answer[] = [];
  let isOn = true;
  const client = async () => {
    while (isOn) {
      answers.push(await signUp());
      await Bun.sleep(PAUSE_MS);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  /** Resolves when the last one is answered. */
  const stop = async () => {
    isOn = false;
    await clients;
  };
  return {
    /** In the order in which they came. */
    answers,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

export const ms = (time: number): string => `${Math.round(time)} ms`;

/** The shortest and the longest time to an answer. */
export function spread(answers: readonly Answer[]): string {
  const times = answers.map((given) => given.ms);
  return `${Math.round(Math.min(...times))} to ${ms(Math.max(...times))}`;
}

/** @throws {Error} when it has not come true in time. */
export async function waitUntil(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  patienceMs = 15_000,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await Bun.sleep(5);
  }
}

/**
 * Every address whose signup was acknowledged is there, and none whose signup failed.
 *
 * @param rows what is stored, each with its email.
 * @param doubtful how many may be there whose signup failed: a commit that is under way when the
 * connection breaks may be done, and nobody can say so.
 */
export function expectRecorded(
  answers: readonly Answer[],
  rows: readonly unknown[],
  doubtful = 0,
): string {
  const stored = new Set(rows.map((row) => Object(row).email));
  const acknowledged = answers.filter(({ outcome }) => outcome.startsWith("200 "));
  const lost = acknowledged.filter(({ email }) => !stored.has(email));
  if (lost.length > 0) throw new Error(`${lost.length} acknowledged signups are not stored`);
  const failed = answers.filter(({ outcome }) => outcome === FAILED);
  const kept = failed.filter(({ email }) => stored.has(email));
  if (kept.length > doubtful) throw new Error(`${kept.length} failed signups are stored`);
  const doubts = doubtful > 0 ? `, ${kept.length} of them stored all the same` : "";
  return `${acknowledged.length} signed up and stored, ${failed.length} rejected${doubts}`;
}

/** People who were saved but not synced sign up again: then all are synced, and nobody is there twice. */
export async function expectRepaired(
  site: Site,
  rows: () => Promise<readonly unknown[]>,
): Promise<string> {
  const before = await rows();
  const unsynced = site.answers.filter(({ outcome }) => outcome === NOT_SYNCED);
  const repeats = await Promise.all(unsynced.map(site.repeat));
  expectSame(new Set(repeats.map(({ outcome }) => outcome)), new Set([SYNCED]));
  const states = (await rows()).map((row) => Object(row).sync_state);
  expectSame(
    [states.length, states.filter((state) => state !== "synced").length],
    [before.length, 0],
  );
  return `${repeats.length} repeats synced`;
}

/** A visitor who has solved the embedded challenge before something breaks. */
export async function tokenKept(site: Site) {
  const token = await site.solveChallenge();
  const use = async () => (await site.signUpWith(token)).outcome;
  return {
    fails: async () => expectSame(await use(), FAILED),
    /** The failure has not consumed it; using it does. */
    isStillGood: async () => {
      expectSame(await use(), SYNCED);
      expectSame((await use()).slice(0, 4), "403 ");
    },
  };
}
