import { postgres, startPostgres } from "../../server/support/databases.ts";
import { listmonkVariables, startFakeListmonk } from "../../server/support/fake-listmonk/server.ts";
import { fakeSiteverify, passing } from "../../server/support/fake-siteverify.ts";
import { type Check, expectSame, runChecks } from "../runner.ts";
import { mayMount, openRelay, smallDisk, sqliteFile } from "./neighbours.ts";
import { expectRecorded, type Outage, throughOutage } from "./outage.ts";
import { FAILED, NOT_SYNCED, openSite, SYNCED } from "./site.ts";

/*
 * Makes each of the server's neighbours fail once and come back: `npm run test:integration faults`. All of them
 * are on this machine, which has to be a Linux with PostgreSQL. The full disk is skipped without the
 * right to mount, and a word that is given picks the scenarios with it in their title.
 */

const EMAILS = "SELECT email FROM signups";

/** As many as a server has connections to PostgreSQL for signups. */
const COMMITS = 4;

/** The stand-in takes a reply for each request; there will not be so many. */
const MANY = 100_000;

const diskFull: Check = {
  title: "the disk is full until space is freed",
  run: async () => {
    using disk = smallDisk();
    const database = sqliteFile(disk.folder);
    await throughDatabaseOutage(database.url, async () => database.query(EMAILS), disk);
  },
};

const postgresDead: Check = {
  title: "PostgreSQL's machine dies, and another takes its place",
  run: async () => {
    const server = await startPostgres();
    try {
      const database = await postgres(() => server).create();
      using relay = await openRelay(database.url);
      const emails = async () =>
        (await database.query("SELECT email FROM handtools.signups")).map((row) =>
          String(Object(row).email),
        );
      await throughDatabaseOutage(relay.url, emails, relay, COMMITS);
    } finally {
      await server.end();
    }
  },
};

/**
 * A site whose database breaks and is repaired: signups fail meanwhile, nothing of them is recorded,
 * and the token of a visitor who comes again is still good, once.
 */
async function throughDatabaseOutage(
  url: string,
  emails: () => Promise<readonly string[]>,
  outage: Pick<Outage, "begin" | "end">,
  commits?: number,
): Promise<void> {
  await using site = await openSite({ DATABASE_URL: url });
  const token = await site.solveChallenge();
  const use = async () => (await site.signUpWith(token)).outcome;
  const begin = async () => {
    await outage.begin();
    expectSame(await use(), FAILED);
  };
  say(await throughOutage(site, { ...outage, begin, answer: FAILED }));
  expectSame([await use(), (await use()).slice(0, 4)], [SYNCED, "403 "]);
  say(expectRecorded(site.answers, await emails(), commits));
  await site.expectCleanStop();
}

const listmonkDead: Check = {
  title: "listmonk's machine dies, and a repeat of each signup syncs it afterwards",
  run: async () => {
    using database = sqliteFile();
    await using listmonk = startFakeListmonk();
    using relay = await openRelay(listmonk.url);
    await using site = await openSite({
      DATABASE_URL: database.url,
      ...listmonkVariables({ ...listmonk, url: relay.url }),
    });
    say(await throughOutage(site, { ...relay, answer: NOT_SYNCED, waits: true }));
    const unsynced = site.answers.filter(({ outcome }) => outcome === NOT_SYNCED);
    for (const answer of unsynced) expectSame((await site.repeat(answer)).outcome, SYNCED);
    const emails = database.query(EMAILS);
    say(expectRecorded(site.answers, emails));
    expectSame(database.query("SELECT DISTINCT sync_state FROM signups"), ["synced"]);
    expectSame(listmonk.subscribers.rows.size, emails.length);
    await site.expectCleanStop();
  },
};

const siteverifyDead: Check = {
  title: "siteverify's machine dies: nobody is let in until it is there again",
  run: async () => {
    using database = sqliteFile();
    using siteverify = fakeSiteverify(...Array(MANY).fill(passing()));
    using relay = await openRelay(siteverify.url);
    await using site = await openSite({
      DATABASE_URL: database.url,
      TURNSTILE_SITE_KEY: "a-site-key",
      TURNSTILE_SECRET_KEY: "secret-of-turnstile",
      TURNSTILE_VERIFY_URL: relay.url,
    });
    const signUp = () => site.signUpWith(crypto.randomUUID());
    say(await throughOutage(site, { ...relay, answer: FAILED, waits: true, signUp }));
    say(expectRecorded(site.answers, database.query(EMAILS)));
    await site.expectCleanStop();
  },
};

function say(figures: string): void {
  process.stdout.write(`      ${figures}\n`);
}

const [word = ""] = process.argv.slice(2);
const onDisks = mayMount() ? [diskFull] : [];
if (onDisks.length === 0) say("without the right to mount, no disk is filled");
const all = [...onDisks, postgresDead, listmonkDead, siteverifyDead];
await runChecks(all.filter(({ title }) => title.includes(word)));
