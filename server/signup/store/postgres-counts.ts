import { inArray, lt, sql } from "drizzle-orm";
import { type Counter, patiently } from "../rate-limit.ts";
import type { postgresPool } from "./postgres-pool.ts";
import { rateCounts } from "./postgres-tables.ts";

/** How long after the last count the table is emptied of what has expired. */
const PURGE_AFTER_MS = 130_000;

const PURGED_AT_ONCE = 100;

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

  const count: Counter = (key, expiresAt) =>
    transaction(async (tx) => {
      const [row] = await tx
        .insert(rateCounts)
        .values({ key, count: 1, expiresAt })
        .onConflictDoUpdate({
          target: rateCounts.key,
          set: { count: sql`${rateCounts.count} + 1` },
        })
        .returning({ count: rateCounts.count });
      // SKIP LOCKED: another transaction may be deleting them.
      const old = tx
        .select({ key: rateCounts.key })
        .from(rateCounts)
        .where(lt(rateCounts.expiresAt, new Date()))
        .limit(PURGED_AT_ONCE)
        .for("update", { skipLocked: true });
      await tx.delete(rateCounts).where(inArray(rateCounts.key, old));
      return row?.count ?? 0;
    });

  return (key, expiresAt) => {
    purgeLater();
    return patiently(count(key, expiresAt));
  };
}
