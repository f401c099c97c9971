import { SQL } from "bun";
import { sql } from "drizzle-orm";
import { type BunSQLDatabase, drizzle } from "drizzle-orm/bun-sql";
import { StoreError } from "../errors.ts";

/** One transaction of the pool. */
export type Transaction = Parameters<Parameters<BunSQLDatabase["transaction"]>[0]>[0];

/** Longer than a statement or the wait for a connection may take. */
const SILENCE_MS = 7_000;

/** Other work on a given-up connection has this many seconds to finish. */
const CLOSE_SECONDS = 1;

/** Connections of one process. A server accepts 100 by default, from all processes together. */
const CONNECTIONS = 5;

/** PostgreSQL rolls back a statement that takes longer. */
const STATEMENT_MS = 5_000;

/**
 * The timeouts of one transaction. A pooler refuses them as parameters of a connection, and gives
 * those of a session to other clients.
 */
const SET_TIMEOUTS = sql.raw(
  `SELECT set_config('statement_timeout', '${STATEMENT_MS}', true), set_config('idle_in_transaction_session_timeout', '${STATEMENT_MS}', true)`,
);

/**
 * Connections to a PostgreSQL server. When the server falls silent, because its machine died or a
 * firewall dropped the connections, they are replaced: the driver itself would wait for ever.
 */
export function postgresPool(options: SQL.Options) {
  const connect = () => drizzle(new SQL({ ...options, max: CONNECTIONS }));
  let db = connect();

  /** Closing rolls back every transaction that has not sent its COMMIT. */
  const giveUp = async (silent: typeof db) => {
    if (db === silent) db = connect();
    await silent.$client.close({ timeout: CLOSE_SECONDS });
  };

  return {
    /**
     * Runs one transaction.
     *
     * @throws {StoreError} when there is no answer within eight seconds. Nothing was changed then,
     * unless only the answer to the COMMIT was lost.
     */
    async transaction<Value>(work: (tx: Transaction) => Promise<Value>): Promise<Value> {
      const used = db;
      let isSilent = false;
      const timer = setTimeout(() => {
        isSilent = true;
        giveUp(used).catch(() => undefined);
      }, SILENCE_MS);
      try {
        return await used.transaction(async (tx) => {
          await tx.execute(SET_TIMEOUTS);
          return await work(tx);
        });
      } catch (error) {
        throw isSilent ? new StoreError("postgres-silent", "PostgreSQL does not answer") : error;
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => db.$client.close({ timeout: CLOSE_SECONDS }),
  };
}
