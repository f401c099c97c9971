import { lt, sql } from "drizzle-orm";
import type { Counter } from "../counts.ts";
import type { postgresPool } from "./postgres-pool.ts";
import { rateCounts } from "./postgres-tables.ts";

/** How long after the last count the table is emptied of what has expired. */
const PURGE_AFTER_MS = 130_000;

/** Each question deletes up to this many expired counts, more than it can add. */
const PURGED_AT_ONCE = 3_000;

/** Counts in the database, for all servers of the site. */
export function postgresCounter({
  transaction,
}: Pick<ReturnType<typeof postgresPool>, "transaction">): Counter {
  let timer: ReturnType<typeof setTimeout> | undefined;

  const purgeLater = () => {
    clearTimeout(timer);
    const purge = () =>
      transaction(async (tx) => {
        await tx.delete(rateCounts).where(lt(rateCounts.expiresAt, new Date()));
      }).catch(() => undefined);
    timer = setTimeout(purge, PURGE_AFTER_MS);
    timer.unref();
  };

  return (added, expiresAt) => {
    purgeLater();
    return transaction(async (tx) => {
      const rows = await tx.execute<{ key: string; count: number }>(addTo(added, expiresAt));
      return new Map([...rows].map(({ key, count }) => [key, count]));
    });
  };
}

/** All servers lock the rows in one order, so that no two of them wait for each other. */
const addTo = (added: ReadonlyMap<string, number>, expiresAt: Date) => sql`
  WITH old AS (
    DELETE FROM ${rateCounts} WHERE key IN (
      SELECT key FROM ${rateCounts} WHERE expires_at < ${new Date().toISOString()}::timestamptz
      ORDER BY expires_at LIMIT ${PURGED_AT_ONCE} FOR UPDATE SKIP LOCKED
    )
  )
  INSERT INTO ${rateCounts} (key, count, expires_at)
  SELECT key, value::int, ${expiresAt.toISOString()}::timestamptz
  FROM json_each_text(${JSON.stringify(Object.fromEntries(added))}::text::json)
  ORDER BY key
  ON CONFLICT (key) DO UPDATE SET count = ${rateCounts}.count + excluded.count
  RETURNING key, count`;
