import { expectSame } from "../runner.ts";
import { ms, NOT_SYNCED, SYNCED, waitUntil } from "./expect.ts";
import { type Listmonk, openListmonk, openPostgres, sqliteFile } from "./fakes.ts";
import { expectCleanStop, NO_FAULT, type Scenario } from "./outage.ts";
import { openSite, type Site } from "./site.ts";

const ROUNDS = 500;
const AT_ONCE = 8;

/** The doors of one site that has one database. */
type OpenDoors = (listmonk: Listmonk) => Promise<Doors>;

interface Doors {
  readonly servers: readonly Site[];
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

const twoServers: OpenDoors = async ({ environment }) => {
  const postgres = await openPostgres();
  const open = () => openSite({ DATABASE_URL: postgres.url, ...environment });
  const servers = [await open(), await open()];
  return {
    servers,
    [Symbol.asyncDispose]: async () => {
      for (const server of servers) await server[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    },
  };
};

const twoOnOneFile: OpenDoors = async ({ environment }) => {
  const database = sqliteFile();
  const open = () => openSite({ DATABASE_URL: database.url, ...environment });
  const servers = [await open(), await open()];
  return {
    servers,
    [Symbol.asyncDispose]: async () => {
      for (const server of servers) await server[Symbol.asyncDispose]();
      database[Symbol.dispose]();
    },
  };
};

const DOORS: readonly (readonly [string, OpenDoors])[] = [
  ["two servers on PostgreSQL", twoServers],
  ["two servers on SQLite", twoOnOneFile],
];

/** People of another list, whom listmonk mails only when it is asked to. */
const doubleClicks: readonly Scenario[] = DOORS.map(([where, openDoors]) => ({
  title: `${ROUNDS} double clicks on ${where} by people of another list: one mail each`,
  run: async () => {
    await using listmonk = await openListmonk();
    listmonk.wantConfirmation();
    await using doors = await openDoors(listmonk);
    const { servers } = doors;
    const emails = Array.from({ length: ROUNDS }, (_, at) => `marked-address-${at}@site.test`);
    const start = performance.now();
    const clickTwice = async (email: string) => {
      listmonk.addKnown(email);
      const clicks = [0, 1].map((at) => servers[at % servers.length]?.signUpAs(email));
      const answers = await Promise.all(clicks);
      expectSame([email, ...answers.map((given) => given?.outcome)], [email, SYNCED, SYNCED]);
    };
    const queue = emails.values();
    const lane = async () => {
      for (const email of queue) await clickTwice(email);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    expectSame(listmonk.mails().toSorted(), emails.toSorted());
    const took = ms(performance.now() - start);
    for (const server of servers) await expectCleanStop(server, NO_FAULT);
    return `${listmonk.mails().length} mails to ${emails.length} people in ${took}`;
  },
}));

/** Of a lease, which ends with its process only after 20 s. */
const TAKEN_OVER_MS = 30_000;

const killed: readonly Scenario[] = [
  {
    title: "listmonk is killed between a subscriber and the mail: another server asks for the mail",
    run: async () => {
      await using listmonk = await openListmonk();
      listmonk.wantConfirmation();
      await using doors = await twoServers(listmonk);
      const [one, other] = doors.servers;
      if (!one || !other) throw new Error("there are no two servers");
      listmonk.dieBeforeMail();
      const answers = await Promise.all(Array.from({ length: 20 }, one.signUp));
      expectSame(new Set(answers.map(({ outcome }) => outcome)), new Set([NOT_SYNCED]));
      expectSame(listmonk.mails(), []);
      listmonk.faults.clear();
      for (const again of [other, one]) {
        const repeats = await Promise.all(answers.map(again.repeat));
        expectSame(new Set(repeats.map(({ outcome }) => outcome)), new Set([SYNCED]));
      }
      const emails = answers.map(({ email }) => email);
      expectSame(listmonk.mails().toSorted(), emails.toSorted());
      for (const server of doors.servers) await expectCleanStop(server, NO_FAULT);
      return `${emails.length} people, one mail each, in spite of a second repeat`;
    },
  },
  {
    title:
      "a server is killed between listmonk's mail and its note: another one takes over when its time is up",
    run: async () => {
      await using listmonk = await openListmonk();
      listmonk.wantConfirmation();
      await using doors = await twoServers(listmonk);
      const [one, other] = doors.servers;
      if (!one || !other) throw new Error("there are no two servers");
      expectSame((await one.signUp()).outcome, SYNCED);
      const before = listmonk.mails().length;
      listmonk.relay.delay(2_000);
      const lost = one.signUp();
      await waitUntil("the mail", () => listmonk.mails().length > before);
      one.signal("SIGKILL");
      const interrupted = await lost;
      await listmonk.relay.restore();

      const start = performance.now();
      const first = await other.repeat(interrupted);
      expectSame(first.outcome, NOT_SYNCED);
      const again = async () => (await other.repeat(interrupted)).outcome === SYNCED;
      await waitUntil("the takeover", again, TAKEN_OVER_MS);
      const took = ms(performance.now() - start);
      const mails = listmonk.mails().filter((email) => email === interrupted.email);
      expectSame(mails.length, 2);
      expectSame((await other.repeat(interrupted)).outcome, SYNCED);
      expectSame(listmonk.mails().length, before + 2);
      await expectCleanStop(other, NO_FAULT);
      return `listmonk: false after ${ms(first.ms)}, synced after ${took}; a second mail, and no third`;
    },
  },
];

export const mails: readonly Scenario[] = [...doubleClicks, ...killed];
