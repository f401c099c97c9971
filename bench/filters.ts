import type { MailFilterInput } from "../schemas/index.ts";
import { mailFilter } from "../src/mail-filter/index.ts";
import { median } from "./median.ts";
import type { Row } from "./row.ts";

const ROUNDS = 51;
const CALLS = 40;

/** Filters as people write them, no two alike. */
export const someFilters = (count: number): MailFilterInput => ({
  filters: Array.from({ length: count }, (_, index) => ({
    name: `Customer ${index}`,
    from: [`billing@customer${index}.example`, `@shop${index}.example`],
    subject: ["invoice", "your receipt"],
    has_words: [`order ${index}`],
    does_not_have: ["refund"],
    label: `Money/Customer ${index}`,
    skip_inbox: true,
  })),
});

/** Compares twenty filters in one call with one filter. */
export function filtersRow(): Row {
  const [twenty, one] = [someFilters(20), someFilters(1)];
  for (let call = 0; call < ROUNDS; call += 1) microseconds(twenty);
  const rounds = Array.from({ length: ROUNDS }, () => ({
    twenty: microseconds(twenty),
    one: microseconds(one),
  }));
  return {
    what: "20 filters in one call, against 1 filter",
    ours: `${Math.round(median(rounds.map((round) => round.twenty)))} µs`,
    baseline: `${Math.round(median(rounds.map((round) => round.one)))} µs`,
    ratio: median(rounds.map((round) => round.twenty / round.one)),
    goal: { atMost: 20 },
  };
}

/** The time of one call. */
function microseconds(input: MailFilterInput): number {
  const started = performance.now();
  for (let call = 0; call < CALLS; call += 1) mailFilter(input);
  return ((performance.now() - started) * 1000) / CALLS;
}
