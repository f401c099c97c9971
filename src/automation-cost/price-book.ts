import type { Price, PriceBook, PriceTier } from "../../schemas/price-book.ts";

/**
 * Zapier's list prices in US cents. No public page lists all of them with dates, so each figure
 * has the day when we read it, and a grade. The only complete list of annual prices is from
 * 2026-02-06. A custom price book can start from this one: `{ ...priceBook, as_of: … }`.
 */
export const priceBook: PriceBook = {
  currency: "USD",
  as_of: "2026-10-11",
  // 250 is from Zapier's price page in September and October 2026; its help said 125 until May.
  pay_per_task: { percent: { annual: 125, monthly: 250 }, stops_at: 3 },
  free: { tasks: 100, action_steps: 1, read_on: "2026-10-06" },
  professional: [
    tier(750, readPrice(1_999, "A", "2026-10-06"), readPrice(2_999, "A", "2026-10-06")),
    tier(1_500, readPrice(3_900, "C", "2026-02-06")),
    tier(2_000, readPrice(4_900, "A", "2026-10-06"), readPrice(7_350, "A", "2026-10-06")),
    tier(5_000, readPrice(8_900, "A", "2026-09-30"), readPrice(13_350, "A", "2026-09-30")),
    tier(10_000, readPrice(12_900, "A", "2026-09-30"), readPrice(19_350, "A", "2026-09-30")),
    tier(20_000, readPrice(18_900, "B", "2026-02-06"), readPrice(28_350, "B", "2025-05-18")),
    tier(50_000, readPrice(28_900, "B", "2026-02-06"), readPrice(43_350, "B", "2025-05-18")),
    tier(100_000, readPrice(48_900, "B", "2026-02-06"), readPrice(73_350, "B", "2025-05-18")),
    tier(200_000, readPrice(76_900, "C", "2026-02-06")),
    tier(300_000, readPrice(106_900, "C", "2026-02-06")),
    tier(400_000, readPrice(126_900, "C", "2026-02-06")),
    tier(500_000, readPrice(149_900, "X", "2026-02-06")),
    tier(750_000, readPrice(199_900, "C", "2026-02-06")),
    tier(1_000_000, readPrice(219_900, "C", "2026-02-06")),
    tier(1_500_000, readPrice(299_900, "C", "2026-02-06")),
    tier(1_750_000, readPrice(319_900, "C", "2026-02-06")),
    tier(2_000_000, readPrice(338_900, "A", "2026-09-20")),
  ],
  team: [
    tier(2_000, readPrice(6_900, "A", "2026-10-06"), readPrice(10_350, "A", "2026-10-06")),
    tier(5_000, readPrice(11_900, "B", "2026-02-06"), readPrice(17_850, "B", "2025-05-18")),
    tier(10_000, readPrice(16_900, "B", "2026-02-06"), readPrice(25_350, "B", "2025-05-18")),
    tier(20_000, readPrice(24_900, "B", "2026-02-06"), readPrice(37_350, "B", "2025-05-18")),
    tier(50_000, readPrice(39_900, "B", "2026-02-06"), readPrice(59_850, "B", "2025-05-18")),
    tier(100_000, readPrice(59_900, "B", "2026-02-06"), readPrice(89_850, "B", "2025-05-18")),
    tier(200_000, readPrice(99_900, "C", "2026-02-06")),
    tier(300_000, readPrice(119_900, "C", "2026-02-06")),
    tier(400_000, readPrice(139_900, "C", "2026-02-06")),
    tier(500_000, readPrice(179_900, "B", "2026-02-06")),
    tier(750_000, readPrice(219_900, "C", "2026-02-06")),
    tier(1_000_000, readPrice(249_900, "C", "2026-02-06")),
    tier(1_500_000, readPrice(339_900, "C", "2026-02-06")),
    tier(1_750_000, readPrice(379_900, "C", "2026-02-06")),
    tier(2_000_000, readPrice(399_900, "A", "2026-09-20")),
  ],
};

function readPrice(cents: number, grade: "A" | "B" | "C" | "X", read_on: string): Price {
  return { cents, basis: "read", read_on, grade };
}

/** Derives a missing monthly price: Zapier says that annual billing saves a third. */
function derivePrice({ cents, read_on, grade }: Price): Price {
  const isKnown = grade === "B" || grade === "X";
  return { cents: 1.5 * cents, basis: "derived", read_on, grade: isKnown ? grade : "D" };
}

function tier(tasks: number, annual: Price, monthly = derivePrice(annual)): PriceTier {
  return { tasks, annual, monthly };
}
