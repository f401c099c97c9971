import { expectSame } from "../runner.ts";
import { sqliteFile } from "./fakes.ts";
import { openLogReader, startLoggingServer } from "./host.ts";
import type { Scenario } from "./outage.ts";

/** Longer than lines wait to be written. */
const WRITTEN_MS = 150;

/** Their lines are three times as many as wait for a reader at most. */
const MANY = 15_000;
const AT_A_TIME = 50;

const LIVELY = "it goes on, and ends with 0";

type Server = Awaited<ReturnType<typeof startLoggingServer>>;

/** Some requests, and time to fail in writing their lines. */
async function expectLively({ answers }: Server): Promise<void> {
  for (let times = 0; times < 5; times++) {
    expectSame(await answers(), true);
    await Bun.sleep(WRITTEN_MS);
  }
}

async function askOften({ answers }: Server): Promise<void> {
  const client = async () => {
    for (let times = 0; times < MANY / AT_A_TIME; times++) expectSame(await answers(), true);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, client));
}

export const logLost: readonly Scenario[] = [
  {
    title: "standard output and standard error are on a full disk",
    run: async () => {
      using database = sqliteFile();
      await using server = await startLoggingServer(database.url, "/dev/full");
      await expectLively(server);
      expectSame(await server.stop(), 0);
      return LIVELY;
    },
  },
  {
    title: "the reader of standard output and standard error is gone",
    run: async () => {
      using database = sqliteFile();
      using reader = openLogReader(database.folder);
      await using server = await startLoggingServer(database.url, reader.path);
      await reader.leave();
      await expectLively(server);
      expectSame(await server.stop(), 0);
      return LIVELY;
    },
  },
  {
    title: "the reader of standard output stalls, then continues",
    run: async () => {
      using database = sqliteFile();
      using reader = openLogReader(database.folder);
      await using server = await startLoggingServer(database.url, reader.path);
      reader.stick();
      await askOften(server);
      reader.goOn();
      await expectLively(server);
      expectSame(await server.stop(), 0);
      const lines = (await reader.text()).split("\n").length;
      // The lines kept for a reader are bounded, and later ones follow them.
      expectSame(lines > MANY / 10 && lines < MANY, true);
      return `${lines} lines of ${MANY} requests`;
    },
  },
];
