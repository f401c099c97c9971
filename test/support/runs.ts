/**
 * How often a slow property test runs. `npm run test:unit` sets QUICK_TESTS and runs a tenth;
 * `npm test` and CI run all.
 */
export const runs = (count: number): number =>
  process.env.QUICK_TESTS ? Math.ceil(count / 10) : count;
