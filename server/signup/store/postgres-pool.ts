import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { withTimeout } from "../../timing.ts";
import { codeOf, StoreError } from "../errors.ts";

/** A connection that leaves the begin of a transaction unanswered for so long is dead. */
const BEGIN_MS = 1_500;

/** One that leaves a statement unanswered for so long after PostgreSQL rolled it back is dead too. */
const SLACK_MS = 2_000;

const CLOSE_MS = 1_000;

/**
 * Connections to a PostgreSQL server. When the server falls silent, because its machine died or a
 * firewall dropped the connections, they are replaced.
 *
 * @param statementMs PostgreSQL rolls back a statement that takes longer.
 */
export function postgresPool(config: pg.ClientConfig, connections: number, statementMs: number) {
  const open = () => {
    const opened = new pg.Pool({
      ...config,
      max: connections,
      idleTimeoutMillis: 30_000,
      allowExitOnIdle: true,
      keepAlive: true,
      query_timeout: statementMs + SLACK_MS,
    });
    // A lost connection is reported by the query that fails.
    opened.on("connect", (client) => client.on("error", () => undefined));
    opened.on("error", () => undefined);
    return opened;
  };
  let pool = open();

  // A pooler rejects settings as parameters of a connection, and gives those of a session to other
  // clients. The driver sets the encoding itself.
  const begin = {
    text: `BEGIN
      ; SET LOCAL statement_timeout = ${statementMs}
      ; SET LOCAL idle_in_transaction_session_timeout = ${statementMs}
      ; SET LOCAL DateStyle = 'ISO'
      ; SET LOCAL TimeZone = 'UTC'
      ; SET LOCAL standard_conforming_strings = on`,
    query_timeout: BEGIN_MS,
  };
  const rollback = { text: "ROLLBACK", query_timeout: BEGIN_MS };

  /**
   * Leaves all connections of a pool when one was silent, or could only read: the others are as dead,
   * or lead to the same standby. Those in use finish their work, and the idle ones end after a while.
   */
  const leave = (left: pg.Pool, error: unknown) => {
    if (pool === left && (isSilence(error) || codeOf(error) === READ_ONLY)) pool = open();
  };

  /** Begins a transaction, on another connection when the first is dead. */
  const begun = async (mayRepeat = true): Promise<{ client: pg.PoolClient; from: pg.Pool }> => {
    const from = pool;
    const client = await from.connect();
    try {
      await client.query(begin);
      return { client, from };
    } catch (error) {
      client.release(true);
      leave(from, error);
      if (!mayRepeat) throw error;
      return await begun(false);
    }
  };

  return {
    /**
     * Runs one transaction.
     *
     * @throws {StoreError} when the server is silent. Nothing was changed then,
     * unless only the answer to the COMMIT was lost.
     */
    async transaction<Value>(work: (db: NodePgDatabase) => Promise<Value>): Promise<Value> {
      const { client, from } = await begun().catch(rethrow);
      try {
        const value = await work(drizzle(client));
        await client.query("COMMIT");
        client.release();
        return value;
      } catch (error) {
        leave(from, error);
        client.query(rollback).then(
          () => client.release(),
          () => client.release(true),
        );
        return rethrow(error);
      }
    },
    /** Waits a second at most for work that is under way. A dead server never answers the goodbye. */
    close: () => withTimeout(CLOSE_MS, pool.end()).catch(() => undefined),
  };
}

/**
 * PostgreSQL's code for a write to a standby. After a failover the address may lead to the new
 * primary, and a connection that is kept would not follow it.
 */
const READ_ONLY = "25006";

/** The driver's own errors, of a connection that fell silent or was lost, have no code. */
const isSilence = (error: unknown): boolean => codeOf(error) === undefined;

function rethrow(error: unknown): never {
  throw isSilence(error)
    ? new StoreError("postgres-silent", `PostgreSQL does not answer: ${error}`)
    : error;
}
