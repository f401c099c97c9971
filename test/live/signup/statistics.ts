export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = sorted.slice(middle - 1, middle + 1);
  return sorted.length % 2 === 0 ? (low + high) / 2 : high;
}

/**
 * The test of Mann and Whitney, by its normal approximation, which is good from about twenty values
 * each. Times are fine enough to have no ties.
 *
 * @returns the probability of ranks that differ as much, if both are of one distribution.
 */
export function rankTest(one: readonly number[], other: readonly number[]): number {
  const wins = one.reduce((sum, a) => sum + other.filter((b) => a > b).length, 0);
  const product = one.length * other.length;
  const deviation = Math.sqrt((product * (one.length + other.length + 1)) / 12);
  return 2 * (1 - normal(Math.abs(wins - product / 2) / deviation));
}

/** The distribution function, to within 1.5e-7 (Abramowitz and Stegun 7.1.26). */
function normal(z: number): number {
  const t = 1 / (1 + (0.3275911 * z) / Math.SQRT2);
  const polynomial =
    ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return 1 - (polynomial * Math.exp((-z * z) / 2)) / 2;
}
