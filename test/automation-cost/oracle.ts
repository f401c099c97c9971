import { type Billing, RUNGS, type Rung } from "./ladder.ts";

/*
 * The rules once more, in exact fractions and by brute force, without a line of src/.
 */
export interface Line {
  readonly plan: "free" | "professional" | "team";
  readonly included: number;
  readonly baseCents: number;
  readonly totalCents: number;
}

export interface Question {
  readonly tasks: number;
  readonly billing: Billing;
  readonly team: boolean;
  /** Every automation has a single action step. */
  readonly singleSteps: boolean;
}

/** Half up, which for positive fractions is the floor of twice the fraction plus one, halved. */
const roundHalfUp = (numerator: bigint, denominator: bigint): number =>
  Number((numerator * 10n + denominator * 5n) / (denominator * 10n));

/** Base x (1 + multiplier x overage / included), rounded once; the multiplier is 5/4 or 5/2. */
export function totalCents({ tasks: included, price }: Rung, tasks: number, billing: Billing) {
  const base = BigInt(price[billing]);
  const over = BigInt(tasks > included ? tasks - included : 0);
  const quarters = billing === "annual" ? 5n : 10n;
  const denominator = 4n * BigInt(included);
  return roundHalfUp(base * (denominator + quarters * over), denominator);
}

/** Every plan and tier that can carry the tasks, in no particular order. */
export function lines({ tasks, billing, team, singleSteps }: Question): Line[] {
  const paid = RUNGS.filter((rung) => !team || rung.plan === "team")
    .filter((rung) => tasks <= 3 * rung.tasks)
    .map((rung) => ({
      plan: rung.plan,
      included: rung.tasks,
      baseCents: rung.price[billing],
      totalCents: totalCents(rung, tasks, billing),
    }));
  const free = { plan: "free", included: 100, baseCents: 0, totalCents: 0 } as const;
  return !team && singleSteps && tasks <= 100 ? [free, ...paid] : paid;
}

/** The line that beats every other one, or null when there is none. */
const best = (all: readonly Line[], beats: (a: Line, b: Line) => boolean): Line | null =>
  all.find((line) => all.every((other) => other === line || beats(line, other))) ?? null;

/** The least cents; on a tie the plan that covers the tasks outright. */
export const cheapest = (question: Question): Line | null =>
  best(lines(question), (a, b) =>
    a.totalCents === b.totalCents
      ? a.included >= question.tasks && (b.included < question.tasks || a.included > b.included)
      : a.totalCents < b.totalCents,
  );

/** The fewest included tasks that are enough; of several the cheapest. */
export const smallestCovering = (question: Question): Line | null =>
  best(
    lines(question).filter(({ included }) => included >= question.tasks),
    (a, b) => a.included < b.included || (a.included === b.included && a.baseCents < b.baseCents),
  );
