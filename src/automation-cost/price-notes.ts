import type { Comparison } from "./compare.ts";
import { planLabel } from "./plan-label.ts";
import type { Tier } from "./tiers.ts";

/** What the prices leave out, and how well those of the answer are known. */
export function priceNotes({ cheapest, smallestCovering }: Comparison, asOf: string): string[] {
  if (!cheapest) return [];
  const answers = [...new Set([cheapest.tier, (smallestCovering ?? cheapest).tier])];
  const readings = answers.filter(({ plan }) => plan !== "free").map(reading);
  return [
    `Prices are list prices in USD before tax, stated for ${asOf}${readings.length > 0 ? `: ${readings.join(", ")}` : ""}.`,
    ...answers.filter(({ price }) => price.grade === "X").map(dispute),
  ];
}

const reading = ({ plan, includedTasks, price }: Tier): string =>
  price.basis === "derived"
    ? `${planLabel(plan, includedTasks)} is derived from its annual price, last read on ${price.read_on}`
    : `${planLabel(plan, includedTasks)} was last read on ${price.read_on}`;

const dispute = ({ plan, includedTasks }: Tier): string =>
  `Sources disagree on the price of ${planLabel(plan, includedTasks)}; check it at zapier.com/pricing.`;
