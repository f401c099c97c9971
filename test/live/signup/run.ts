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
import { median, rankTest } from "./statistics.ts";

/*
 * Tries to learn from the answers to signups, and from their times, whom the site or listmonk knows:
 * `npm run test:signup`, about five minutes. listmonk is a stand-in that takes a time for each call.
 * `-- --left` prints what answers still tell where listmonk is slow or broken in part.
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
    seed(email: string, subscription: string, list = listmonk.list.id) {
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

const checks: Check[] = [0, 20, 40].flatMap((flood) =>
  [0, 250, 1_500].map((callMs) => ({
    title: `nobody is told apart: ${callMs} ms a call, after ${flood} other signups`,
    run: async () => {
      const text = await measure({ callMs, flood });
      process.stdout.write(`      ${text}\n`);
    },
  })),
);

/** The flags for each kind of person, with a listmonk that the site cannot hide. */
async function printWhatIsLeft(): Promise<void> {
  const ways: readonly (readonly [string, number, string?])[] = [
    ["300 ms a call", 300],
    ["400 ms a call", 400],
    ["600 ms a call", 600],
    ["creating fails", 0, "POST /api/subscribers"],
    ["attributes fail", 0, "PATCH /api/subscribers/{id}"],
    ["the search fails", 0, "GET /api/subscribers"],
  ];
  for (const [title, callMs, broken] of ways) {
    await using site = await openSite();
    const { listmonk, seed, signUp, slow } = site;
    listmonk.subscribers.lists.set(listmonk.list.id, { ...listmonk.list, optin: "double" });
    const other = listmonk.subscribers.addList({ name: "Other" });
    // Learns of the list's opt-in, as at the start.
    seed("first@site.test", "confirmed", other.id);
    await signUp("first@site.test");
    seed("on-it@site.test", "confirmed");
    seed("not-confirmed@site.test", "unconfirmed");
    seed("on-another-list@site.test", "confirmed", other.id);
    seed("unsubscribed@site.test", "unsubscribed");
    slow.ms = callMs;
    if (broken !== undefined) {
      listmonk.faults.set(broken, () => Response.json({ message: "down" }, { status: 500 }));
    }
    const flags: string[] = [];
    for (const name of ["new", "on-it", "unsubscribed", "not-confirmed", "on-another-list"]) {
      const { answer } = await signUp(`${name}@site.test`);
      flags.push(`${name} ${answer.listmonk}`);
    }
    process.stdout.write(`${title}: ${flags.join(", ")}\n`);
  }
}

if (process.argv.includes("--left")) await printWhatIsLeft();
else await runChecks(checks);
