import type { TargetedEvent } from "preact";
import { useState } from "preact/hooks";
import type { AutomationCostResult, PriceBook, Quote } from "../../../schemas/index.ts";
import { type Breakpoint, breakpointsFrom } from "../../../src/automation-cost/breakpoints.ts";
import { comparePlans } from "../../../src/automation-cost/plans.ts";
import { priceBook as builtInBook } from "../../../src/automation-cost/price-book.ts";
import { money } from "../../../src/automation-cost/render.ts";
import { plural, thousands } from "../../../src/text.ts";

/** The prices of a result's Zaps for any number of tasks. */
export interface Prices {
  /** The numbers of tasks from which another plan is the cheapest. */
  readonly breakpoints: readonly Breakpoint[];
  cheapestAt(tasks: number): Quote | undefined;
  /** The cheapest Team plan; undefined where the cheapest is one anyway. */
  readonly teamAt: ((tasks: number) => Quote | undefined) | undefined;
}

export function computePrices(
  { automations: zaps, billing, team }: AutomationCostResult,
  book: PriceBook = builtInBook,
): Prices {
  const input = { zaps, billing, team };
  return {
    breakpoints: [...breakpointsFrom(0, input, book)],
    cheapestAt: (tasks) => comparePlans(input, tasks, book).cheapest,
    teamAt: team
      ? undefined
      : (tasks) => comparePlans({ ...input, team: true }, tasks, book).cheapest,
  };
}

interface Point {
  readonly tasks: number;
  readonly price: number;
}

interface ChartProps {
  readonly result: AutomationCostResult;
  readonly prices: Prices;
}

/**
 * The prices around a result. The tasks are on a logarithmic axis, in percent of the width, so that the
 * chart fits a phone with letters of the usual size.
 */
export function PriceChart({ result, prices: { breakpoints, cheapestAt, teamAt } }: ChartProps) {
  const [pointed, setPointed] = useState<number>();
  const { monthly_tasks: tasks, cheapest: quote } = result;
  const range = { first: Math.max(tasks, 40) / 4, last: Math.max(tasks, 40) * 12 };
  const current = quote ? { tasks, price: quote.monthly_price } : undefined;
  const line = listPoints(cheapestAt, range, breakpoints);
  const teamLine = teamAt && listPoints(teamAt, range);
  const most = Math.max(...[...line, ...(teamLine ?? [])].map(({ price }) => price), 1);
  const scale: Scale = {
    // A user without a task is at the left edge.
    x: (tasks) =>
      (100 * Math.log(Math.max(tasks, range.first) / range.first)) /
      Math.log(range.last / range.first),
    y: (price) => BOTTOM - ((BOTTOM - TOP) * price) / most,
  };
  const isWithin = (point: Point | Breakpoint) =>
    point.tasks > range.first && point.tasks < range.last;
  const next = current && breakpoints.find(({ tasks }) => tasks > current.tasks);
  const point = ({ currentTarget, clientX }: TargetedEvent<SVGSVGElement, PointerEvent>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = Math.min(Math.max((clientX - left) / width, 0), 1);
    const tasks = range.first * (range.last / range.first) ** share;
    // Two digits are as much as a pointer can mean.
    setPointed(Math.round(Number(tasks.toPrecision(2))));
  };
  return (
    <>
      <svg
        class="chart"
        width="100%"
        height={HEIGHT}
        role="img"
        aria-label={describeChart(current, next)}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setPointed(undefined)}
      >
        {priceTicks(most).map((price) => (
          <>
            <line class="grid" x1="0" x2="100%" y1={px(scale.y(price))} y2={px(scale.y(price))} />
            <text x="0" y={px(scale.y(price) - 4)}>
              {price > 0 && `$${thousands(price)}`}
            </text>
          </>
        ))}
        {taskTicks(range).map((tasks) => (
          <>
            <line class="grid" {...across(scale.x(tasks))} y1={BOTTOM} y2={BOTTOM + 5} />
            <text text-anchor="middle" x={percent(scale.x(tasks))} y={BOTTOM + 19}>
              {shortNumber(tasks)}
            </text>
          </>
        ))}
        <svg
          aria-hidden="true"
          width="100%"
          height={HEIGHT}
          viewBox={`0 0 100 ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          {teamLine && <Line class="line team" of={teamLine} scale={scale} />}
          <Line class="line" of={line} scale={scale} />
        </svg>
        {teamLine && <TeamName end={teamLine.at(-1)} scale={scale} />}
        {breakpoints.filter(isWithin).map((point) => (
          <circle
            class="break"
            cx={percent(scale.x(point.tasks))}
            cy={px(scale.y(point.monthly_price ?? 0))}
            r="3"
          />
        ))}
        <TierNames points={breakpoints} range={range} scale={scale} />
        {next && isWithin(next) && <NextMark next={next} scale={scale} />}
        {current && <CurrentMark {...current} scale={scale} />}
        {pointed !== undefined && (
          <line class="pointed" {...across(scale.x(pointed))} y1={TOP} y2={BOTTOM} />
        )}
      </svg>
      <p class="pointed needs-script">
        {pointed === undefined
          ? "Point at the chart for the price at any number of tasks."
          : priceAt(pointed, cheapestAt(pointed))}
      </p>
    </>
  );
}

function priceAt(tasks: number, quote: Quote | undefined): string {
  const at = `${plural(tasks, "task")} a month: `;
  if (!quote) return `${at}no listed plan`;
  return `${at}${money(quote.monthly_price)} with ${quote.title}, ${thousands(quote.included_tasks)} tasks`;
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

const percent = (value: number): string => `${value.toFixed(2)}%`;
const px = (value: number): string => value.toFixed(1);
const across = (x: number) => ({ x1: percent(x), x2: percent(x) });

function describeChart(current: Point | undefined, next: Breakpoint | undefined): string {
  const title = "Price a month against tasks a month";
  if (!current) return `${title}. No listed plan carries these tasks.`;
  const you = `${title}. You: ${thousands(current.tasks)} tasks, ${money(current.price)}.`;
  return next?.plan
    ? `${you} From ${thousands(next.tasks)} tasks on, ${next.title} with ${thousands(next.included_tasks ?? 0)}.`
    : you;
}

/** The points of a line, with the corners at its break points. */
function listPoints(
  quoteAt: (tasks: number) => Quote | undefined,
  { first, last }: Range,
  breakpoints: readonly Breakpoint[] = [],
): readonly Point[] {
  const even = Array.from(
    { length: STEPS + 1 },
    (_, step) => first * (last / first) ** (step / STEPS),
  );
  const corners = breakpoints.flatMap(({ tasks, included_tasks }) => [
    tasks - 1,
    tasks,
    included_tasks ?? tasks,
  ]);
  return [...new Set([...even.map(Math.round), ...corners])]
    .filter((tasks) => tasks >= first && tasks <= last)
    .sort((a, b) => a - b)
    .flatMap((tasks) => {
      const price = quoteAt(tasks)?.monthly_price;
      return price === undefined ? [] : [{ tasks, price }];
    });
}

/** A line is drawn from as many pieces. */
const STEPS = 60;

interface Scaled {
  readonly scale: Scale;
}

/** A line over the whole chart, as `class` names it. */
const Line = ({
  of,
  scale: { x, y },
  ...rest
}: Scaled & { readonly of: readonly Point[]; readonly class: string }) => (
  <path
    {...rest}
    d={`M${of.map(({ tasks, price }) => `${px(x(tasks))} ${px(y(price))}`).join("L")}`}
    vector-effect="non-scaling-stroke"
  />
);

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

interface TierNamesProps extends Scaled {
  readonly points: readonly Breakpoint[];
  readonly range: Range;
}

/** The included tasks of the tiers that are cheapest for long enough, below their part of the line. */
const TierNames = ({ points, range, scale: { x, y } }: TierNamesProps) => (
  <>
    {points.map(({ plan, tasks, included_tasks, monthly_price }, index) => {
      const next = points[index + 1]?.tasks ?? range.last;
      const [left, right] = [x(Math.max(tasks, range.first)), x(Math.min(next, range.last))];
      if (monthly_price === null || right - left <= 14) return null;
      const line = y(monthly_price);
      const at = { x: percent((left + right) / 2), y: px(line + (line > BOTTOM - 22 ? -8 : 16)) };
      return (
        <text class="tier" text-anchor="middle" {...at}>
          {plan === "free" ? "Free" : shortNumber(included_tasks ?? 0)}
        </text>
      );
    })}
  </>
);

/** The name of a line, above its end: a line never falls, so that nothing else is there. */
const TeamName = ({ end, scale: { x, y } }: Scaled & { readonly end: Point | undefined }) =>
  end ? (
    <text text-anchor="end" x={percent(x(end.tasks))} dx="-12" y={px(y(end.price) - 4)}>
      Team
    </text>
  ) : null;

/** The next number of tasks where another plan is the cheapest. */
function NextMark({ next, scale: { x } }: Scaled & { readonly next: Breakpoint }) {
  const at = x(next.tasks);
  return (
    <>
      <line class="next" {...across(at)} y1="18" y2={BOTTOM} />
      <text text-anchor={at > 60 ? "end" : at > 40 ? "middle" : "start"} x={percent(at)} y="12">
        {next.plan
          ? `from ${thousands(next.tasks)}: ${thousands(next.included_tasks ?? 0)} tasks`
          : `no plan from ${thousands(next.tasks)}`}
      </text>
    </>
  );
}

/** The mark of the user, with the price above all lines, to the left of the next mark. */
function CurrentMark({ tasks, price, scale: { x, y } }: Scaled & Point) {
  const at = x(tasks);
  return (
    <>
      <line class="reader" {...across(at)} y1="36" y2={px(y(price))} />
      <circle class="reader" cx={percent(at)} cy={px(y(price))} r="6" />
      <text class="reader" text-anchor={at > 33 ? "end" : "start"} x={percent(at)} y="31">
        You: {money(price)}
      </text>
    </>
  );
}
