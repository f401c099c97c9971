// Written by `npm run golden` from the schemas. Change their descriptions, not this file.

import type { WarningCode } from "../codes.ts";
import type { Warning } from "../common.ts";

/** The prices and limits of Zapier's plans, to replace the built-in ones. */
export interface PriceBook {
  /** Of all prices. */
  readonly currency: "USD";
  /** The day for which the list is stated. */
  readonly as_of: string;
  /** The price of tasks above the included ones, on paid plans. */
  readonly pay_per_task: {
    /** Price of a task above the included ones, in percent of an included one. */
    readonly percent: {
      /** With annual billing. 1 to 10,000. */
      readonly annual: number;
      /** With monthly billing. 1 to 10,000. */
      readonly monthly: number;
    };
    /** Automations stop at this multiple of the included tasks; 1 means no pay-per-task. 1 to 100. */
    readonly stops_at: number;
  };
  /** The limits of the Free plan. */
  readonly free: {
    /** Tasks a month on the Free plan. 0 to 1,000,000,000,000. */
    readonly tasks: number;
    /** Action steps that one automation may have on the Free plan. 1 to 100. */
    readonly action_steps: number;
    /** When the limits of the Free plan were last read. */
    readonly read_on: string;
  };
  /** The tiers of a plan, the smallest first. 1 to 100 items. */
  readonly professional: readonly PriceTier[];
  /** The tiers of a plan, the smallest first. 1 to 100 items. */
  readonly team: readonly PriceTier[];
}

/** A tier of a plan. */
export interface PriceTier {
  /** Tasks a month that the price includes. 1 to 1,000,000,000,000. */
  readonly tasks: number;
  /** With annual billing. */
  readonly annual: Price;
  /** With monthly billing. */
  readonly monthly: Price;
}

/** The price of a tier. */
export interface Price {
  /** Per month, before tax; for annual billing a twelfth of the year. 0 to 100,000,000,000. */
  readonly cents: number;
  /** read: a public page gave the figure; derived: from the annual figure. */
  readonly basis: "read" | "derived";
  /** When the figure, or the annual one, was last read. */
  readonly read_on: string;
  /** How well the figure is known. */
  readonly grade?: "A" | "B" | "C" | "D" | "X" | undefined;
}

/** The result of `automationCost()`. Prices are USD per month before tax, with two decimals. */
export interface AutomationCostResult {
  /** Tasks a month of all automations together. */
  monthly_tasks: number;
  /** One per automation of the input, in order. */
  automations: AutomationTasks[];
  /** The cheapest plan, extra tasks included; null when no listed plan is enough. */
  cheapest: Quote | null;
  /**
   * The plan with the fewest included tasks that includes them all, of several the cheapest;
   * null when none does.
   */
  smallest_covering: Quote | null;
  /**
   * Every plan and tier that can carry the tasks, cheapest first; at the same price, the one
   * that includes more tasks.
   */
  options: Quote[];
  /**
   * The numbers of tasks from which another plan is the cheapest; only where they were asked
   * for.
   */
  breakpoints?: Breakpoint[] | undefined;
  /** The billing for which the prices hold, as given. */
  billing: "annual" | "monthly";
  /** True when only the Team plan counts, as given. */
  team: boolean;
  /** Of all prices. */
  currency: "USD";
  /** The day for which the price list is stated. */
  prices_as_of: string;
  /** The assumptions behind the answer, in sentences. */
  notes: string[];
  /** Problems to know about. Typical input gives none. */
  warnings: Warning<WarningCode<"automation_cost_calculator">>[];
}

/** A number of tasks a month from which another plan is the cheapest. */
export interface Breakpoint {
  /** Tasks a month from which this plan is the cheapest. */
  tasks: number;
  /** The plan's identifier; null where no listed plan carries the tasks. */
  plan: "free" | "professional" | "team" | null;
  /** The plan's name, such as Professional. */
  title: string | null;
  /** Tasks a month in the base price. */
  included_tasks: number | null;
  /** USD per month at that number of tasks, extra tasks included. */
  monthly_price: number | null;
}

/** The price of a plan for the tasks, in USD per month before tax. */
export interface Quote {
  /** The plan's identifier. */
  plan: "free" | "professional" | "team";
  /** The plan's name, such as Professional. */
  title: string;
  /** Tasks a month in the base price. */
  included_tasks: number;
  /** USD per month, before tax. */
  base_price: number;
  /** Tasks a month above the included ones. */
  overage_tasks: number;
  /** USD per month for the tasks above the included ones. */
  overage_price: number;
  /** USD per month: base price and extra tasks. */
  monthly_price: number;
  /** When the base price was last read; for a derived one, the annual price. */
  price_read_on: string;
  /** read: a public page gave the figure; derived: from the annual figure. */
  price_basis: "read" | "derived";
  /** Read more than 180 days before the newest price of the list. */
  price_is_old: boolean;
}

/** The tasks of one automation. */
export interface AutomationTasks {
  /** The given name, or one such as Automation 1. */
  name: string;
  /** Action steps per run, as given. */
  action_steps: number;
  /** Runs a month, as given. */
  runs_per_month: number;
  /** Tasks a month: action steps times runs. */
  monthly_tasks: number;
}

/** Automations, as `automationCost()` reads them. */
export interface AutomationCostInput {
  /** The automations (Zaps). 1 to 25 items. */
  zaps: readonly ZapInput[];
  /**
   * Paid by the year up front, or by the month.
   * @default "annual"
   */
  billing?: "annual" | "monthly" | undefined;
  /**
   * Several people share automations, which needs the Team plan.
   * @default false
   */
  team?: boolean | undefined;
}

/** One automation. */
export interface ZapInput {
  /** Tells automations apart. At most 200 characters. */
  name?: string | undefined;
  /**
   * Action steps per run. Triggers, Filter, Paths, Formatter and Delay steps are free. 1 to
   * 100.
   */
  action_steps: number;
  /** How often it runs in a month. 0 to 10,000,000. */
  runs_per_month: number;
}
