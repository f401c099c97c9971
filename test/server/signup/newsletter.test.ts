import { expect, test } from "bun:test";
import { startFakeListmonk } from "./fake-listmonk.ts";
import { CASES } from "./newsletter/cases.ts";
import { asServer } from "./newsletter/fake-world.ts";
import { play } from "./newsletter/play.ts";
import { openWorld } from "./newsletter/world.ts";

test.each(CASES.map((row) => [row.title, row] as const))("%s", async (_, row) => {
  await using listmonk = startFakeListmonk();
  const { actual, expected } = await play(await openWorld(asServer(listmonk)), row);
  expect<unknown>(actual).toEqual(expected);
});
