import type { AutomationCostResult, Quote } from "../../schemas/automation-cost.ts";
import { type Column, escapeLine, formatCount, formatNumber, formatTable } from "../text.ts";
import type { Breakpoint } from "./breakpoints.ts";

/** Formats a result for a terminal. */
export function renderAutomationCost(result: AutomationCostResult): string {
  const blocks = [
    renderRecommendation(result),
    taskTable(result),
    quoteTable(result),
    result.notes.map((note) => `- ${note}`),
  ].filter((lines) => lines.length > 0);
  return blocks.map((lines) => `${lines.join("\n")}\n`).join("\n");
}

function renderRecommendation({
  cheapest,
  smallest_covering,
  price_doubt,
  ...result
}: AutomationCostResult): string[] {
  const unread = result.warnings.filter(({ code }) => code === "row-skipped").length;
  const paid = result.billing === "annual" ? "paid annually" : "paid monthly";
  const shared = result.team ? ", shared by a team" : "";
  const covering = formatQuoteWithOverage(smallest_covering);
  const isSame = cheapest !== null && covering === formatQuoteWithOverage(cheapest);
  return [
    `Tasks a month:  ${formatNumber(result.monthly_tasks)} (${paid}${shared})`,
    `Cheapest:       ${formatQuoteWithOverage(cheapest)}`,
    ...(price_doubt === null ? [] : [`                ${price_doubt}`]),
    `Covers all:     ${isSame ? "the same plan" : covering}`,
    ...(unread > 0 ? [`Not counted:    ${formatCount(unread, "row")} that cannot be read`] : []),
  ];
}

function formatQuoteWithOverage(quote: Quote | null): string {
  if (!quote) return "no listed plan";
  const price = `${formatPlan(quote)}, ${formatDollars(quote.monthly_price)} a month`;
  if (quote.overage_tasks === 0) return price;
  const overage =
    quote.overage_price === 0 ? "less than a cent" : formatDollars(quote.overage_price);
  return `${price}, including ${overage} for extra tasks`;
}

const columnOf =
  <Item>(items: readonly Item[]) =>
  (align: Column["align"], heading: string, cell: (item: Item) => string): Column => ({
    align,
    heading,
    cells: items.map(cell),
  });

/** Names come last, because their width varies. */
function taskTable({ automations, monthly_tasks }: AutomationCostResult): string[] {
  const column = columnOf(automations);
  return formatTable([
    column("right", "Tasks", (a) => formatNumber(a.monthly_tasks)),
    column("right", "Share", (a) => formatShare(a.monthly_tasks, monthly_tasks)),
    column("right", "Action steps", (a) => formatNumber(a.action_steps)),
    column("right", "Runs", (a) => formatNumber(a.runs_per_month)),
    column("left", "Zap", (a) => escapeLine(a.name)),
  ]);
}

export const formatShare = (tasks: number, all: number): string =>
  all === 0 ? "" : `${Math.round((100 * tasks) / all)}%`;

function quoteTable({ options }: AutomationCostResult): string[] {
  const dearest = options.at(-1);
  if (!dearest) return [];
  const column = columnOf(options.slice(0, QUOTES_SHOWN));
  const lines = formatTable([
    column("left", "Plan", ({ title }) => title),
    column("right", "Included", (quote) => formatNumber(quote.included_tasks)),
    column("right", "Base", (quote) => formatDollars(quote.base_price)),
    column("right", "Extra tasks", (quote) => formatDollars(quote.overage_price)),
    column("right", "A month", (quote) => formatDollars(quote.monthly_price)),
    column(
      "left",
      "Price checked on",
      (quote) => `${quote.price_basis === "derived" ? "derived " : ""}${quote.price_read_on}`,
    ),
  ]);
  const rest = options.length - QUOTES_SHOWN;
  if (rest <= 0) return lines;
  return [...lines, `and ${rest} more, up to ${formatDollars(dearest.monthly_price)} a month`];
}

/** More rows would scroll the recommendation off a normal terminal. */
export const QUOTES_SHOWN = 6;

export function renderBreakpoints(points: readonly Breakpoint[]): string {
  const column = columnOf(points);
  const ifAny = (value: number | null, write: (value: number) => string) =>
    value === null ? "" : write(value);
  const lines = formatTable([
    column("right", "From tasks", ({ tasks }) => formatNumber(tasks)),
    column("left", "Cheapest", ({ title }) => title ?? "no listed plan"),
    column("right", "Included", (point) => ifAny(point.included_tasks, formatNumber)),
    column("right", "A month", (point) => ifAny(point.monthly_price, formatDollars)),
  ]);
  return lines.map((line) => `${line}\n`).join("");
}

/** Formats dollars as $1,153.50. */
export function formatDollars(dollars: number): string {
  const [whole, cents] = dollars.toFixed(2).split(".");
  return `$${formatNumber(Number(whole))}.${cents}`;
}

export const formatPlan = ({ title, included_tasks }: Pick<Quote, "title" | "included_tasks">) =>
  `${title} with ${formatNumber(included_tasks)} tasks`;
