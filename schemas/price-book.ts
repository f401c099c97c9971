import * as v from "valibot";
import {
  calendarDay,
  closedObject,
  described,
  integer,
  list,
  type ReadonlyLists,
} from "./common.ts";

export const PRICE_BASES = ["read", "derived"] as const;

/**
 * The reliability of a price. A: at least two independent sources, one of them recent. B: one source for
 * each billing period, and the two agree. C: one source. D: derived from the annual price. X: sources
 * disagree.
 */
const PRICE_GRADES = ["A", "B", "C", "D", "X"] as const;

/** These limits keep all amounts below 10^15 cents, where dollars with two decimals are exact. */
const MAX_CENTS = 100_000_000_000;
const MAX_PERCENT = 10_000;
const MAX_TASKS = 1_000_000_000_000;

export const isoDate = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}$/, "must be a date such as 2026-10-11"),
  calendarDay,
);

const PriceSchema = closedObject({
  cents: integer(
    0,
    MAX_CENTS,
    "Per month, before tax; with annual billing, a twelfth of the annual price.",
  ),
  basis: described(
    v.picklist(PRICE_BASES),
    "read: from a public page; derived: from the annual price.",
  ),
  read_on: described(isoDate, "When the price, or the annual price, was last read."),
  grade: v.optional(described(v.picklist(PRICE_GRADES), "How reliable the price is.")),
});

const LadderSchema = v.pipe(
  list(
    closedObject({
      tasks: integer(1, MAX_TASKS, "Tasks a month that the price includes."),
      annual: described(PriceSchema, "With annual billing."),
      monthly: described(PriceSchema, "With monthly billing."),
    }),
    { min: 1, max: 100 },
  ),
  v.checkItems(
    ({ tasks }, index, tiers) => tasks > (tiers[index - 1]?.tasks ?? 0),
    "must include more tasks than the tier before it",
  ),
  v.description("The tiers of a plan, the smallest first."),
);

export const PRICE_BOOK_MEANING =
  "prices to use instead of the built-in list, which examples/price-book.json holds";

/** Prices and limits of Zapier's plans. */
export const PriceBookSchema = closedObject({
  currency: described(v.literal("USD"), "The currency of all prices."),
  as_of: described(isoDate, "The date of the list."),
  pay_per_task: described(
    closedObject({
      percent: described(
        closedObject({
          annual: integer(1, MAX_PERCENT, "With annual billing."),
          monthly: integer(1, MAX_PERCENT, "With monthly billing."),
        }),
        "The price of an extra task, as a percentage of the price of an included one.",
      ),
      stops_at: integer(
        1,
        100,
        "Zaps stop at this multiple of the included tasks. 1: no pay-per-task.",
      ),
    }),
    "The price of extra tasks, on paid plans.",
  ),
  free: described(
    closedObject({
      tasks: integer(0, MAX_TASKS, "Tasks a month on the Free plan."),
      action_steps: integer(1, 100, "Action steps that the Free plan allows in a Zap."),
      read_on: described(isoDate, "When the limits of the Free plan were last read."),
    }),
    "The limits of the Free plan.",
  ),
  professional: LadderSchema,
  team: LadderSchema,
});

/** Prices and limits of Zapier's plans, to use instead of the built-in ones. */
export interface PriceBook extends ReadonlyLists<v.InferOutput<typeof PriceBookSchema>> {}
/** A tier of a plan. */
export type PriceTier = PriceBook["team"][number];
/** The price of a tier. */
export interface Price extends v.InferOutput<typeof PriceSchema> {}
