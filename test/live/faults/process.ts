import { readFileSync, writeFileSync } from "node:fs";
import { startServer } from "../../server/support/servers.ts";
import { expectSame } from "../runner.ts";
import { type Answer, expectRecorded, FAILED, ms, SYNCED, startLoad, waitUntil } from "./expect.ts";
import { openListmonk, openPostgres, openRelay, sqliteFile } from "./fakes.ts";
import { smallDisk } from "./host.ts";
import type { Scenario } from "./outage.ts";
import { openSite, type Site } from "./site.ts";

const PATIENCE_MS = 10_000;

/**
 * The server ends with 1, and says in one line why.
 *
 * @returns that line.
 */
async function expectNoStart(databaseUrl: string, reason: RegExp): Promise<string> {
  const server = await startServer(undefined, { DATABASE_URL: databaseUrl });
  expectSame(await server.exited(PATIENCE_MS), 1);
  const said = await server.error();
  if (/^error: DATABASE_URL: .+\n$/.test(said) && reason.test(said)) return said.trim();
  throw new Error(`it did not say ${reason} but: ${said}`);
}

/** It starts and works; SIGTERM leaves one whole file, SIGKILL what is not in it yet beside it. */
async function expectStart(databaseUrl: string, end: NodeJS.Signals): Promise<void> {
  await using site = await openSite({ DATABASE_URL: databaseUrl });
  expectSame((await site.signUp()).outcome, SYNCED);
  site.signal(end);
  await site.exited();
}

export const badHeader: Scenario = {
  title: "the header of the SQLite file is overwritten: no start until it is repaired",
  run: async () => {
    using database = sqliteFile();
    await expectStart(database.url, "SIGTERM");
    const whole = readFileSync(database.path);
    writeFileSync(database.path, Buffer.concat([Buffer.from("overwritten"), whole.subarray(11)]));
    const said = await expectNoStart(database.url, /file is not a database$/m);
    writeFileSync(database.path, whole);
    await expectStart(database.url, "SIGTERM");
    return said;
  },
};

/**
 * SQLite opens such a file without a word, and could not write to it until the next start. It needs
 * the right to mount: root may write to a file whatever its mode says.
 */
export const readOnlyDisk: Scenario = {
  title: "the SQLite file is on a read-only disk: no start until it can be written",
  run: async () => {
    using disk = smallDisk();
    const { url } = sqliteFile(disk.folder);
    await expectStart(url, "SIGKILL");
    disk.allowWrites(false);
    const said = await expectNoStart(url, /attempt to write a readonly database$/m);
    disk.allowWrites(true);
    await expectStart(url, "SIGKILL");
    return said;
  },
};

export const silentAtStart: Scenario = {
  title: "PostgreSQL is silent at the start: no start, and no wait without end",
  run: async () => {
    using relay = await openRelay("postgres://user:secret-of-postgres@127.0.0.1:1/x");
    relay.silence();
    const reason = /PostgreSQL at [\d.:]+ cannot be used: Connection timeout/;
    return await expectNoStart(relay.url, reason);
  },
};

/** That the store itself survives it 20 times is shown in test/server/signup/store/processes.test.ts. */
export const killUnderLoad: Scenario = {
  title: "kill -9 under load: every acknowledged signup is there, and the next start works at once",
  run: async () => {
    using database = sqliteFile();
    await using killed = await openSite({ DATABASE_URL: database.url });
    await using load = startLoad(killed.signUp);
    await waitUntil("answers", () => load.answers.length > 200);
    killed.signal("SIGKILL");
    await killed.exited();
    await load.stop();

    const start = performance.now();
    await using site = await openSite({ DATABASE_URL: database.url });
    expectSame((await site.signUp()).outcome, SYNCED);
    const took = ms(performance.now() - start);
    return `${expectRecorded(killed.answers, await database.rows())}; the next after ${took}`;
  },
};

/** The errors of clients that find the server stopping, or are cut off. */
const TURNED_AWAY = "ECONNREFUSED";
const CUT_OFF = "ECONNRESET";

/** As many as a server has connections to PostgreSQL. */
const COMMITS = 5;

const expectOnly = (answers: readonly Answer[], outcomes: readonly string[]): void =>
  expectSame([...new Set(answers.map(({ outcome }) => outcome))].sort(), [...outcomes].sort());

/** Signups come in; after the first ones the trouble begins and the server is stopped. */
async function stopAmidLoad(site: Site, trouble: () => unknown): Promise<string> {
  await using load = startLoad(site.signUp);
  await waitUntil("answers", () => load.answers.length > 50);
  await trouble();
  const start = performance.now();
  site.signal("SIGTERM");
  const code = await site.exited(15_000);
  const took = performance.now() - start;
  // Whoever comes now finds nobody.
  await waitUntil("answers", () => load.answers.some(({ outcome }) => outcome === TURNED_AWAY));
  await load.stop();
  expectSame(code, 0);
  return `ended in ${ms(took)}`;
}

export const stopUnderLoad: readonly Scenario[] = [
  {
    title: "SIGTERM under load: accepted connections are answered",
    run: async () => {
      using database = sqliteFile();
      await using listmonk = await openListmonk();
      await using site = await openSite({ DATABASE_URL: database.url, ...listmonk.environment });
      const ended = await stopAmidLoad(site, () => listmonk.relay.delay(500));
      expectOnly(site.answers, [SYNCED, TURNED_AWAY]);
      return `${ended}; ${expectRecorded(site.answers, await database.rows())}`;
    },
  },
  {
    title:
      "SIGTERM twice while listmonk hangs: nobody is waited for, and nothing acknowledged is lost",
    run: async () => {
      using database = sqliteFile();
      await using listmonk = await openListmonk();
      await using site = await openSite({ DATABASE_URL: database.url, ...listmonk.environment });
      const ended = await stopAmidLoad(site, async () => {
        listmonk.relay.silence();
        setTimeout(() => site.signal("SIGTERM"), 1_000);
        await Bun.sleep(100);
      });
      expectOnly(site.answers, [SYNCED, CUT_OFF, TURNED_AWAY]);
      return `${ended}; ${expectRecorded(site.answers, await database.rows())}`;
    },
  },
];

export const stopAmidSilence: Scenario = {
  title: "SIGTERM while PostgreSQL is silent",
  run: async () => {
    await using postgres = await openPostgres();
    using relay = await openRelay(postgres.url);
    await using site = await openSite({ DATABASE_URL: relay.url });
    const ended = await stopAmidLoad(site, relay.silence);
    expectOnly(site.answers, [SYNCED, FAILED, TURNED_AWAY]);
    return `${ended}; ${expectRecorded(site.answers, await postgres.rows(), COMMITS)}`;
  },
};
