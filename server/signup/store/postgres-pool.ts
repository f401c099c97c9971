import { Socket } from "node:net";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { cacheFor, withTimeout } from "../../promises.ts";
import { getDatabaseErrorCode, StoreError } from "../signup-errors.ts";

/** A connection that takes longer to begin a transaction is dead. */
const BEGIN_MS = 1_500;

/** How long after PostgreSQL's own timeout a connection without a response counts as silent. */
const SLACK_MS = 2_000;

const CLOSE_MS = 1_000;

/** Idle time before TCP probes a connection. */
const KEEP_ALIVE_MS = 10_000;

const ACTIVITY_CHECK_MS = 2_000;

/**
 * Tracks the silent connections of a process. PostgreSQL continues a hanging COMMIT (a standby is
 * gone, a disk stalls) even if its client disconnects. So the connection stays in the pool until it
 * gets its response, or PostgreSQL no longer lists it as busy.
 */
export function silentConnections(config: pg.ClientConfig) {
  /** By the ID of PostgreSQL's process, the function that releases the connection. */
  const held = new Map<number, () => void>();
  const monitorPool = new pg.Pool({ ...config, max: 1, maxUses: 1, query_timeout: BEGIN_MS });
  monitorPool.on("error", () => undefined);
  const releaseFinished = cacheFor(ACTIVITY_CHECK_MS, async () => {
    const busy = "SELECT pid FROM pg_stat_activity WHERE state <> 'idle'";
    const { rows } = await monitorPool.query<{ pid: number }>(busy);
    const pids = new Set(rows.map(({ pid }) => pid));
    for (const [pid, free] of held) if (!pids.has(pid)) free();
  });
  return {
    keepUntilAnswered(client: pg.PoolClient, pid: number) {
      const free = () => {
        if (held.delete(pid)) client.release(true);
      };
      held.set(pid, free);
      client.once("drain", () => client.end());
      client.once("end", free);
    },
    check() {
      if (held.size > 0) releaseFinished().catch(() => undefined);
    },
  };
}

/**
 * Creates a pool of connections.
 *
 * @param statementMs PostgreSQL rolls back longer statements.
 */
export function postgresPool(
  config: pg.ClientConfig,
  silent: ReturnType<typeof silentConnections>,
  { connections, statementMs }: { readonly connections: number; readonly statementMs: number },
) {
  const sockets = new Set<Socket>();
  const pool = new pg.Pool({
    ...config,
    max: connections,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    query_timeout: statementMs + SLACK_MS,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once("close", () => sockets.delete(socket));
    },
  });
  const openedAt = new WeakMap<pg.PoolClient, number>();
  pool.on("connect", (client) => {
    openedAt.set(client, performance.now());
    // The failing query reports a lost connection.
    client.on("error", () => undefined);
  });
  pool.on("error", () => undefined);

  /** If a connection is dead, or leads to a standby, the older ones probably are too. */
  let discardedAt = 0;
  const discardOlderConnections = () => {
    discardedAt = performance.now();
  };

  const acquire = async (): Promise<pg.PoolClient> => {
    const client = await pool.connect();
    if ((openedAt.get(client) ?? 0) > discardedAt) return client;
    client.release(true);
    return await acquire();
  };

  // Poolers reject settings at connect, and pass session settings to other clients. The driver sets
  // the encoding itself.
  const begin = {
    text: `BEGIN
      ; SET LOCAL statement_timeout = ${statementMs}
      ; SET LOCAL idle_in_transaction_session_timeout = ${statementMs}
      ; SET LOCAL row_security = off
      ; SET LOCAL DateStyle = 'ISO'
      ; SET LOCAL TimeZone = 'UTC'
      ; SET LOCAL standard_conforming_strings = on
      ; SELECT pg_backend_pid() AS pid`,
    query_timeout: BEGIN_MS,
  };
  const rollback = { text: "ROLLBACK", query_timeout: BEGIN_MS };

  /** Begins a transaction, on a second connection if the first is dead. */
  const beginTransaction = async (mayRepeat = true) => {
    silent.check();
    const client = await acquire();
    try {
      // The driver returns a list for several statements.
      const results = [await client.query<{ pid: number }>(begin)].flat();
      return { client, pid: results.at(-1)?.rows[0]?.pid ?? 0 };
    } catch (error) {
      client.release(true);
      if (isSilence(error)) discardOlderConnections();
      if (!mayRepeat) throw error;
      return await beginTransaction(false);
    }
  };

  return {
    /**
     * Runs one transaction.
     *
     * @throws {StoreError} if PostgreSQL does not respond. Nothing was changed then, unless only the
     * response to the COMMIT was lost.
     */
    async transaction<Value>(work: (db: NodePgDatabase) => Promise<Value>): Promise<Value> {
      const { client, pid } = await beginTransaction().catch(rethrow);
      try {
        const value = await work(drizzle(client));
        await client.query("COMMIT");
        client.release();
        return value;
      } catch (error) {
        // After a failover, a new connection may reach the new primary.
        if (getDatabaseErrorCode(error) === READ_ONLY) discardOlderConnections();
        client.query(rollback).then(
          () => client.release(),
          ({ message }: Error) => {
            if (message === TIMEOUT_MESSAGE) silent.keepUntilAnswered(client, pid);
            else client.release(true);
          },
        );
        return rethrow(error);
      }
    },
    /** Waits at most a second for running work: a dead server never responds. */
    async close() {
      await withTimeout(CLOSE_MS, pool.end()).catch(() => undefined);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** PostgreSQL's code for a write on a standby. */
const READ_ONLY = "25006";

/** The driver's message for `query_timeout`. */
const TIMEOUT_MESSAGE = "Query read timeout";

/** The driver's own errors, about silent or lost connections, have no code. */
const isSilence = (error: unknown): boolean => getDatabaseErrorCode(error) === undefined;

function rethrow(error: unknown): never {
  throw isSilence(error)
    ? new StoreError("postgres-silent", `PostgreSQL does not answer: ${error}`)
    : error;
}
