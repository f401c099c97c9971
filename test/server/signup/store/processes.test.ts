import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openStore } from "../../../../server/signup/store/open-store.ts";
import {
  hasPostgres,
  postgres,
  sqlite,
  startPostgres,
  type TestEngine,
  WITHOUT_POSTGRES,
} from "../../support/databases.ts";
import { firstLine } from "../../support/servers.ts";

/** Runs a program in a process of its own. */
const runProgram = (program: URL, ...parameters: readonly string[]) =>
  Bun.spawn([process.execPath, Bun.fileURLToPath(program), ...parameters], {
    stdio: ["pipe", "pipe", "inherit"],
  });

const BURST = new URL("./burst-process.ts", import.meta.url);

const PROCESSES = 4;

/** How many records each of the processes had accepted, 25 each, all on the same new database. */
async function burst(url: string, shared: "address" | "nonce"): Promise<number[]> {
  const children = Array.from({ length: PROCESSES }, () => runProgram(BURST, url, shared));
  const outputs = await Promise.all(children.map(({ stdout }) => firstLine(stdout)));
  for (const { stdin } of children) {
    stdin.write("go\n");
    stdin.end();
  }
  const texts = await Promise.all(outputs.map((readAll) => readAll()));
  return texts.map((text) => Number(/^ready\n(\d+)\n$/.exec(text)?.[1]));
}

function processCases(engine: TestEngine): void {
  test("four processes that start together and record one address 25 times make one row", async () => {
    const database = await engine.create();
    expect(await burst(database.url, "address")).toEqual([25, 25, 25, 25]);
    const store = await openStore(database.url);
    expect(await store.count()).toBe(1);
    await store.close();
    await database.drop();
  }, 60_000);

  test("four processes that use one nonce 25 times record one address", async () => {
    const database = await engine.create();
    const accepted = await burst(database.url, "nonce");
    expect(accepted.sort()).toEqual([0, 0, 0, 1]);
    const store = await openStore(database.url);
    expect(await store.count()).toBe(1);
    await store.close();
    await database.drop();
  }, 60_000);
}

describe("SQLite in several processes", () => processCases(sqlite));

describe.skipIf(!hasPostgres)(`PostgreSQL in several processes${WITHOUT_POSTGRES}`, () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.end());
  processCases(postgres(() => server));
});

const STORM = new URL("./storm-process.ts", import.meta.url);

const ROUNDS = 20;

/** The addresses that a storm was told are recorded before it was killed, some time after the first. */
async function killedStorm(url: string, round: number): Promise<string[]> {
  const storm = runProgram(STORM, url, String(round));
  const readAll = await firstLine(storm.stdout);
  await Bun.sleep(Math.random() * 100);
  storm.kill("SIGKILL");
  const output = await readAll();
  await storm.exited;
  expect(storm.signalCode).toBe("SIGKILL");
  // What follows the last line break was cut off.
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
}, 120_000);
