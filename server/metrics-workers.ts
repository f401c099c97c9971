import * as v from "valibot";
import { type Snapshot, sumOf } from "./metrics.ts";
import type { Send } from "./workers.ts";

/** The parent's question to a worker. */
const AskSchema = v.object({ scrape: v.literal(true) });

const AnswerSchema = v.object({
  scraped: v.array(v.looseObject({ name: v.string(), type: v.string() })),
});

/** The worker's side: answers its parent, and no other message. */
export function answerScrapes(snapshot: () => Promise<Snapshot>): void {
  process.on("message", async (message: unknown) => {
    if (!v.is(AskSchema, message)) return;
    const scraped = await snapshot();
    // The parent may have ended meanwhile.
    if (process.connected) process.send?.({ scraped });
  });
}

/** A scrape waits no longer for the workers. */
const PATIENCE_MS = 1_000;

/**
 * The parent's side: collects from the workers. A worker that does not answer in time counts as it
 * did last, and the counters of one that has ended stay, because a counter must not decrease.
 */
export function scrapeWorkers() {
  const latest = new Map<Send, Snapshot>();
  const waiting = new Map<Send, () => void>();
  let ended: Snapshot = [];
  let collecting: Promise<void> | undefined;

  const ask = (worker: Send): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.set(worker, resolve);
    try {
      worker({ scrape: true });
    } catch {
      // The worker has ended meanwhile.
      resolve();
    }
    return promise;
  };
  const collect = async (): Promise<void> => {
    const answers = Promise.all([...latest.keys()].map(ask));
    await Promise.race([answers, Bun.sleep(PATIENCE_MS)]);
    waiting.clear();
    collecting = undefined;
  };

  return {
    onStart(worker: Send): void {
      latest.set(worker, []);
    },
    onMessage(message: unknown, worker: Send): void {
      if (!latest.has(worker) || !v.is(AnswerSchema, message)) return;
      latest.set(worker, message.scraped);
      waiting.get(worker)?.();
    },
    onEnd(worker: Send): void {
      const counted = (latest.get(worker) ?? []).filter((metric) => !isGauge(metric));
      latest.delete(worker);
      waiting.get(worker)?.();
      ended = sumOf([ended, counted]).getMetricsAsArray();
    },
    /** What all workers have measured. */
    async snapshots(): Promise<readonly Snapshot[]> {
      collecting ??= collect();
      await collecting;
      return [...latest.values(), ended];
    },
  };
}

const isGauge = (metric: object): boolean => "type" in metric && metric.type === "gauge";
