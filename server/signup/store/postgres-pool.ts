import { SQL } from "bun";
import { sql } from "drizzle-orm";
import { type BunSQLDatabase, drizzle } from "drizzle-orm/bun-sql";
import { StoreError } from "../errors.ts";

/** One transaction of the pool. */
export type Transaction = Parameters<Parameters<BunSQLDatabase["transaction"]>[0]>[0];

/** How a pool uses the server. A server accepts 100 connections by default, from all processes. */
interface PoolOptions {
  readonly connections: number;
  /** PostgreSQL rolls back a statement that takes longer. */
  readonly statementMs: number;
  /** The server is silent when a transaction has no end after this time. */
  readonly silenceMs: number;
  /** Other work on a given-up connection has this many seconds to finish. */
  readonly closeSeconds: number;
}

/**
 * The timeouts of one transaction. A pooler rejects them as parameters of a connection, and gives
 * those of a session to other clients.
 */
const timeouts = (ms: number) =>
  sql.raw(
    `SELECT set_config('statement_timeout', '${ms}', true), set_config('idle_in_transaction_session_timeout', '${ms}', true)`,
  );

/**
 * Connections to a PostgreSQL server. When the server falls silent, because its machine died or a
 * firewall dropped the connections, they are replaced: the driver itself would wait for ever.
 */
export function postgresPool(
  options: SQL.Options,
  { connections, statementMs, silenceMs, closeSeconds }: PoolOptions,
) {
  const connect = () => drizzle(new SQL({ ...options, max: connections }));
  let db = connect();

  /** Closing rolls back every transaction that has not sent its COMMIT. */
  const giveUp = async (silent: typeof db) => {
    if (db === silent) db = connect();
    await silent.$client.close({ timeout: closeSeconds });
  };

  return {
    /**
     * Runs one transaction.
     *
     * @throws {StoreError} when the server is silent. Nothing was changed then,
     * unless only the answer to the COMMIT was lost.
     */
    async transaction<Value>(work: (tx: Transaction) => Promise<Value>): Promise<Value> {
      const used = db;
      let isSilent = false;
      const timer = setTimeout(() => {
        isSilent = true;
        giveUp(used).catch(() => undefined);
      }, silenceMs);
      try {
        return await used.transaction(async (tx) => {
          await tx.execute(timeouts(statementMs));
          return await work(tx);
        });
      } catch (error) {
        throw isSilent ? new StoreError("postgres-silent", "PostgreSQL does not answer") : error;
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => db.$client.close({ timeout: closeSeconds }),
  };
}
