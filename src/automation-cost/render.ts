import type { AutomationCostResult, Breakpoint, Quote } from "../../schemas/automation-cost.ts";
import { table, thousands } from "../text.ts";
import type { Rendering } from "../tool.ts";

/** The result for a terminal: the verdict, the tasks, the plans, the notes; or the break points. */
export function renderAutomationCost(result: AutomationCostResult): Rendering {
  const sections = result.breakpoints
    ? [breakpointTable(result.breakpoints)]
    : [
        verdict(result),
        taskTable(result),
        quoteTable(result),
        result.notes.map((note) => `- ${note}`),
      ];
  const blocks = sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return { text: `${blocks.join("\n\n")}\n`, warnings: result.warnings };
}

function verdict({ cheapest, smallest_covering, ...result }: AutomationCostResult): string[] {
  const paid = result.billing === "annual" ? "paid annually" : "paid monthly";
  const shared = result.team ? ", shared by a team" : "";
  const same = cheapest !== null && isSameTier(cheapest, smallest_covering);
  return [
    `Tasks a month:  ${thousands(result.monthly_tasks)} (${paid}${shared})`,
    `Cheapest:       ${priced(cheapest)}`,
    `Covers all:     ${same ? "the same plan" : priced(smallest_covering)}`,
  ];
}

const isSameTier = (a: Quote, b: Quote | null): boolean =>
  a.plan === b?.plan && a.included_tasks === b.included_tasks;

function priced(quote: Quote | null): string {
  if (!quote) return "no listed plan";
  const price = `${planLabel(quote.plan, quote.included_tasks)}, ${money(quote.monthly_price)} a month`;
  if (quote.overage_tasks === 0) return price;
  const overage = quote.overage_price === 0 ? "less than a cent" : money(quote.overage_price);
  return `${price}, including ${overage} for extra tasks`;
}

/** Names come last: their width varies, and the numbers stay aligned. */
const taskTable = ({ automations }: AutomationCostResult): string[] =>
  table([
    { heading: "Tasks", align: "right", cells: automations.map((a) => thousands(a.monthly_tasks)) },
    { heading: "Steps", align: "right", cells: automations.map((a) => thousands(a.action_steps)) },
    { heading: "Runs", align: "right", cells: automations.map((a) => thousands(a.runs_per_month)) },
    { heading: "Automation", align: "left", cells: automations.map((a) => plainLine(a.name)) },
  ]);

function quoteTable({ options }: AutomationCostResult): string[] {
  const shown = options.slice(0, MAX_QUOTES);
  const dearest = options.at(-1);
  if (!dearest) return [];
  const rest = options.length - shown.length;
  return [
    ...table([
      { heading: "Plan", align: "left", cells: shown.map(({ title }) => title) },
      { heading: "Included", align: "right", cells: shown.map((o) => thousands(o.included_tasks)) },
      { heading: "Base", align: "right", cells: shown.map((o) => money(o.base_price)) },
      { heading: "Extra tasks", align: "right", cells: shown.map((o) => money(o.overage_price)) },
      { heading: "A month", align: "right", cells: shown.map((o) => money(o.monthly_price)) },
      { heading: "Price checked on", align: "left", cells: shown.map(origin) },
    ]),
    ...(rest > 0 ? [`and ${rest} more, up to ${money(dearest.monthly_price)} a month`] : []),
  ];
}

const breakpointTable = (points: readonly Breakpoint[]): string[] =>
  table([
    { heading: "From tasks", align: "right", cells: points.map(({ tasks }) => thousands(tasks)) },
    { heading: "Cheapest", align: "left", cells: points.map((p) => p.title ?? "no listed plan") },
    {
      heading: "Included",
      align: "right",
      cells: points.map((p) => orBlank(p.included_tasks, thousands)),
    },
    {
      heading: "A month",
      align: "right",
      cells: points.map((p) => orBlank(p.monthly_price, money)),
    },
  ]);

const orBlank = (value: number | null, write: (value: number) => string): string =>
  value === null ? "" : write(value);

/** The most rows: more would scroll the verdict off a terminal of common height. */
const MAX_QUOTES = 8;

const origin = ({ price_basis, price_read_on, price_is_old }: Quote): string =>
  `${price_basis === "derived" ? "derived " : ""}${price_read_on}${price_is_old ? " (may be out of date)" : ""}`;

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

export const planLabel = (plan: Quote["plan"], includedTasks: number): string =>
  `${PLAN_TITLES[plan]} with ${thousands(includedTasks)} tasks`;

/**
 * A user's text on one line, without escape sequences, line breaks and marks that reverse the
 * reading order. Empty when nothing visible is left.
 */
export const plainLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Z}]+/gu, " ")
    .replace(/[\p{Cf}\p{Cs}]/gu, "")
    .trim();
