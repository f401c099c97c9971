import fc from "fast-check";

/**
 * Runs a property on inputs that the seed makes.
 *
 * @throws {Error} with the smallest input that was found to break it.
 */
export async function checkProperty<Input>(
  property: fc.IRawProperty<Input>,
  parameters: fc.Parameters<Input>,
): Promise<fc.RunDetails<Input>> {
  const details = await fc.check(property, parameters);
  if (!details.failed) return details;
  const { seed, counterexamplePath, counterexample, errorInstance, numRuns } = details;
  const found = `run ${numRuns} fails, { seed: ${seed}, path: "${counterexamplePath}" }`;
  throw new Error(`${found}\n${cut(fc.stringify(counterexample))}\n${cut(String(errorInstance))}`);
}

/** A counterexample may be megabytes long; its seed and path lead to it. */
const MAX_MESSAGE = 4_000;

const cut = (text: string): string =>
  text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE)}…`;
