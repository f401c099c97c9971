import { answersPerSecond, type Request } from "./clients.ts";
import { median } from "./median.ts";
import { type Command, type Program, withProgram } from "./program.ts";
import type { Row } from "./row.ts";

/**
 * Many short turns, so that what else the machine does falls on both alike; and several launches,
 * because one process may run a few percent faster than the next one of the same program.
 */
const LAUNCHES = 2;
const ROUNDS = 6;
const TURN_MS = 400;
const WARM_UP_MS = 1_500;

interface Comparison {
  readonly what: string;
  readonly goal?: Row["goal"];
  readonly request: Request;
  readonly ours: Command;
  readonly baseline: Command;
}

/** Answers per second. */
interface Round {
  readonly ours: number;
  readonly baseline: number;
}

/** Runs two servers side by side and loads them in turns; the ratio is the median of all turns. */
export async function compare(comparison: Comparison): Promise<Row> {
  const { what, goal, request } = comparison;
  const rounds: Round[] = [];
  for (let launch = 0; launch < LAUNCHES; launch += 1) {
    await withProgram(comparison.ours, (ours) =>
      withProgram(comparison.baseline, async (baseline) => {
        rounds.push(...(await takeTurns(ours, baseline, request)));
      }),
    );
  }
  return {
    what,
    ours: perSecond(median(rounds.map(({ ours }) => ours))),
    baseline: perSecond(median(rounds.map(({ baseline }) => baseline))),
    ratio: median(rounds.map(({ ours, baseline }) => ours / baseline)),
    ...(goal && { goal }),
  };
}

async function takeTurns(ours: Program, baseline: Program, request: Request) {
  const turn = ({ port }: Program, milliseconds: number) =>
    answersPerSecond(port, request, { milliseconds });
  await turn(ours, WARM_UP_MS);
  await turn(baseline, WARM_UP_MS);
  const rounds: Round[] = [];
  while (rounds.length < ROUNDS) {
    const isOursFirst = rounds.length % 2 === 0;
    const first = await turn(isOursFirst ? ours : baseline, TURN_MS);
    const second = await turn(isOursFirst ? baseline : ours, TURN_MS);
    rounds.push(
      isOursFirst ? { ours: first, baseline: second } : { ours: second, baseline: first },
    );
  }
  return rounds;
}

const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString("en-US")}/s`;
