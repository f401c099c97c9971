import { ms } from "./figures.ts";
import type { Site } from "./site.ts";

const PAUSE_MS = 50;

/** What needs no neighbour takes milliseconds, on a busy machine many; not the wait for a lock. */
const WELL_MS = 1_800;

/** Asks for the health check and a tool, again and again, until it is judged or disposed of. */
export function startWatch({ isHealthy, runsTools }: Site) {
  const seen = { asked: 0, unwell: 0, worstMs: 0 };
  let isOn = true;
  const watch = async () => {
    while (isOn) {
      const start = performance.now();
      const areWell = await Promise.all([isHealthy(), runsTools()]);
      seen.asked += 1;
      if (areWell.includes(false)) seen.unwell += 1;
      seen.worstMs = Math.max(seen.worstMs, performance.now() - start);
      await Bun.sleep(PAUSE_MS);
    }
  };
  const watching = watch();
  const stop = async () => {
    isOn = false;
    await watching;
  };
  return {
    /** What was measured, or an error when it was not well all the time. */
    judge: async (): Promise<string> => {
      await stop();
      const { asked, unwell, worstMs } = seen;
      if (unwell > 0) throw new Error(`health or a tool failed ${unwell} of ${asked} times`);
      if (worstMs > WELL_MS) throw new Error(`health and a tool took ${ms(worstMs)}`);
      return `health and a tool in ${ms(worstMs)} at most`;
    },
    [Symbol.asyncDispose]: stop,
  };
}
