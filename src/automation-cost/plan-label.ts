import type { Quote } from "../../schemas/automation-cost.ts";
import { count } from "./format.ts";

/** The plans' names as Zapier writes them. */
export const PLAN_TITLES: Readonly<Record<Quote["plan"], string>> = {
  free: "Free",
  professional: "Professional",
  team: "Team",
};

/** A tier as a reader would say it: "Team with 2,000 tasks". */
export const planLabel = (plan: Quote["plan"], includedTasks: number): string =>
  `${PLAN_TITLES[plan]} with ${count(includedTasks)} tasks`;
