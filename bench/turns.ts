import { median } from "./median.ts";
import type { Row } from "./row.ts";

const WARM_UPS = 3;
const ROUNDS = 41;

interface Programs extends Pick<Row, "what" | "goal"> {
  /** The words of a command line. */
  readonly ours: readonly string[];
  readonly baseline: readonly string[];
  readonly folder: string;
}

/** Runs two programs in turns, from start to end; the ratio is the median of all turns. */
export function takeTurns({ what, goal, ours, baseline, folder }: Programs): Row {
  const turn = () => ({
    ours: milliseconds(ours, folder),
    baseline: milliseconds(baseline, folder),
  });
  for (let round = 0; round < WARM_UPS; round += 1) turn();
  const rounds = Array.from({ length: ROUNDS }, turn);
  return {
    what,
    ours: `${median(rounds.map((round) => round.ours)).toFixed(1)} ms`,
    baseline: `${median(rounds.map((round) => round.baseline)).toFixed(1)} ms`,
    ratio: median(rounds.map((round) => round.ours / round.baseline)),
    ...(goal && { goal }),
  };
}

function milliseconds(words: readonly string[], folder: string): number {
  const started = performance.now();
  const { exitCode, stderr } = Bun.spawnSync([...words], { cwd: folder, timeout: 20_000 });
  const duration = performance.now() - started;
  if (exitCode !== 0) throw new Error(`${words.join(" ")} failed: ${stderr}`);
  return duration;
}
