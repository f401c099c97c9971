/*
 * Checks the newsletter with a real listmonk: `npm run test:listmonk`. It makes lists, subscribers
 * and load there, so that it runs only on one that may be thrown away, named by the environment:
 * LISTMONK_TEST_URL, LISTMONK_TEST_USER and LISTMONK_TEST_TOKEN of an API user who may manage lists
 * and subscribers, LISTMONK_TEST_LIST_ID of a list with single opt-in, and
 * LISTMONK_TEST_CONFIRM=throwaway.
 */
import { deepEqual } from "node:assert/strict";
import { runChecks } from "../clients/run-checks.ts";
import { CASES } from "../server/signup/newsletter/cases.ts";
import { play } from "../server/signup/newsletter/play.ts";
import { openWorld, type Server } from "../server/signup/newsletter/world.ts";
import { STORMS } from "./storms.ts";

const server = serverOf(process.env);
if (server) await check(server);
else {
  process.stdout.write(
    "Not run: it needs a listmonk to throw away, named by LISTMONK_TEST_URL, _USER, _TOKEN and _LIST_ID, with LISTMONK_TEST_CONFIRM=throwaway.\n",
  );
}

function serverOf(env: NodeJS.ProcessEnv): Server | undefined {
  const url = env.LISTMONK_TEST_URL;
  const user = env.LISTMONK_TEST_USER;
  const token = env.LISTMONK_TEST_TOKEN;
  const listId = Number(env.LISTMONK_TEST_LIST_ID);
  if (env.LISTMONK_TEST_CONFIRM !== "throwaway") return undefined;
  return url && user && token && listId > 0 ? { url, user, token, listId } : undefined;
}

async function check(listmonk: Server): Promise<void> {
  const world = await openWorld(listmonk);
  const cases = CASES.map((row) => ({
    title: row.title,
    run: async () => {
      const { actual, expected } = await play(world, row);
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
