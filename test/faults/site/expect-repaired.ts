import { expectSame } from "../../clients/check.ts";
import { NOT_SYNCED, SYNCED } from "./answer.ts";
import type { Site } from "./site.ts";

/** Who was saved but not synced signs up again: then all are synced, and nobody is there twice. */
export async function expectRepaired(
  site: Site,
  rows: () => Promise<readonly unknown[]>,
): Promise<string> {
  const before = await rows();
  const unsynced = site.answers.filter(({ outcome }) => outcome === NOT_SYNCED);
  const repeats = await Promise.all(unsynced.map(site.repeat));
  expectSame(new Set(repeats.map(({ outcome }) => outcome)), new Set([SYNCED]));
  const states = (await rows()).map((row) => Object(row).sync_state);
  expectSame(
    [states.length, states.filter((state) => state !== "synced").length],
    [before.length, 0],
  );
  return `${repeats.length} repeats synced`;
}
