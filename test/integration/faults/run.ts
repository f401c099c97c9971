import { sqlite } from "../../server/support/databases.ts";
import { expectSame, runChecks } from "../runner.ts";
import { repeatedly, waitUntil } from "../wait.ts";
import { type Answer, FAILED, openSite, SYNCED } from "./site.ts";
import { mayMount, smallDisk } from "./small-disk.ts";

/*
 * Fills the disk of a site that people sign up on, and frees it again: `npm run test:integration faults`. It needs
 * a Linux and the right to mount, and is skipped without.
 */

const CLIENTS = 8;

/** So many answers, over so long a time, show how things are. */
const ENOUGH = 8;
const SHOWN_MS = 500;

/**
 * Signups fail meanwhile, nothing of them is recorded, and the token of a visitor who comes again is
 * still good, once. Everything else goes on, and nothing has to be restarted.
 */
async function throughFullDisk(): Promise<void> {
  using disk = smallDisk();
  const database = sqlite.at(disk.folder);
  await using site = await openSite({ DATABASE_URL: database.url });
  const token = await site.solveChallenge();
  const use = async () => (await site.signUpWith(token)).outcome;
  await using watch = repeatedly(1, async () => {
    if (!(await site.isWell())) throw new Error("health or a tool failed");
  });
  await using load = repeatedly(CLIENTS, site.signUp);
  const shown = async (outcome: string) => {
    const since = performance.now();
    await Bun.sleep(SHOWN_MS);
    const isOne = (given: Answer) => given.sentAt > since && given.outcome === outcome;
    await waitUntil(outcome, () => load.results.filter(isOne).length >= ENOUGH);
    return since;
  };
  await shown(SYNCED);
  const wellUntil = performance.now();
  disk.fill();
  expectSame(await use(), FAILED);
  const brokenFrom = await shown(FAILED);
  const brokenUntil = performance.now();
  disk.free();
  await shown(SYNCED);
  await load.stop();
  await watch.stop();

  const outcomesOf = (isMeant: (answer: Answer) => boolean) => [
    ...new Set(load.results.filter(isMeant).map(({ outcome }) => outcome)),
  ];
  const before = outcomesOf(({ endedAt }) => endedAt < wellUntil);
  const during = outcomesOf(({ sentAt, endedAt }) => sentAt > brokenFrom && endedAt < brokenUntil);
  expectSame([before, during], [[SYNCED], [FAILED]]);
  expectSame([await use(), (await use()).slice(0, 4)], [SYNCED, "403 "]);

  const rows = await database.query("SELECT email FROM signups");
  const stored = new Set(rows.map((row) => Object(row).email));
  const wrong = site.answers.filter(
    ({ outcome, email }) => stored.has(email) !== (outcome === SYNCED),
  );
  expectSame(wrong, []);
  await site.expectCleanStop();
}

if (mayMount()) {
  await runChecks([{ title: "the disk is full until space is freed", run: throughFullDisk }]);
} else process.stdout.write("skip  1 check, which needs the right to mount\n");
