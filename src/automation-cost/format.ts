import type { Quote } from "../../schemas/automation-cost.ts";
import { thousands } from "../text.ts";

/** Dollars with two decimals and thousands separators: $1,153.50. */
export function money(dollars: number): string {
  const [whole, cents] = dollars.toFixed(2).split(".");
  return `$${thousands(Number(whole))}.${cents}`;
}

/** The plans' names as Zapier writes them. */
export const PLAN_TITLES: Readonly<Record<Quote["plan"], string>> = {
  free: "Free",
  professional: "Professional",
  team: "Team",
};

/** A tier in words: "Team with 2,000 tasks". */
export const planLabel = (plan: Quote["plan"], includedTasks: number): string =>
  `${PLAN_TITLES[plan]} with ${thousands(includedTasks)} tasks`;

/**
 * A user's text on one line, without escape sequences, line breaks and marks that reverse the
 * reading order. Empty when nothing visible is left.
 */
export const forTerminal = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Z}]+/gu, " ")
    .replace(/[\p{Cf}\p{Cs}]/gu, "")
    .trim();
