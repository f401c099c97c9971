import { Socket } from "node:net";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { cacheFor, withTimeout } from "../../promises.ts";
import { getDatabaseErrorCode, StoreError } from "../signup-errors.ts";

/** A connection that leaves the begin of a transaction unanswered for so long is dead. */
const BEGIN_MS = 1_500;

/** A connection is silent when a statement has no answer so long after PostgreSQL rolls it back. */
const SLACK_MS = 2_000;

const CLOSE_MS = 1_000;

/** TCP asks a connection on which nothing comes so early whether its other end is there. */
const KEEP_ALIVE_MS = 10_000;

const ACTIVITY_CHECK_MS = 2_000;

/**
 * The silent connections of a process. PostgreSQL goes on with a COMMIT that hangs, because a standby
 * is gone or a disk stalls, whether or not its client is there. Its connection therefore keeps its
 * place in the pool, until PostgreSQL has answered or says that it does nothing for it: it has
 * forgotten it, or another machine has taken its place.
 */
export function silentConnections(config: pg.ClientConfig) {
  /** By the number of the process of PostgreSQL, what gives the place back. */
  const held = new Map<number, () => void>();
  const lookout = new pg.Pool({ ...config, max: 1, maxUses: 1, query_timeout: BEGIN_MS });
  lookout.on("error", () => undefined);
  const ask = cacheFor(ACTIVITY_CHECK_MS, async () => {
    const busy = "SELECT pid FROM pg_stat_activity WHERE state <> 'idle'";
    const { rows } = await lookout.query<{ pid: number }>(busy);
    const pids = new Set(rows.map(({ pid }) => pid));
    for (const [pid, free] of held) if (!pids.has(pid)) free();
  });
  return {
    hold(client: pg.PoolClient, pid: number) {
      const free = () => {
        if (held.delete(pid)) client.release(true);
      };
      held.set(pid, free);
      client.once("drain", () => client.end());
      client.once("end", free);
    },
    look() {
      if (held.size > 0) ask().catch(() => undefined);
    },
  };
}

/**
 * Connections to a PostgreSQL server.
 *
 * @param statementMs PostgreSQL rolls back a statement that takes longer.
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
    // A lost connection is reported by the query that fails.
    client.on("error", () => undefined);
  });
  pool.on("error", () => undefined);

  /** If a connection is dead, or of a standby, the older ones most likely are too. */
  let leftAt = 0;
  const leave = () => {
    leftAt = performance.now();
  };

  const take = async (): Promise<pg.PoolClient> => {
    const client = await pool.connect();
    if ((openedAt.get(client) ?? 0) > leftAt) return client;
    client.release(true);
    return await take();
  };

  // A pooler rejects settings as parameters of a connection, and gives those of a session to other
  // clients. The driver sets the encoding itself.
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

  /** Begins a transaction, on another connection when the first is dead. */
  const begun = async (mayRepeat = true) => {
    silent.look();
    const client = await take();
    try {
      // The driver gives a list of the results of several statements.
      const results = [await client.query<{ pid: number }>(begin)].flat();
      return { client, pid: results.at(-1)?.rows[0]?.pid ?? 0 };
    } catch (error) {
      client.release(true);
      if (isSilence(error)) leave();
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
      const { client, pid } = await begun().catch(rethrow);
      try {
        const value = await work(drizzle(client));
        await client.query("COMMIT");
        client.release();
        return value;
      } catch (error) {
        // After a failover the address may lead to the new primary.
        if (getDatabaseErrorCode(error) === READ_ONLY) leave();
        client.query(rollback).then(
          () => client.release(),
          ({ message }: Error) => {
            if (message === TIMEOUT) silent.hold(client, pid);
            else client.release(true);
          },
        );
        return rethrow(error);
      }
    },
    /** Waits a second at most for work that is under way. A dead server never answers the goodbye. */
    async close() {
      await withTimeout(CLOSE_MS, pool.end()).catch(() => undefined);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** PostgreSQL's code for a write to a standby. */
const READ_ONLY = "25006";

/** The driver's message for a query whose time is over. */
const TIMEOUT = "Query read timeout";

/** The driver's own errors, of a connection that fell silent or was lost, have no code. */
const isSilence = (error: unknown): boolean => getDatabaseErrorCode(error) === undefined;

function rethrow(error: unknown): never {
  throw isSilence(error)
    ? new StoreError("postgres-silent", `PostgreSQL does not answer: ${error}`)
    : error;
}
