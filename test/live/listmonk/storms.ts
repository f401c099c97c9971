import { deepEqual, equal } from "node:assert/strict";
import type { Newsletter, SignupStore } from "../../../server/signup/model.ts";
import { withLease } from "../../../server/signup/newsletter/lease.ts";
import { listmonkApi } from "../../../server/signup/newsletter/listmonk-api.ts";
import { openStore } from "../../../server/signup/store/open-store.ts";
import { ATTRIBUTES, NAME } from "../../server/signup/newsletter/cases.ts";
import type { World } from "../../server/signup/newsletter/world.ts";
import { sqlite } from "../../server/support/databases.ts";

const NEVER_SYNCED = { synced: false, listmonkId: undefined };
const MOST_LOOK_UPS = 4;

/** The effects of many callers, or killed ones, on one listmonk. */
export const STORMS = [
  { title: "100 signups of one address at a time", run: oneAddress },
  { title: "200 repeats at a time", run: manyRepeats },
  {
    title: "50 double clicks on two servers by people of another list, one mail each",
    run: doubleClicks,
  },
  {
    title: "a server is killed before it reads listmonk's answer, and another one repeats",
    run: killedServer,
  },
];

const signup = (email: string) => ({ email, name: NAME, attributes: ATTRIBUTES });
const unique = () => crypto.randomUUID().slice(0, 8);

/** A newsletter on one of the world's lists. */
function newsletterOn({ server, lists }: World, list: "single" | "double", fetch?: Fetch) {
  const { url, user, token } = server;
  const options = { url, user, token, listId: lists[list], preconfirm: false };
  return listmonkApi({ ...options, maxLookups: MOST_LOOK_UPS, ...(fetch && { fetch }) });
}

type Fetch = NonNullable<Parameters<typeof listmonkApi>[0]["fetch"]>;

/** A newsletter on the world's list that counts its look-ups. */
function countingNewsletter(world: World) {
  const lookUps = { now: 0, most: 0 };
  const newsletter = newsletterOn(world, "single", async (asked, init) => {
    if (init.method !== "GET") return await fetch(asked, init);
    lookUps.now += 1;
    lookUps.most = Math.max(lookUps.most, lookUps.now);
    try {
      return await fetch(asked, init);
    } finally {
      lookUps.now -= 1;
    }
  });
  return { newsletter, lookUps };
}

/** 100 signups at a time of one new address, by four processes, make one subscriber. */
async function oneAddress(world: World): Promise<void> {
  const email = `storm-${unique()}@site.test`;
  const processes = Array.from({ length: 4 }, () => countingNewsletter(world).newsletter);
  const results = await Promise.all(
    Array.from({ length: 25 }, () =>
      processes.map((one) => one.sync(signup(email), NEVER_SYNCED)),
    ).flat(),
  );
  const ids = new Set(results.map(({ listmonkId }) => listmonkId));
  deepEqual([results.filter(({ ok }) => ok).length, ids.size], [100, 1]);
  for (const id of ids) if (id !== undefined) world.note(id);
}

/** 200 simultaneous repeats look up four at a time: 26 would stop a real listmonk for good. */
async function manyRepeats(world: World): Promise<void> {
  const { newsletter, lookUps } = countingNewsletter(world);
  const emails = Array.from({ length: 200 }, () => `storm-${unique()}@site.test`);
  const syncAll = () =>
    Promise.all(emails.map((email) => newsletter.sync(signup(email), NEVER_SYNCED)));
  for (const { listmonkId } of await syncAll()) {
    if (listmonkId !== undefined) world.note(listmonkId);
  }
  const repeats = await syncAll();
  equal(repeats.filter(({ ok }) => ok).length, emails.length);
  equal(lookUps.most, MOST_LOOK_UPS);
}

/** Two servers of a site, each with a lease on the addresses of one database. */
async function underLeases(
  newsletters: readonly Newsletter[],
  work: (servers: readonly Newsletter[], store: SignupStore) => Promise<void>,
): Promise<void> {
  const database = await sqlite.create();
  const store = await openStore(database.url);
  const options = { store: () => store, now: () => new Date(), onError: fail };
  try {
    await work(
      newsletters.map((one) => withLease(one, options)),
      store,
    );
  } finally {
    await store.close();
    await database.drop();
  }
}

const fail = (error: unknown): never => {
  throw error;
};

const recordIn = (store: SignupStore, email: string) =>
  store.record(
    { email, ctaSource: "hero", referral: undefined, referralOther: undefined },
    undefined,
    new Date(),
  );

/** listmonk mails each call for somebody who has yet to confirm, so only one server may make it. */
async function doubleClicks(world: World): Promise<void> {
  const both = [newsletterOn(world, "double"), newsletterOn(world, "double")];
  await underLeases(both, async (servers, store) => {
    for (let at = 0; at < 50; at += 1) {
      const email = `double-${unique()}@site.test`;
      await world.seed(email, {
        name: NAME,
        status: "enabled",
        attribs: {},
        on: { other: "confirmed" },
      });
      await recordIn(store, email);
      const results = await Promise.all(
        servers.map((one) => one.sync(signup(email), NEVER_SYNCED)),
      );
      deepEqual(
        results.map(({ ok }) => ok),
        [true, true],
      );
      if (world.server.mailsTo) equal(world.server.mailsTo(email), 1);
    }
  });
}

/** listmonk has created and mailed the person; nobody has noted that. */
async function killedServer(world: World): Promise<void> {
  const killed: Fetch = async (asked, init) => {
    await (await fetch(asked, init)).text();
    throw new Error("killed");
  };
  const both = [newsletterOn(world, "double", killed), newsletterOn(world, "double")];
  await underLeases(both, async ([first, second], store) => {
    const email = `killed-${unique()}@site.test`;
    await recordIn(store, email);
    equal((await first?.sync(signup(email), NEVER_SYNCED))?.ok, false);
    for (let times = 0; times < 3; times += 1) {
      const repeat = await second?.sync(signup(email), NEVER_SYNCED);
      equal(repeat?.ok, true);
      if (times === 0 && repeat?.listmonkId !== undefined) world.note(repeat.listmonkId);
    }
    // The one that nobody knew of, and one more to be sure.
    if (world.server.mailsTo) equal(world.server.mailsTo(email), 2);
  });
}
