import { slots } from "../../server/signup/newsletter/concurrency.ts";
import type { Check } from "../clients/check.ts";
import type { Scenario } from "./site/scenario.ts";

/** Most scenarios do little but wait. */
const LANES = 4;

/** Begins with all of them now, three at a time; what they measure is told in their order. */
export function inLanes(scenarios: readonly Scenario[]): readonly Check[] {
  const lanes = slots(LANES);
  const { signal } = new AbortController();
  return scenarios.map(({ title, run }) => {
    const figures = lanes.take(signal).then((release) => run().finally(release));
    // Whoever asks for it hears of it; nobody has asked yet.
    figures.catch(() => undefined);
    return {
      title,
      run: async () => {
        process.stdout.write(`      ${await figures}\n`);
      },
    };
  });
}
