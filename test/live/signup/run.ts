import type { BetaSignupOk } from "../../../schemas/index.ts";
import { createApp } from "../../../server/app.ts";
import { listen } from "../../../server/process/lifecycle.ts";
import { jsonLog } from "../../../server/process/log.ts";
import { readSignupConfig } from "../../../server/signup/config.ts";
import { openSignup } from "../../../server/signup/open.ts";
import { openStore } from "../../../server/signup/store/open-store.ts";
import { sqlite } from "../../server/support/databases.ts";
import { listmonkVariables, startFakeListmonk } from "../../server/support/fake-listmonk/server.ts";
import { anyToken, GOOD, SIGNUP } from "../../server/support/signup.ts";
import { type Check, expectSame, runChecks } from "../runner.ts";

/*
 * Tries to learn from the answers to signups, and from their times, whom the site or listmonk knows:
 * `npm run test:signup`, about five minutes. listmonk is a stand-in that takes a time for each call.
 */

const KINDS = ["new", "stored", "in listmonk", "unsubscribed"] as const;
type Kind = (typeof KINDS)[number];

const ORIGIN = "https://tools.test";

/** Signups of each kind. */
const ROUNDS = 24;

/** Medians of two kinds may be this far apart, in milliseconds. */
const MOST_APART_MS = 10;

/** The least probability that a difference is by chance. */
const LEAST_P = 0.0005;

interface Given {
  readonly callMs: number;
  /** The addresses that are signed up just before each round. */
  readonly flood: number;
}

/** A site as it is put together in the server, but for the challenge, and its listmonk. */
async function openSite() {
  const database = await sqlite.create();
  const store = await openStore(database.url);
  const slow = { ms: 0 };
  const listmonk = startFakeListmonk({ lookUpMs: 0, before: () => Bun.sleep(slow.ms) });
  const variables = { RATE_LIMIT: "off", ...listmonkVariables(listmonk) };
  const signup = openSignup(readSignupConfig(variables), {
    store,
    origin: () => ORIGIN,
    peerOf: () => undefined,
    warn: () => {},
    onLateError: (error) => {
      throw error;
    },
    metrics: undefined,
  });
  const app = createApp({
    baseUrl: () => ORIGIN,
    identity: {},
    run: () => {
      throw new Error("no tool is called");
    },
    priceBook: undefined,
    signup: { ...signup, challenge: anyToken },
    npmPackage: undefined,
    sourceUrl: undefined,
    mcp: false,
    log: jsonLog(() => {}),
    onRequest: undefined,
    isDraining: () => false,
  });
  const port = listen(app, { hostname: "127.0.0.1", port: 0 });
  return {
    listmonk,
    slow,
    /** With an attribute that nobody has yet. */
    async signUp(email: string) {
      const start = performance.now();
      const response = await fetch(`http://127.0.0.1:${port}${SIGNUP}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ ...GOOD, email, meta: { utmSource: "news" } }),
      });
      const answer: BetaSignupOk = JSON.parse(await response.text());
      return { answer, ms: performance.now() - start };
    },
    /** Puts somebody into listmonk. */
    seed(email: string, subscription: string) {
      const list = listmonk.list.id;
      const row = { email, name: "Old", status: "enabled", attribs: { ctaSource: "hero" } };
      const added = listmonk.subscribers.add({ ...row, lists: [list], preconfirm: true });
      added.subscriptions.set(list, subscription);
    },
    async [Symbol.asyncDispose]() {
      await signup.newsletter?.finish?.();
      signup.newsletter?.close?.();
      await app.stop(true);
      await store.close();
      await database.drop();
      await listmonk[Symbol.asyncDispose]();
    },
  };
}

type Site = Awaited<ReturnType<typeof openSite>>;

const emailOf = (kind: Kind, round: number): string =>
  `${kind.replaceAll(" ", "-")}${round}@site.test`;

async function seedAll({ seed, signUp }: Site): Promise<void> {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
  for (const round of rounds) {
    seed(emailOf("stored", round), "confirmed");
    seed(emailOf("in listmonk", round), "confirmed");
    seed(emailOf("unsubscribed", round), "unsubscribed");
  }
  await Promise.all(rounds.map((round) => signUp(emailOf("stored", round))));
}

const shuffled = <Value>(values: readonly Value[]): Value[] =>
  values
    .map((value) => ({ value, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ value }) => value);

/** Signs people of all kinds up together, round after round. */
async function measure({ callMs, flood }: Given): Promise<string> {
  await using site = await openSite();
  await seedAll(site);
  site.slow.ms = callMs;
  const times = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
  const floods: Promise<unknown>[] = [];
  let synced = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let at = 0; at < flood; at += 1) floods.push(site.signUp(`own${round}-${at}@site.test`));
    const answers = await Promise.all(
      shuffled(KINDS).map(async (kind) => {
        const { answer, ms } = await site.signUp(emailOf(kind, round));
        times.get(kind)?.push(ms);
        return JSON.stringify(answer);
      }),
    );
    expectSame(new Set(answers).size, 1);
    if (answers[0] === '{"ok":true,"listmonk":true}') synced += 1;
  }
  await Promise.all(floods);
  return `${judge(times)}, listmonk: true in ${synced} of ${ROUNDS}`;
}

/** @throws {Error} when the times of two kinds can be told apart. */
function judge(times: ReadonlyMap<Kind, readonly number[]>): string {
  const all = [...times];
  const medians = all.map(([, values]) => median(values));
  const apart = Math.max(...medians) - Math.min(...medians);
  const pairs = all.flatMap(([kind, values], at) =>
    all.slice(at + 1).map(([other, others]) => ({ kind, other, p: rankTest(values, others) })),
  );
  const found = pairs.filter(({ p }) => p < LEAST_P);
  const least = Math.min(...pairs.map(({ p }) => p));
  const text = `medians ${Math.min(...medians).toFixed(1)} to ${Math.max(...medians).toFixed(1)} ms, least p ${least.toFixed(4)}`;
  if (apart <= MOST_APART_MS && found.length === 0) return text;
  throw new Error(`${text}: ${JSON.stringify(found)}`);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = sorted.slice(middle - 1, middle + 1);
  return sorted.length % 2 === 0 ? (low + high) / 2 : high;
}

/**
 * The test of Mann and Whitney, by its normal approximation, which is good from about twenty values
 * each. Times are fine enough to have no ties.
 *
 * @returns the probability of ranks that differ as much, if both are of one distribution.
 */
function rankTest(one: readonly number[], other: readonly number[]): number {
  const wins = one.reduce((sum, a) => sum + other.filter((b) => a > b).length, 0);
  const product = one.length * other.length;
  const deviation = Math.sqrt((product * (one.length + other.length + 1)) / 12);
  return 2 * (1 - normal(Math.abs(wins - product / 2) / deviation));
}

/** The distribution function, to within 1.5e-7 (Abramowitz and Stegun 7.1.26). */
function normal(z: number): number {
  const t = 1 / (1 + (0.3275911 * z) / Math.SQRT2);
  const polynomial =
    ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return 1 - (polynomial * Math.exp((-z * z) / 2)) / 2;
}

const checks: Check[] = [0, 20, 40].flatMap((flood) =>
  [0, 250, 1_500].map((callMs) => ({
    title: `nobody is told apart: ${callMs} ms a call, after ${flood} other signups`,
    run: async () => {
      const text = await measure({ callMs, flood });
      process.stdout.write(`      ${text}\n`);
    },
  })),
);

await runChecks(checks);
