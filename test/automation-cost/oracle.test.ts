import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { expectOracle, inputFor } from "./expect-oracle.ts";
import { BILLINGS, type Billing, RUNGS, type Rung } from "./ladder.ts";
import { cheapest, type Question, totalCents } from "./oracle.ts";

const RUNS = 12_000;

const questionsAt = (tasks: number): Question[] =>
  BILLINGS.flatMap((billing) =>
    [false, true].flatMap((team) =>
      [false, true].map((singleSteps) => ({ tasks, billing, team, singleSteps })),
    ),
  );

const around = (tasks: number): number[] => [tasks - 1, tasks, tasks + 1];

describe("automationCost() agrees with the oracle", () => {
  const limits = new Set([100, ...RUNGS.map(({ tasks }) => tasks)]);
  for (const limit of limits) {
    test(`around ${limit} tasks, and where that tier stops`, () => {
      const points = [...around(limit), 3 * limit, 3 * limit + 1];
      for (const question of points.flatMap(questionsAt)) {
        expectOracle(inputFor(question), question);
      }
    });
  }

  test("without a task", () => {
    for (const question of questionsAt(0)) expectOracle(inputFor(question), question);
  });

  test(`on ${RUNS} random inputs`, () => {
    // Runs of every order of magnitude: a uniform number would nearly always exceed the ladder.
    const runs = fc
      .integer({ min: 0, max: 7 })
      .chain((magnitude) => fc.integer({ min: 0, max: 10 ** magnitude }));
    const steps = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 100 }));
    const zap = fc.record(
      { name: fc.string(), action_steps: steps, runs_per_month: runs },
      { requiredKeys: ["action_steps", "runs_per_month"] },
    );
    const zaps = fc.array(zap, { minLength: 1, maxLength: 25 });
    const few = fc.array(zap, { minLength: 1, maxLength: 2 });
    const input = fc.record({
      zaps: fc.oneof(few, zaps),
      billing: fc.constantFrom(...BILLINGS),
      team: fc.boolean(),
    });
    fc.assert(
      fc.property(input, ({ zaps, billing, team }) => {
        const tasks = zaps.reduce((sum, zap) => sum + zap.action_steps * zap.runs_per_month, 0);
        const singleSteps = zaps.every(({ action_steps }) => action_steps === 1);
        expectOracle({ zaps, billing, team }, { tasks, billing, team, singleSteps });
      }),
      { numRuns: RUNS },
    );
  }, 60_000);
});

describe("where the next tier becomes cheaper", () => {
  for (const billing of BILLINGS) {
    for (const [index, lower] of RUNGS.entries()) {
      const upper = RUNGS[index + 1];
      if (upper?.plan !== lower.plan) continue;
      const team = lower.plan === "team";

      test(`${lower.plan} ${lower.tasks} to ${upper.tasks}, ${billing}`, () => {
        const crossing = firstNotCheaper(lower, upper, billing);
        for (const question of around(crossing).flatMap(questionsAt)) {
          expectOracle(inputFor(question), question);
        }
        const question = { billing, team, singleSteps: false };
        expect(cheapest({ ...question, tasks: crossing - 1 })?.included).toBe(lower.tasks);
        expect(cheapest({ ...question, tasks: crossing })?.included).toBe(upper.tasks);
      });
    }
  }
});

/** The first number of tasks at which the lower tier costs as much as the upper one, by halving. */
function firstNotCheaper(lower: Rung, upper: Rung, billing: Billing): number {
  let below = lower.tasks;
  let above = upper.tasks;
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (totalCents(lower, middle, billing) < upper.price[billing]) below = middle;
    else above = middle;
  }
  return above;
}
