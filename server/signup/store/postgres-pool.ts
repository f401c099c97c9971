import { Socket } from "node:net";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { withTimeout } from "../../timing.ts";
import { codeOf, StoreError } from "../errors.ts";

interface Connection {
  readonly client: pg.Client;
  readonly socket: Socket;
  readonly openedAt: number;
}

/** A connection that leaves the begin of a transaction unanswered for so long is dead. */
const BEGIN_MS = 1_500;

/** A connection is silent when a statement has no answer so long after PostgreSQL rolls it back. */
const SLACK_MS = 2_000;

const CLOSE_MS = 1_000;

const IDLE_MS = 30_000;

/** How long a request waits for a connection when the configuration does not say it. */
const CONNECT_MS = 5_000;

/**
 * Connections to a PostgreSQL server. Not the driver's own pool: that one forgets a connection whose
 * COMMIT hangs, because a standby is gone or a disk stalls, and opens another, while PostgreSQL keeps
 * both. Here a connection has its place until it is closed.
 *
 * @param statementMs PostgreSQL rolls back a statement that takes longer.
 */
export function postgresPool(config: pg.ClientConfig, connections: number, statementMs: number) {
  const connectMs = config.connectionTimeoutMillis || CONNECT_MS;
  const all = new Set<Connection>();
  const idle = new Map<Connection, ReturnType<typeof setTimeout>>();
  /** Requests that wait for a connection; the first came first. */
  const waiting = new Set<(connection: Connection | Promise<Connection>) => void>();
  let isClosed = false;
  /** Connections that are older are not used again. */
  let leftAt = Number.NEGATIVE_INFINITY;

  const takeFirst = () => {
    const [first] = waiting;
    if (first) waiting.delete(first);
    return first;
  };

  const notIdle = (connection: Connection) => {
    clearTimeout(idle.get(connection));
    idle.delete(connection);
  };

  const open = async (): Promise<Connection> => {
    const socket = new Socket();
    const client = new pg.Client({
      ...config,
      connectionTimeoutMillis: 0,
      keepAlive: true,
      query_timeout: statementMs + SLACK_MS,
      stream: () => socket,
    });
    const connection = { client, socket, openedAt: performance.now() };
    all.add(connection);
    // A lost connection is reported by the query that fails.
    client.on("error", () => socket.destroy());
    socket.once("close", () => {
      all.delete(connection);
      notIdle(connection);
      if (!isClosed) takeFirst()?.(open());
    });
    const connected = client.connect();
    try {
      await withTimeout(connectMs, connected);
      return connection;
    } catch (error) {
      // Before the handshake PostgreSQL knows nothing of it, and after it may be late.
      if (socket.connecting) socket.destroy();
      connected.then(
        () => end(connection),
        () => socket.destroy(),
      );
      throw error;
    }
  };

  /** Ends a connection that has nothing to do. A dead server never answers the goodbye. */
  const end = (connection: Connection) => {
    notIdle(connection);
    withTimeout(CLOSE_MS, connection.client.end()).catch(() => connection.socket.destroy());
  };

  const take = async (): Promise<Connection> => {
    if (isClosed) throw new Error("the pool is closed");
    const connection = [...idle.keys()].at(-1);
    if (connection) {
      notIdle(connection);
      return connection;
    }
    if (all.size < connections) return await open();
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    waiting.add(resolve);
    const giveUp = () => {
      if (waiting.delete(resolve)) reject(new Error("no connection is free"));
    };
    const timer = setTimeout(giveUp, connectMs).unref();
    return await promise.finally(() => clearTimeout(timer));
  };

  const giveBack = (connection: Connection) => {
    if (isClosed || connection.openedAt < leftAt) return end(connection);
    const next = takeFirst();
    if (next) next(connection);
    else idle.set(connection, setTimeout(() => end(connection), IDLE_MS).unref());
  };

  /** Leaves all connections: if one is dead, or of a standby, the others most likely are too. */
  const leave = () => {
    leftAt = performance.now();
    for (const connection of idle.keys()) end(connection);
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
      ; SET LOCAL standard_conforming_strings = on`,
    query_timeout: BEGIN_MS,
  };
  const rollback = { text: "ROLLBACK", query_timeout: BEGIN_MS };

  /** Begins a transaction, on another connection when the first is dead. */
  const begun = async (mayRepeat = true): Promise<Connection> => {
    const connection = await take();
    try {
      await connection.client.query(begin);
      return connection;
    } catch (error) {
      connection.socket.destroy();
      if (isSilence(error)) leave();
      if (!mayRepeat) throw error;
      return await begun(false);
    }
  };

  /** Ends a failed transaction. A silent connection is closed as soon as PostgreSQL answers. */
  const rollBack = (connection: Connection) => {
    const { client } = connection;
    client.query(rollback).then(
      () => giveBack(connection),
      (error: unknown) => {
        if (isSilence(error)) client.once("drain", () => end(connection));
        else end(connection);
      },
    );
  };

  return {
    /**
     * Runs one transaction.
     *
     * @throws {StoreError} when the server is silent. Nothing was changed then,
     * unless only the answer to the COMMIT was lost.
     */
    async transaction<Value>(work: (db: NodePgDatabase) => Promise<Value>): Promise<Value> {
      const connection = await begun().catch(rethrow);
      try {
        const value = await work(drizzle(connection.client));
        await connection.client.query("COMMIT");
        giveBack(connection);
        return value;
      } catch (error) {
        // After a failover the address may lead to the new primary.
        if (codeOf(error) === READ_ONLY) leave();
        rollBack(connection);
        return rethrow(error);
      }
    },
    /** Waits a second at most for work that is under way. */
    async close() {
      isClosed = true;
      leave();
      const closed = [...all].map(
        ({ socket }) => new Promise((done) => socket.once("close", done)),
      );
      await withTimeout(CLOSE_MS, Promise.all(closed)).catch(() => undefined);
      for (const { socket } of all) socket.destroy();
    },
  };
}

/** PostgreSQL's code for a write to a standby. */
const READ_ONLY = "25006";

/** The driver's own errors, of a connection that fell silent or was lost, have no code. */
const isSilence = (error: unknown): boolean => codeOf(error) === undefined;

function rethrow(error: unknown): never {
  throw isSilence(error)
    ? new StoreError("postgres-silent", `PostgreSQL does not answer: ${error}`)
    : error;
}
