import {
  failing,
  hang,
  json,
  passing,
  type Reply,
  stall,
  text,
} from "../../server/support/fake-siteverify.ts";
import { expectRecorded, FAILED, SYNCED } from "./expect.ts";
import { openSiteverify, type Siteverify, sqliteFile } from "./fakes.ts";
import { expectCleanStop, type Outage, type Scenario, throughOutage } from "./outage.ts";
import { openSite } from "./site.ts";

type Trouble = (siteverify: Siteverify) => Omit<Outage, "signUp">;

const AT_ONCE_MS = 100;

/** A question has three seconds. */
const DEADLINE_MS = 3_000;
const IN_TIME_MS = 2_000;

const replying =
  (wrong: Reply, withinMs = AT_ONCE_MS): Trouble =>
  ({ reply }) => ({
    begin: () => reply(wrong),
    end: () => reply(passing()),
    answer: FAILED,
    withinMs,
  });

const TROUBLES: readonly (readonly [string, Trouble])[] = [
  [
    "is not there",
    ({ relay: { refuse, restore } }) => ({
      begin: refuse,
      end: restore,
      answer: FAILED,
      withinMs: AT_ONCE_MS,
    }),
  ],
  [
    "dies with its machine",
    ({ relay: { silence, restore } }) => ({
      begin: silence,
      end: restore,
      answer: FAILED,
      withinMs: DEADLINE_MS,
    }),
  ],
  ["hangs", replying(hang, DEADLINE_MS)],
  ["stalls within its body", replying(stall, DEADLINE_MS)],
  ["answers 500 with a page", replying(text("<h1>Error</h1>", { status: 500 }))],
  ["answers with half of its JSON", replying(text('{"success":true,'))],
  ["answers with other JSON", replying(json([]))],
  ["fails twice by itself", replying(failing("internal-error"))],
  ["finds our secret wrong", replying(failing("invalid-input-secret"))],
  [
    "is slow, but in time",
    ({ relay: { delay, restore } }) => ({
      begin: () => delay(IN_TIME_MS),
      end: restore,
      answer: SYNCED,
      withinMs: IN_TIME_MS,
    }),
  ],
];

/** Nobody is let in whom it does not vouch for. */
export const siteverifyOutages: readonly Scenario[] = TROUBLES.map(([what, trouble]) => ({
  title: `siteverify ${what}, and is well again`,
  run: async () => {
    using database = sqliteFile();
    using siteverify = await openSiteverify();
    await using site = await openSite({ DATABASE_URL: database.url, ...siteverify.environment });
    const signUp = () => site.signUpWith(crypto.randomUUID());
    const figures = await throughOutage(site, { ...trouble(siteverify), signUp });
    const recorded = expectRecorded(site.answers, await database.rows());
    await expectCleanStop(site, /checking the challenge failed: /);
    return `${figures}; ${recorded}`;
  },
}));
