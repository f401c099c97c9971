import { Socket } from "node:net";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { withTimeout } from "../../timing.ts";
import { codeOf, StoreError } from "../errors.ts";
import type { Queries } from "./store-queries.ts";

/** The way a pool uses the server. A server accepts 100 connections by default, from all processes. */
interface PoolOptions {
  readonly connections: number;
  /** A connection that nobody uses for so long is given back to the server. */
  readonly idleMs: number;
  /** A new connection may take this long. */
  readonly connectMs: number;
  /** A connection that leaves the begin of a transaction unanswered for so long is dead. */
  readonly beginMs: number;
  /** PostgreSQL rolls back a statement that takes longer. */
  readonly statementMs: number;
  /** A connection that leaves any other statement unanswered for so long is dead. */
  readonly silenceMs: number;
}

/**
 * Connections to a PostgreSQL server. When the server falls silent, because its machine died or a
 * firewall dropped the connections, they are replaced.
 */
export function postgresPool(config: pg.ClientConfig, options: PoolOptions) {
  const { connections, idleMs, connectMs, beginMs, statementMs, silenceMs } = options;
  let isSilent = false;
  /**
   * The time of the last silence, or of the last connection that could only read: older ones are as
   * dead, or lead to the same standby.
   */
  let silentAt = Number.NEGATIVE_INFINITY;
  /** Until each is closed. */
  const sockets = new Map<pg.ClientBase, { socket: Socket; openedAt: number }>();

  const pool = new pg.Pool({
    max: connections,
    idleTimeoutMillis: idleMs,
    // The longest wait for a connection while all are in use.
    connectionTimeoutMillis: silenceMs,
    allowExitOnIdle: true,
    Client: class extends pg.Client {
      constructor() {
        const socket = new Socket();
        super({
          ...config,
          stream: () => socket,
          keepAlive: true,
          query_timeout: silenceMs,
          connectionTimeoutMillis: isSilent ? beginMs : connectMs,
        });
        sockets.set(this, { socket, openedAt: performance.now() });
        socket.once("close", () => sockets.delete(this));
      }
    },
  });
  // A lost connection is reported by the query that fails.
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("error", () => undefined);

  // A pooler rejects settings as parameters of a connection, and gives those of a session to other
  // clients. The driver sets the encoding itself.
  const begin = {
    text: `BEGIN
      ; SET LOCAL statement_timeout = ${statementMs}
      ; SET LOCAL idle_in_transaction_session_timeout = ${statementMs}
      ; SET LOCAL DateStyle = 'ISO'
      ; SET LOCAL TimeZone = 'UTC'
      ; SET LOCAL standard_conforming_strings = on`,
    query_timeout: beginMs,
  };
  const rollback = { text: "ROLLBACK", query_timeout: beginMs };

  /** Destroys the socket too: after a goodbye alone it waits for a dead server and keeps the process alive. */
  const discard = (client: pg.PoolClient) => {
    client.release(true);
    sockets.get(client)?.socket.destroy();
  };

  /** Takes a connection that is younger than the last silence; a new one is, so the loop ends. */
  const connect = async (): Promise<pg.PoolClient> => {
    for (;;) {
      const client = await pool.connect().catch((error: unknown) => {
        isSilent ||= isTimeout(error);
        throw error;
      });
      if ((sockets.get(client)?.openedAt ?? 0) > silentAt) return client;
      discard(client);
    }
  };

  /** Begins a transaction, on another connection when the first is dead. */
  const begun = async (): Promise<pg.PoolClient> => {
    for (let tries = 1; ; tries += 1) {
      const client = await connect();
      try {
        await client.query(begin);
        isSilent = false;
        return client;
      } catch (error) {
        discard(client);
        if (isTimeout(error)) {
          isSilent = true;
          silentAt = performance.now();
        }
        if (tries === 2) throw error;
      }
    }
  };

  return {
    /**
     * Runs one transaction.
     *
     * @throws {StoreError} when the server is silent. Nothing was changed then,
     * unless only the answer to the COMMIT was lost.
     */
    async transaction<Value>(work: (db: Queries) => Promise<Value>): Promise<Value> {
      const client = await begun().catch(rethrow);
      try {
        const value = await work(drizzle(client));
        await client.query("COMMIT");
        client.release();
        return value;
      } catch (error) {
        const isReadOnly = codeOf(error) === READ_ONLY;
        if (isReadOnly) silentAt = performance.now();
        client.query(rollback).then(
          () => (isReadOnly ? discard(client) : client.release()),
          () => discard(client),
        );
        return rethrow(error);
      }
    },
    /** Waits a second at most for work that is under way. A dead server never answers the goodbye. */
    async close(): Promise<void> {
      await withTimeout(CLOSE_MS, pool.end()).catch(() => undefined);
      for (const { socket } of sockets.values()) socket.destroy();
    },
  };
}

const CLOSE_MS = 1_000;

/**
 * PostgreSQL's code for a write to a standby. After a failover the address may lead to the new
 * primary, and a connection that is kept would not follow it.
 */
const READ_ONLY = "25006";

function rethrow(error: unknown): never {
  throw isTimeout(error) ? new StoreError("postgres-silent", "PostgreSQL does not answer") : error;
}

/** The driver's own errors have no code. */
const isTimeout = (error: unknown): boolean =>
  error instanceof Error &&
  codeOf(error) === undefined &&
  (/timeout/.test(error.message) || isTimeout(error.cause));
