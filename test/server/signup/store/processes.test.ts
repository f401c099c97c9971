import { describe, expect, test } from "bun:test";
import { openStore } from "../../../../server/signup/store/open-store.ts";
import { runs } from "../../../support/runs.ts";
import { sqlite } from "../../support/databases.ts";
import { firstLine } from "../../support/servers.ts";
import { processCases, runProgram } from "./process-cases.ts";

describe("SQLite in several processes", () => processCases(sqlite));

const STORM = new URL("./storm-process.ts", import.meta.url);

const ROUNDS = runs(5);

/** The addresses that the store acknowledged before it was killed, some time after the first. */
async function killedStorm(url: string, round: number): Promise<string[]> {
  const storm = runProgram(STORM, url, String(round));
  const { readAll } = await firstLine(storm.stdout);
  await Bun.sleep(Math.random() * 100);
  storm.kill("SIGKILL");
  const output = await readAll();
  await storm.exited;
  expect(storm.signalCode).toBe("SIGKILL");
  // The text after the last line break was cut off.
  return output.split("\n").slice(0, -1);
}

test(`SIGKILL in a storm of signups, ${ROUNDS} times, loses none that was acknowledged`, async () => {
  const database = await sqlite.create();
  const acknowledged = new Set<string>();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const addresses = await killedStorm(database.url, round);
    expect(addresses.length).toBeGreaterThan(0);
    for (const address of addresses) acknowledged.add(address);

    const rows = await database.query("SELECT email FROM signups");
    const emails = rows.map((row) => Object(row).email);
    const stored = new Set(emails);
    expect(emails).toHaveLength(stored.size);
    expect([...acknowledged].filter((email) => !stored.has(email))).toEqual([]);
    // Of each round there is one at most that was recorded and not yet acknowledged.
    expect(stored.size - acknowledged.size).toBeLessThanOrEqual(round);
    // Every row came with its nonce, also the last one.
    expect((await database.query(sqlite.nonces)).length).toBeGreaterThanOrEqual(stored.size);
    expect(await database.query("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  }
  const store = await openStore(database.url);
  expect(await store.count()).toBeGreaterThanOrEqual(acknowledged.size);
  await store.close();
  await database.drop();
});
