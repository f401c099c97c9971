import { readFileSync, writeFileSync } from "node:fs";
import { expectSame } from "../clients/check.ts";
import { startServer } from "../server/server-process.ts";
import { openRelay } from "./means/relay.ts";
import { smallDisk } from "./means/small-disk.ts";
import { sqliteFile } from "./means/sqlite.ts";
import { SYNCED } from "./site/answer.ts";
import type { Scenario } from "./site/scenario.ts";
import { openSite } from "./site/site.ts";

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
  title: "the header of the SQLite file is overwritten: no start until it is mended",
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
