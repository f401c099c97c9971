import { expectSame } from "../runner.ts";
import { type Answer, FAILED, type Site, SYNCED } from "./site.ts";

export interface Outage {
  readonly begin: () => unknown;
  readonly end: () => unknown;
  /** How signups are answered meanwhile. */
  readonly answer: string;
  /** True when a signup waits meanwhile, which nothing else may. */
  readonly waits?: boolean;
  /** Signs somebody up; by default as a server with the secret does. */
  readonly signUp?: () => Promise<Answer>;
}

/** So many answers, over so long a time, show how things are. */
const ENOUGH = 8;
const SHOWN_MS = 500;

const CLIENTS = 8;

/** Between an answer and the client's next request. */
const PAUSE_MS = 20;

/**
 * Lets signups come in while a neighbour is well, then is not, then is again: everything else goes
 * on, every answer is the right one, and nothing has to be restarted.
 *
 * @returns what was measured, for people.
 */
export async function throughOutage(site: Site, outage: Outage): Promise<string> {
  await using watch = repeatedly(1, async () => {
    const start = performance.now();
    if (!(await site.isWell())) throw new Error("health or a tool failed");
    return performance.now() - start;
  });
  await using load = repeatedly(CLIENTS, outage.signUp ?? site.signUp);
  const shown = async (isWanted: (given: Answer) => boolean) => {
    const since = performance.now();
    await Bun.sleep(SHOWN_MS);
    const wanted = () => load.results.filter((given) => given.sentAt > since && isWanted(given));
    await waitUntil("answers", () => wanted().length >= ENOUGH);
    return since;
  };
  await shown(() => true);
  const wellUntil = performance.now();
  await outage.begin();
  const brokenFrom = await shown(() => true);
  const brokenUntil = performance.now();
  await outage.end();
  await shown(({ outcome }) => outcome === SYNCED);
  await load.stop();
  await watch.stop();

  const before = load.results.filter(({ sentAt, ms }) => sentAt + ms < wellUntil);
  const during = load.results.filter(
    ({ sentAt, ms }) => sentAt > brokenFrom && sentAt + ms < brokenUntil,
  );
  expectSame(outcomes(before), [SYNCED]);
  expectSame(outcomes(during), [outage.answer]);
  const fastest = Math.min(...during.map((given) => given.ms));
  const slowest = Math.max(...watch.results);
  if (outage.waits && slowest > fastest) {
    throw new Error(`health and a tool took ${ms(slowest)}, a signup that waits ${ms(fastest)}`);
  }
  return `${during.length} answers in the outage, from ${ms(fastest)}; health and a tool in ${ms(slowest)} at most`;
}

const outcomes = (answers: readonly Answer[]) => [
  ...new Set(answers.map(({ outcome }) => outcome)),
];

export const ms = (time: number): string => `${Math.round(time)} ms`;

/** Sends a request again and again, by some clients at a time, until it is stopped or disposed of. */
export function repeatedly<Result>(clients: number, request: () => Promise<Result>) {
  const results: Result[] = [];
  let isOn = true;
  const client = async () => {
    while (isOn) {
      results.push(await request());
      await Bun.sleep(PAUSE_MS);
    }
  };
  const all = Promise.all(Array.from({ length: clients }, client));
  // Whoever stops it hears of a failure.
  all.catch(() => undefined);
  const stop = async () => {
    isOn = false;
    await all;
  };
  return { results, stop, [Symbol.asyncDispose]: stop };
}

/** Longer than the answers to the signups of an outage take. */
const PATIENCE_MS = 90_000;

/** @throws {Error} when it has not come true in time. */
export async function waitUntil(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await Bun.sleep(5);
  }
}

/**
 * Every address whose signup was acknowledged is stored, and none whose signup failed.
 *
 * @param doubtful how many may be there whose signup failed: a commit that is under way when the
 * connection breaks may be done, and nobody can say so.
 */
export function expectRecorded(
  answers: readonly Answer[],
  stored: readonly string[],
  doubtful = 0,
): string {
  const kept = new Set(stored);
  const acknowledged = answers.filter(({ outcome }) => outcome.startsWith("200 "));
  const lost = acknowledged.filter(({ email }) => !kept.has(email));
  if (lost.length > 0) throw new Error(`${lost.length} acknowledged signups are not stored`);
  const failed = answers.filter(({ outcome }) => outcome === FAILED);
  const unwanted = failed.filter(({ email }) => kept.has(email));
  if (unwanted.length > doubtful) throw new Error(`${unwanted.length} failed signups are stored`);
  return `${acknowledged.length} signed up and stored, ${failed.length} rejected`;
}
