import type { AutomationCostResult, Quote } from "../../schemas/automation-cost.ts";
import { type Column, table, thousands } from "../text.ts";
import type { Rendering } from "../tool.ts";
import type { Breakpoint } from "./breakpoints.ts";
import { PLAN_TITLES } from "./plans.ts";

/** The result for a terminal: the verdict, the tasks, the plans, the notes. */
export function renderAutomationCost(result: AutomationCostResult): Rendering {
  const blocks = [
    verdict(result),
    taskTable(result),
    quoteTable(result),
    result.notes.map((note) => `- ${note}`),
  ].filter((lines) => lines.length > 0);
  const text = blocks.map((lines) => `${lines.join("\n")}\n`).join("\n");
  return { text, warnings: result.warnings };
}

function verdict({
  cheapest,
  smallest_covering,
  price_doubt,
  ...result
}: AutomationCostResult): string[] {
  const paid = result.billing === "annual" ? "paid annually" : "paid monthly";
  const shared = result.team ? ", shared by a team" : "";
  const same = cheapest !== null && isSameTier(cheapest, smallest_covering);
  return [
    `Tasks a month:  ${thousands(result.monthly_tasks)} (${paid}${shared})`,
    `Cheapest:       ${priced(cheapest)}`,
    ...(price_doubt === null ? [] : [`                ${price_doubt}`]),
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
function taskTable({ automations, monthly_tasks }: AutomationCostResult): string[] {
  const numbers = (heading: string, count: (automation: Automation) => string): Column => ({
    heading,
    align: "right",
    cells: automations.map(count),
  });
  return table([
    numbers("Tasks", (a) => thousands(a.monthly_tasks)),
    numbers("Share", (a) => shareOf(a.monthly_tasks, monthly_tasks)),
    numbers("Action steps", (a) => thousands(a.action_steps)),
    numbers("Runs", (a) => thousands(a.runs_per_month)),
    { heading: "Automation", align: "left", cells: automations.map((a) => plainLine(a.name)) },
  ]);
}

type Automation = AutomationCostResult["automations"][number];

/** A part of all tasks in percent. */
export const shareOf = (tasks: number, all: number): string =>
  all === 0 ? "" : `${Math.round((100 * tasks) / all)} %`;

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

/** The break points for a terminal. */
export const renderBreakpoints = (points: readonly Breakpoint[]): string =>
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
  ])
    .map((line) => `${line}\n`)
    .join("");

const orBlank = (value: number | null, write: (value: number) => string): string =>
  value === null ? "" : write(value);

/** The most rows: more would scroll the verdict off a terminal of common height. */
const MAX_QUOTES = 8;

const origin = ({ price_basis, price_read_on }: Quote): string =>
  `${price_basis === "derived" ? "derived " : ""}${price_read_on}`;

/** Dollars with two decimals and thousands separators: $1,153.50. */
export function money(dollars: number): string {
  const [whole, cents] = dollars.toFixed(2).split(".");
  return `$${thousands(Number(whole))}.${cents}`;
}

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
