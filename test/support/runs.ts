/** How many times as many inputs `npm run test:fuzz` takes. */
const FACTOR = Number(process.env.FUZZ ?? 1);

/** How often a property is tried: `count` times in `npm test`. */
export const runs = (count: number): number => count * FACTOR;

/** The same for fast-check: the inputs of `npm test` are always the same, others are always new. */
export const tries = (count: number): { readonly numRuns: number; readonly seed?: number } => ({
  numRuns: runs(count),
  ...(FACTOR === 1 && { seed: 20_261_120 }),
});
