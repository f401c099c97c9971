import type { AutomationCostResult, PriceBook } from "../../../schemas/index.ts";
import {
  automationCostBreakpoints,
  type Breakpoint,
} from "../../../src/automation-cost/breakpoints.ts";
import { money } from "../../../src/automation-cost/render.ts";
import { thousands } from "../../../src/text.ts";
import { type Html, html } from "../html.ts";

/** The break points of the cheapest price, and those of the Team plan, unless the input asks for it. */
export interface Prices {
  readonly cheapest: readonly Breakpoint[];
  readonly team: readonly Breakpoint[] | undefined;
}

export function computePrices(
  { team }: AutomationCostResult,
  input: unknown,
  priceBook: PriceBook | undefined,
): Prices {
  const find = (more: object) =>
    automationCostBreakpoints({ ...Object(input), ...more }, { priceBook });
  return { cheapest: find({}), team: team ? undefined : find({ team: true }) };
}

interface Point {
  readonly tasks: number;
  readonly price: number;
}

/**
 * Draws the prices around a result. The tasks are on a logarithmic axis, in percent of the width, so
 * that the chart fits a phone with letters of the usual size.
 */
export function priceChart(
  { monthly_tasks: tasks, cheapest: quote }: AutomationCostResult,
  { cheapest, team }: Prices,
): Html {
  const range = { first: Math.max(tasks, 40) / 4, last: Math.max(tasks, 40) * 12 };
  const current = quote ? { tasks, price: quote.monthly_price } : undefined;
  const line = listPoints(cheapest, range, current);
  const teamLine = team && listPoints(team, range);
  const most = Math.max(...[...line, ...(teamLine ?? [])].map(({ price }) => price), 1);
  const scale: Scale = {
    // A user without a task is at the left edge.
    x: (tasks) =>
      (100 * Math.log(Math.max(tasks, range.first) / range.first)) /
      Math.log(range.last / range.first),
    y: (price) => BOTTOM - ((BOTTOM - TOP) * price) / most,
  };
  const next = current && cheapest.find(({ tasks }) => tasks > current.tasks);
  return html`<svg class="chart" width="100%" height="${HEIGHT}" role="img" aria-label="${describeChart(current, next)}">
${priceTicks(most).map((price) => html`<line class="grid" x1="0" x2="100%" y1="${px(scale.y(price))}" y2="${px(scale.y(price))}"/><text x="0" y="${px(scale.y(price) - 4)}">${price > 0 && `$${thousands(price)}`}</text>\n`)}${taskTicks(range).map((tasks) => html`<line class="grid" x1="${percent(scale.x(tasks))}" x2="${percent(scale.x(tasks))}" y1="${BOTTOM}" y2="${BOTTOM + 5}"/><text text-anchor="middle" x="${percent(scale.x(tasks))}" y="${BOTTOM + 19}">${shortNumber(tasks)}</text>\n`)}<svg width="100%" height="${HEIGHT}" viewBox="0 0 100 ${HEIGHT}" preserveAspectRatio="none">
${teamLine && html`<path class="line team" d="${writePath(teamLine, scale)}" vector-effect="non-scaling-stroke"/>\n`}<path class="line" d="${writePath(line, scale)}" vector-effect="non-scaling-stroke"/>
</svg>
${teamLine && lineName("Team", teamLine, scale)}
${cheapest.filter(isWithin(range)).map((point) => html`<circle class="break" cx="${percent(scale.x(point.tasks))}" cy="${px(scale.y(point.monthly_price ?? 0))}" r="3"/>\n`)}${tierNames(cheapest, range, scale)}
${next && isWithin(range)(next) && nextMark(next, scale)}
${current && currentMark(current, scale)}
</svg>
`;
}

const HEIGHT = 260;
const TOP = 48;
const BOTTOM = 230;

interface Range {
  readonly first: number;
  readonly last: number;
}

interface Scale {
  /** The place of a number of tasks, in percent of the width. */
  x(tasks: number): number;
  /** The place of a price, in pixels. */
  y(price: number): number;
}

const isWithin =
  ({ first, last }: Range) =>
  ({ tasks }: Breakpoint): boolean =>
    tasks > first && tasks < last;

const percent = (value: number): string => `${value.toFixed(2)}%`;
const px = (value: number): string => value.toFixed(1);

function describeChart(current: Point | undefined, next: Breakpoint | undefined): string {
  const title = "Price a month against tasks a month";
  if (!current) return `${title}. No listed plan carries these tasks.`;
  const you = `${title}. You: ${thousands(current.tasks)} tasks, ${money(current.price)}.`;
  return next?.plan ? `${you} From ${thousands(next.tasks)} tasks on, ${tierName(next)}.` : you;
}

const tierName = ({ title, included_tasks }: Breakpoint): string =>
  `${title} with ${thousands(included_tasks ?? 0)}`;

/**
 * The corners of a line: from a break point flat to the included tasks, then straight to the next
 * one, where the price is the same but for a cent.
 */
function listPoints(breakpoints: readonly Breakpoint[], range: Range, current?: Point): Point[] {
  const corners = breakpoints.flatMap((point, index): readonly Point[] => {
    const { tasks, included_tasks: included, monthly_price: price } = point;
    if (price === null || included === null) return [];
    const next = breakpoints[index + 1];
    const flat = {
      tasks: Math.max(Math.min(included, (next?.tasks ?? included) - 1), tasks),
      price,
    };
    const isLast = next?.monthly_price === null;
    const end = isLast
      ? extendLine(flat, next.tasks - 1, current)
      : { tasks: next?.tasks ?? flat.tasks, price: next?.monthly_price ?? price };
    return [{ tasks, price }, flat, end];
  });
  const within = corners.flatMap((corner, index) => {
    const before = corners[index - 1];
    if (!before || corner.tasks <= range.first || before.tasks >= range.last) return [];
    return clipLine(before, corner, range);
  });
  return within;
}

/** The price of the largest tier goes on through the user's, if that is above it. */
function extendLine(flat: Point, last: number, current: Point | undefined): Point {
  if (!current || current.tasks <= flat.tasks) return flat;
  const rate = (current.price - flat.price) / (current.tasks - flat.tasks);
  return { tasks: last, price: flat.price + rate * (last - flat.tasks) };
}

function clipLine(from: Point, to: Point, { first, last }: Range): Point[] {
  const at = (tasks: number): Point => ({
    tasks,
    price:
      to.tasks === from.tasks
        ? to.price
        : from.price + ((to.price - from.price) * (tasks - from.tasks)) / (to.tasks - from.tasks),
  });
  const [begin, end] = [Math.max(from.tasks, first), Math.min(to.tasks, last)];
  const steps = from.price === to.price || end - begin < 2 ? 1 : 6;
  return Array.from({ length: steps + 1 }, (_, step) =>
    at(begin * (end / begin) ** (step / steps)),
  );
}

function writePath(points: readonly Point[], { x, y }: Scale): string {
  const places = points.map(({ tasks, price }) => `${px(x(tasks))} ${px(y(price))}`);
  return `M${places.filter((place, index) => place !== places[index - 1]).join("L")}`;
}

/** Round prices for the axis, about four of them. */
function priceTicks(most: number): readonly number[] {
  const step =
    [1, 2, 5, 10]
      .map((factor) => factor * 10 ** Math.floor(Math.log10(most / 4)))
      .find((size) => most / size <= 5) ?? most;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step).filter(
    Number.isInteger,
  );
}

/** Round numbers of tasks: 100, 200, 500 and so on. */
const taskTicks = ({ first, last }: Range): readonly number[] =>
  Array.from({ length: 10 }, (_, exponent) => [1, 2, 5].map((factor) => factor * 10 ** exponent))
    .flat()
    .filter((tasks) => tasks > first * 1.1 && tasks < last / 1.1);

const shortNumber = (value: number): string =>
  value >= 1_000_000
    ? `${value / 1_000_000}M`
    : value >= 1_000
      ? `${value / 1_000}k`
      : String(value);

/** The included tasks of the tiers that are cheapest for long enough, below their part of the line. */
const tierNames = (points: readonly Breakpoint[], range: Range, { x, y }: Scale): Html =>
  html`${points.map((point, index) => {
    const [from, to] = [point.tasks, points[index + 1]?.tasks ?? range.last];
    const [left, right] = [x(Math.max(from, range.first)), x(Math.min(to, range.last))];
    return point.monthly_price !== null && right - left > 14
      ? html`<text class="tier" text-anchor="middle" x="${percent((left + right) / 2)}" y="${px(y(point.monthly_price) + (y(point.monthly_price) > BOTTOM - 22 ? -8 : 16))}">${point.plan === "free" ? "Free" : shortNumber(point.included_tasks ?? 0)}</text>\n`
      : html``;
  })}`;

/** The name of a line, above its end: a line never falls, so that nothing else is there. */
function lineName(name: string, points: readonly Point[], { x, y }: Scale): Html | false {
  const end = points.at(-1);
  return (
    end !== undefined &&
    html`<text text-anchor="end" x="${percent(x(end.tasks))}" dx="-12" y="${px(y(end.price) - 4)}">${name}</text>\n`
  );
}

/** The next number of tasks where another plan is the cheapest. */
function nextMark(next: Breakpoint, { x }: Scale): Html {
  const at = x(next.tasks);
  const words = next.plan
    ? `from ${thousands(next.tasks)}: ${thousands(next.included_tasks ?? 0)} tasks`
    : `no plan from ${thousands(next.tasks)}`;
  return html`<line class="next" x1="${percent(at)}" x2="${percent(at)}" y1="18" y2="${BOTTOM}"/><text text-anchor="${at > 60 ? "end" : at > 40 ? "middle" : "start"}" x="${percent(at)}" y="12">${words}</text>`;
}

/** The mark of the user, with the price above all lines, to the left of the next mark. */
function currentMark({ tasks, price }: Point, { x, y }: Scale): Html {
  const at = percent(x(tasks));
  return html`<line class="reader" x1="${at}" x2="${at}" y1="36" y2="${px(y(price))}"/><circle class="reader" cx="${at}" cy="${px(y(price))}" r="6"/><text class="reader" text-anchor="${x(tasks) > 33 ? "end" : "start"}" x="${at}" y="31">You: ${money(price)}</text>`;
}
