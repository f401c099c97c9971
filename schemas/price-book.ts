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
 * The reliability of a price. A: by two independent sources or more, one of them recent.
 * B: by one source for each billing period, and the two agree. C: by one source.
 * D: derived from the annual price. X: sources disagree.
 */
const GRADES = ["A", "B", "C", "D", "X"] as const;

/** These bounds keep every amount below 10^15 cents, where dollars with two decimals are exact. */
const MAX_CENTS = 100_000_000_000;
const MAX_PERCENT = 10_000;
const MAX_TASKS = 1_000_000_000_000;

/** A day of the calendar, `2026-10-11`. */
export const isoDate = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}$/, "must be a date such as 2026-10-11"),
  calendarDay,
);

const PriceSchema = closedObject({
  cents: integer(0, MAX_CENTS, "Per month, before tax; for annual billing a twelfth of the year."),
  basis: described(
    v.picklist(PRICE_BASES),
    "read: a public page gave the figure; derived: from the annual figure.",
  ),
  read_on: described(isoDate, "When the figure, or the annual one, was last read."),
  grade: v.optional(described(v.picklist(GRADES), "How well the figure is known.")),
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

/** The purpose of a price book, for the help of the command line, editors and operators. */
export const PRICE_BOOK_MEANING =
  "prices to use instead of the built-in list, which examples/price-book.json holds";

/** The prices and limits of Zapier's plans. */
export const PriceBookSchema = closedObject({
  currency: described(v.literal("USD"), "The currency of all prices."),
  as_of: described(isoDate, "The day for which the list is stated."),
  pay_per_task: described(
    closedObject({
      percent: described(
        closedObject({
          annual: integer(1, MAX_PERCENT, "With annual billing."),
          monthly: integer(1, MAX_PERCENT, "With monthly billing."),
        }),
        "Price of a task above the included ones, in percent of an included one.",
      ),
      stops_at: integer(
        1,
        100,
        "Zaps stop at this multiple of the included tasks; 1 means no pay-per-task.",
      ),
    }),
    "The price of tasks above the included ones, on paid plans.",
  ),
  free: described(
    closedObject({
      tasks: integer(0, MAX_TASKS, "Tasks a month on the Free plan."),
      action_steps: integer(1, 100, "Action steps that a Zap may have on the Free plan."),
      read_on: described(isoDate, "When the limits of the Free plan were last read."),
    }),
    "The limits of the Free plan.",
  ),
  professional: LadderSchema,
  team: LadderSchema,
});

/** The prices and limits of Zapier's plans, to replace the built-in ones. */
export interface PriceBook extends ReadonlyLists<v.InferOutput<typeof PriceBookSchema>> {}
/** A tier of a plan. */
export type PriceTier = PriceBook["team"][number];
/** The price of a tier. */
export interface Price extends v.InferOutput<typeof PriceSchema> {}
