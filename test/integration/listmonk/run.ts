import { deepEqual } from "node:assert/strict";
import { CASES } from "../../server/signup/newsletter/cases.ts";
import { openWorld, runScenario, type Server } from "../../server/signup/newsletter/world.ts";
import { runChecks } from "../runner.ts";

/*
 * Checks the newsletter with a real listmonk, as npm test does with a stand-in:
 * `npm run test:integration listmonk`. It makes lists and subscribers there, so that it runs only on one that may
 * be thrown away:
 * LISTMONK_TEST_URL, LISTMONK_TEST_USER and LISTMONK_TEST_TOKEN of an API user who may manage lists
 * and subscribers, LISTMONK_TEST_LIST_ID of a list with single opt-in, and
 * LISTMONK_TEST_CONFIRM=throwaway.
 */

const server = serverOf(process.env);
if (server === undefined) {
  process.stdout.write(
    "Not run: a listmonk to throw away is named by LISTMONK_TEST_URL, _USER, _TOKEN and _LIST_ID, with LISTMONK_TEST_CONFIRM=throwaway.\n",
  );
} else await check(server);

function serverOf(env: NodeJS.ProcessEnv): Server | undefined {
  const url = env.LISTMONK_TEST_URL;
  const user = env.LISTMONK_TEST_USER;
  const token = env.LISTMONK_TEST_TOKEN;
  const listId = Number(env.LISTMONK_TEST_LIST_ID);
  const isDeclared = env.LISTMONK_TEST_CONFIRM === "throwaway" && listId > 0;
  return isDeclared && url && user && token ? { url, user, token, listId } : undefined;
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
  try {
    await runChecks(cases);
  } finally {
    await world.close();
  }
}
