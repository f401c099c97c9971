import { SQL } from "bun";
import { type BunSQLDatabase, drizzle } from "drizzle-orm/bun-sql";
import { StoreFault } from "./store-fault.ts";

/** Longer than PostgreSQL works on one statement, and than we wait for a connection. */
const SILENCE_MS = 7_000;

/** Seconds in which others may finish on connections that are given up. */
const CLOSE_SECONDS = 1;

/**
 * Connections to a PostgreSQL server. Those whose server falls silent, as when its machine dies or
 * a firewall forgets them, are given up for new ones: the driver itself would wait for ever.
 */
export function postgresPool(options: SQL.Options) {
  const connect = () => drizzle(new SQL(options));
  let db = connect();

  /** Closing ends what is under way there: what has not sent its COMMIT is rolled back. */
  const giveUp = async (silent: typeof db) => {
    if (db === silent) db = connect();
    await silent.$client.close({ timeout: CLOSE_SECONDS });
  };

  return {
    /**
     * Runs one transaction or statement.
     *
     * @throws {StoreFault} when there is no answer within eight seconds. Nothing was changed then,
     * unless all that was missing is the answer to the COMMIT, of which nobody can know more.
     */
    async use<Value>(work: (db: BunSQLDatabase) => Promise<Value>): Promise<Value> {
      const used = db;
      let isSilent = false;
      const timer = setTimeout(() => {
        isSilent = true;
        giveUp(used).catch(() => undefined);
      }, SILENCE_MS);
      try {
        return await work(used);
      } catch (error) {
        throw isSilent ? new StoreFault("postgres-silent", "PostgreSQL does not answer") : error;
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => db.$client.close({ timeout: CLOSE_SECONDS }),
  };
}
