import { expectSame } from "../runner.ts";
import {
  type Answer,
  expectRecorded,
  FAILED,
  ms,
  NOT_SYNCED,
  SYNCED,
  spread,
  startLoad,
  tokenKept,
  waitUntil,
} from "./expect.ts";
import { expectTellingLog, openSite, type Site, startWatch } from "./site.ts";

export interface Outage {
  readonly begin: (site: Site) => unknown;
  readonly end: (site: Site) => unknown;
  /** How signups are answered meanwhile. */
  readonly answer: string;
  /** How long such an answer takes at most, on an idle machine. */
  readonly withinMs: number;
  /** Signs somebody up; by default as a server with the secret does. */
  readonly signUp?: () => Promise<Answer>;
}

/** When the neighbour was well, then not, then again. */
interface Course {
  readonly wellUntil: number;
  readonly brokenFrom: number;
  readonly brokenUntil: number;
  readonly repairedAt: number;
}

/** So many answers, over so long a time, show how things are. */
const ENOUGH = 8;
const SHOWN_MS = 500;

/** The time that a busy machine may add. */
const BUSY_MS = 2_000;

/**
 * Lets signups come in while a neighbour is well, then is not, then is again: everything else goes
 * on, every answer is the right one and comes in time, and nothing has to be restarted.
 *
 * @returns what was measured, for people.
 */
export async function throughOutage(site: Site, outage: Outage): Promise<string> {
  await using watch = startWatch(site);
  await using load = startLoad(outage.signUp ?? site.signUp);
  const course = await runOutage(site, outage, load.answers);
  await load.stop();
  return `${judge(outage, load.answers, course)}, ${await watch.judge()}`;
}

async function runOutage(
  site: Site,
  { begin, end, withinMs }: Outage,
  answers: readonly Answer[],
): Promise<Course> {
  const shown = async (since: number, isWanted: (given: Answer) => boolean) => {
    await Bun.sleep(SHOWN_MS);
    const wanted = () => answers.filter((given) => given.sentAt > since && isWanted(given));
    return waitUntil("answers", () => wanted().length >= ENOUGH, withinMs * ENOUGH + 10_000);
  };
  await shown(0, () => true);
  const wellUntil = performance.now();
  await begin(site);
  const brokenFrom = performance.now();
  await shown(brokenFrom, () => true);
  const brokenUntil = performance.now();
  await end(site);
  const repairedAt = performance.now();
  await shown(repairedAt, ({ outcome }) => outcome === SYNCED);
  return { wellUntil, brokenFrom, brokenUntil, repairedAt };
}

function judge(outage: Outage, answers: readonly Answer[], course: Course): string {
  const { answer, withinMs } = outage;
  const before = answers.filter((given) => doneAt(given) < course.wellUntil);
  const during = answers.filter(
    (given) => given.sentAt > course.brokenFrom && doneAt(given) < course.brokenUntil,
  );
  expectOnly("before", before, SYNCED);
  expectOnly("in the outage", during, answer);
  const slowest = Math.max(...answers.map((given) => given.ms));
  expectAtMost("an answer", slowest, withinMs + BUSY_MS);

  const recovery = recoveryOf(answers, course.repairedAt);
  expectAtMost("the recovery", recovery, BUSY_MS);
  return `${during.length} answers in the outage in ${spread(during)}, the slowest of all in ${ms(slowest)}, well again in ${ms(recovery)}`;
}

/** Until the last failure or, without one, the first success; of what was sent after the repair. */
function recoveryOf(answers: readonly Answer[], repairedAt: number): number {
  const since = answers.filter((given) => given.sentAt > repairedAt);
  const last = since.findLast((given) => given.outcome !== SYNCED) ?? since[0];
  return last ? doneAt(last) - repairedAt : 0;
}

const doneAt = (given: Answer): number => given.sentAt + given.ms;

function expectOnly(when: string, answers: readonly Answer[], outcome: string): void {
  const others = new Set(answers.map((given) => given.outcome).filter((one) => one !== outcome));
  if (others.size > 0) throw new Error(`${when}: ${[...others].join(", ")} instead of ${outcome}`);
}

function expectAtMost(what: string, took: number, limit: number): void {
  if (took > limit) throw new Error(`${what} took ${ms(took)}, more than ${ms(limit)}`);
}

/** For a site that has none. */
export const NO_FAULT = /(?!)/;

/**
 * SIGTERM ends the server with 0, and its log tells of every signup that failed or was not synced,
 * and of nobody.
 *
 * @param fault what is logged of those that failed.
 */
export async function expectCleanStop(site: Site, fault: RegExp): Promise<void> {
  site.signal("SIGTERM");
  expectSame(await site.exited(), 0);
  const log = await site.log();
  expectTellingLog(log, site.answers, fault);
  const warnings = log.lines.filter(
    ({ level, message }) => level === "warning" && message !== AS_ROOT,
  );
  const unsynced = site.answers.filter(({ outcome }) => outcome === NOT_SYNCED);
  expectSame(warnings.length, unsynced.length);
}

/** Said at the start where root runs the scenarios. */
const AS_ROOT = "the server runs as root: run it as its own user";

interface Database {
  readonly url: string;
  readonly rows: () => Promise<readonly unknown[]>;
  /** Commits that may be under way when it breaks; see expectRecorded(). None when left out. */
  readonly commits?: number;
}

export interface DatabaseOutage extends Omit<Outage, "answer" | "signUp"> {
  /** The logged error. */
  readonly fault: RegExp;
}

/**
 * A site whose database breaks and is repaired: signups fail meanwhile, nothing of them is recorded,
 * and the token of a visitor who comes again is still good.
 *
 * @returns what was measured, for people.
 */
export async function throughDatabaseOutage(
  { url, rows, commits }: Database,
  { begin, fault, ...outage }: DatabaseOutage,
): Promise<string> {
  await using site = await openSite({ DATABASE_URL: url });
  const token = await tokenKept(site);
  const beginWithToken = async () => {
    await begin(site);
    await token.fails();
  };
  const figures = await throughOutage(site, { ...outage, begin: beginWithToken, answer: FAILED });
  await token.isStillGood();
  const recorded = expectRecorded(site.answers, await rows(), commits);
  await expectCleanStop(site, fault);
  return `${figures}; ${recorded}`;
}

/** Something that fails and is repaired, and what the service does meanwhile and afterwards. */
export interface Scenario {
  readonly title: string;
  /**
   * @returns what was measured, for people.
   * @throws {Error} when the service fails.
   */
  readonly run: () => Promise<string>;
}
