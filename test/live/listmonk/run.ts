import { deepEqual, equal } from "node:assert/strict";
import { listmonkApi } from "../../../server/signup/newsletter/listmonk-api.ts";
import { ATTRIBUTES, CASES, NAME } from "../../server/signup/newsletter/cases.ts";
import {
  asServer,
  openWorld,
  runScenario,
  type Server,
  type World,
} from "../../server/signup/newsletter/world.ts";
import { startFakeListmonk } from "../../server/support/fake-listmonk/server.ts";
import { runChecks } from "../runner.ts";

/*
 * Checks the newsletter with a listmonk: `npm run test:listmonk`. Without one in the environment it
 * is a stand-in. It makes lists, subscribers and load there, so that it runs only on a real one that
 * may be thrown away:
 * LISTMONK_TEST_URL, LISTMONK_TEST_USER and LISTMONK_TEST_TOKEN of an API user who may manage lists
 * and subscribers, LISTMONK_TEST_LIST_ID of a list with single opt-in, and
 * LISTMONK_TEST_CONFIRM=throwaway.
 */

const NEVER_SYNCED = { synced: false, listmonkId: undefined };
const MOST_LOOK_UPS = 4;

const STORMS = [
  { title: "100 signups of one address at a time", run: oneAddress },
  { title: "200 repeats at a time", run: manyRepeats },
];

const signup = (email: string) => ({ email, name: NAME, attributes: ATTRIBUTES });
const unique = () => crypto.randomUUID().slice(0, 8);

const server = serverOf(process.env);
if (server === "not declared") {
  process.stdout.write(
    "Not run: a listmonk to throw away is named by LISTMONK_TEST_URL, _USER, _TOKEN and _LIST_ID, with LISTMONK_TEST_CONFIRM=throwaway.\n",
  );
} else if (server) await check(server);
else {
  await using standIn = startFakeListmonk();
  await check(asServer(standIn));
}

/** @returns undefined where none is named. */
function serverOf(env: NodeJS.ProcessEnv): Server | "not declared" | undefined {
  const url = env.LISTMONK_TEST_URL;
  const user = env.LISTMONK_TEST_USER;
  const token = env.LISTMONK_TEST_TOKEN;
  const listId = Number(env.LISTMONK_TEST_LIST_ID);
  if (url === undefined) return undefined;
  if (env.LISTMONK_TEST_CONFIRM !== "throwaway") return "not declared";
  return user && token && listId > 0 ? { url, user, token, listId } : "not declared";
}

async function check(listmonk: Server): Promise<void> {
  const world = await openWorld(listmonk);
  const cases = CASES.map((row) => ({
    title: row.title,
    run: async () => {
      const { actual, expected } = await runScenario(world, row);
      deepEqual(actual, expected);
    },
  }));
  const storms = STORMS.map(({ title, run }) => ({ title, run: () => run(world) }));
  try {
    await runChecks([...cases, ...storms]);
  } finally {
    await world.close();
  }
}

/** A newsletter on the world's list that counts its look-ups. */
function countingNewsletter({ server, lists }: World) {
  const lookUps = { now: 0, most: 0 };
  const { url, user, token } = server;
  const newsletter = listmonkApi({
    url,
    user,
    token,
    listId: lists.single,
    preconfirm: false,
    maxLookups: MOST_LOOK_UPS,
    warn: () => {},
    fetch: async (asked, init) => {
      if (init.method !== "GET") return await fetch(asked, init);
      lookUps.now += 1;
      lookUps.most = Math.max(lookUps.most, lookUps.now);
      try {
        return await fetch(asked, init);
      } finally {
        lookUps.now -= 1;
      }
    },
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
