import { deepEqual } from "node:assert/strict";
import { CASES } from "../../server/signup/newsletter/cases.ts";
import {
  asServer,
  openWorld,
  runScenario,
  type Server,
} from "../../server/signup/newsletter/world.ts";
import { startFakeListmonk } from "../../server/support/fake-listmonk/server.ts";
import { runChecks } from "../runner.ts";
import { STORMS } from "./storms.ts";

/*
 * Checks the newsletter with a listmonk: `npm run test:listmonk`. Without one in the environment it
 * is a stand-in. It makes lists, subscribers and load there, so that it runs only on a real one that
 * may be thrown away:
 * LISTMONK_TEST_URL, LISTMONK_TEST_USER and LISTMONK_TEST_TOKEN of an API user who may manage lists
 * and subscribers, LISTMONK_TEST_LIST_ID of a list with single opt-in, and
 * LISTMONK_TEST_CONFIRM=throwaway.
 */

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
