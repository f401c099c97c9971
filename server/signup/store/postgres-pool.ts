import { type ReservedSQL, SQL } from "bun";
import { sql } from "drizzle-orm";
import { type BunSQLDatabase, drizzle } from "drizzle-orm/bun-sql";
import { codeOf, StoreError } from "../errors.ts";

/** One transaction of the pool. */
export type Transaction = Parameters<Parameters<BunSQLDatabase["transaction"]>[0]>[0];

/** The way a pool uses the server. A server accepts 100 connections by default, from all processes. */
interface PoolOptions {
  readonly connections: number;
  /** A connection that nobody uses for so long is given back to the server. */
  readonly idleSeconds: number;
  /** A connection that leaves the begin of a transaction unanswered for so long is dead. */
  readonly beginMs: number;
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
  { connections, idleSeconds, beginMs, statementMs, silenceMs, closeSeconds }: PoolOptions,
) {
  const connect = (isProven: boolean) => ({
    sql: new SQL({ ...options, max: connections, idleTimeout: idleSeconds }),
    /** True when it has begun a transaction, or is the first pool. */
    isProven,
  });
  let pool = connect(true);

  /** Closing rolls back every transaction that has not sent its COMMIT. */
  const giveUp = (silent: typeof pool) => {
    if (pool === silent) pool = connect(false);
    const timeout = silent.isProven ? closeSeconds : 0;
    silent.sql.close({ timeout }).catch(() => undefined);
  };

  /** @throws {DeadConnection} when the work was not begun. */
  const attempt = async <Value>(work: (tx: Transaction) => Promise<Value>, endsAt: number) => {
    const used = pool;
    let connection: ReservedSQL | undefined;
    let isSilent = false;
    let isBegun = false;
    const fallSilent = () => {
      isSilent = true;
      giveUp(used);
    };
    const beginLate = () => {
      // Without a connection it waits for its turn, while others get theirs.
      if (connection || !used.isProven) fallSilent();
    };
    const end = setTimeout(fallSilent, endsAt - performance.now());
    // A new connection to a server that was silent just now has no longer than a begin.
    let begin = used.isProven ? undefined : setTimeout(beginLate, beginMs);
    try {
      connection = await used.sql.reserve();
      begin ??= setTimeout(beginLate, beginMs);
      return await drizzle(connection).transaction(async (tx) => {
        await tx.execute(timeouts(statementMs));
        clearTimeout(begin);
        if (isSilent) throw silence();
        isBegun = true;
        used.isProven = true;
        return await work(tx);
      });
    } catch (error) {
      const isGivenUp = used !== pool && isClosed(error);
      const reason = isSilent || isGivenUp ? silence() : error;
      const isDead = !isBegun && (connection !== undefined || used !== pool);
      throw isDead ? new DeadConnection(undefined, { cause: reason }) : reason;
    } finally {
      connection?.release();
      clearTimeout(begin);
      clearTimeout(end);
    }
  };

  return {
    /**
     * Runs one transaction, on another connection when the first is dead.
     *
     * @throws {StoreError} when the server is silent. Nothing was changed then,
     * unless only the answer to the COMMIT was lost.
     */
    async transaction<Value>(work: (tx: Transaction) => Promise<Value>): Promise<Value> {
      const endsAt = performance.now() + silenceMs;
      try {
        return await attempt(work, endsAt);
      } catch (error) {
        if (!(error instanceof DeadConnection)) throw error;
      }
      return await attempt(work, endsAt).catch((error: unknown) => {
        throw error instanceof DeadConnection ? error.cause : error;
      });
    },
    close: () => pool.sql.close({ timeout: closeSeconds }),
  };
}

/** A connection that failed before anything was done on it. */
class DeadConnection extends Error {}

const isClosed = (error: unknown): boolean =>
  codeOf(error)?.startsWith("ERR_POSTGRES_CONNECTION_CLOSED") === true;

const silence = () => new StoreError("postgres-silent", "PostgreSQL does not answer");
