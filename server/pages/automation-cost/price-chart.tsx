/** @jsxImportSource preact */
import type { TargetedPointerEvent } from "preact";
import { useState } from "preact/hooks";
import type { AutomationCostResult, PriceBook, Quote } from "../../../schemas/index.ts";
import { findBreakpointsFrom } from "../../../src/automation-cost/breakpoints.ts";
import { comparePlans, type TierQuote } from "../../../src/automation-cost/compare-plans.ts";
import { priceBook as builtInBook } from "../../../src/automation-cost/price-book.ts";
import { formatDollars } from "../../../src/automation-cost/render-cost.ts";
import { formatCount, formatNumber } from "../../../src/text.ts";

/** Prices for the Zaps of a result, and for other numbers of tasks. */
export type Prices = ReturnType<typeof createPriceCalculator>;

export function createPriceCalculator(
  {
    automations: zaps,
    billing,
    team,
  }: Pick<AutomationCostResult, "automations" | "billing" | "team">,
  book: PriceBook = builtInBook,
) {
  const input = { zaps, billing, team };
  return {
    input,
    /** The numbers of tasks at which the cheapest plan changes. */
    breakpoints: [...findBreakpointsFrom(0, input, book)],
    /** The plans for a number of tasks, cheapest first. */
    quotes: (tasks: number, others: Partial<typeof input> = {}): readonly TierQuote[] =>
      comparePlans({ ...input, ...others }, tasks, book).quotes,
  };
}

export const getQuoteId = ({ plan, included_tasks }: Quote): string => `${plan}-${included_tasks}`;

interface LineProps {
  readonly prices: Prices;
  /** The number of tasks to show in the middle. */
  readonly tasks?: number | undefined;
  readonly currentPlan?: TierQuote | undefined;
}

interface Point {
  readonly tasks: number;
  readonly price: number;
}

/** The tasks of a chart without a user: from the first plan that costs anything to teams. */
const USUAL_TASKS = [400, 36_000] as const;

/** How many straight pieces a line has. */
const CURVE_PIECES = 60;

/**
 * The price line around a number of tasks, between two heights. The axis of tasks is logarithmic and in
 * percent of the width, so that the chart fits a phone without smaller letters.
 */
export function priceLine(
  { prices, tasks: around = 0, currentPlan }: LineProps,
  top: number,
  bottom: number,
) {
  // Extend both sides to where the plans' lines separate.
  const [first, last] =
    around > 0 ? [Math.floor(Math.max(around, 400) / 12), Math.max(around, 400) * 4] : USUAL_TASKS;
  const growth = Math.log(last / first);
  const even = Array.from({ length: CURVE_PIECES + 1 }, (_, piece) =>
    Math.round(first * Math.exp((growth * piece) / CURVE_PIECES)),
  );
  const yourMaxTasks = currentPlan?.tier.maxTasks ?? first;
  const corners = prices.breakpoints.flatMap(({ tasks, included_tasks }) => [
    tasks - 1,
    tasks,
    included_tasks ?? tasks,
  ]);
  const isWithin = (tasks: number) => tasks >= first && tasks <= last;
  const steps = [...new Set([...even, ...corners, yourMaxTasks])]
    .filter(isWithin)
    .sort((a, b) => a - b);
  const line = steps.flatMap((tasks): Point[] => {
    const [cheapest] = prices.quotes(tasks);
    return cheapest ? [{ tasks, price: cheapest.monthly_price }] : [];
  });
  const ticks = listPriceTicks(Math.max(...line.map(({ price }) => price)));
  const maxPrice = ticks.at(-1) ?? 1;
  const yours = !currentPlan
    ? []
    : steps.flatMap((tasks): Point[] => {
        // The plan's own price, even if it does not allow the Zaps.
        const price = prices
          .quotes(tasks, { zaps: [], team: false })
          .find((quote) => getQuoteId(quote) === getQuoteId(currentPlan))?.monthly_price;
        return price === undefined || price > maxPrice ? [] : [{ tasks, price }];
      });

  /** A position in percent of the width. A user without tasks is at the left edge. */
  const share = (tasks: number) => (100 * Math.log(Math.max(tasks, first) / first)) / growth;
  const y = (price: number, below = 0) =>
    (bottom - ((bottom - top) * price) / maxPrice + below).toFixed(1);
  const pathOf = (points: readonly Point[]): string =>
    points.length === 0
      ? ""
      : `M${points.map(({ tasks, price }) => `${share(tasks).toFixed(2)} ${y(price)}`).join("L")}`;
  return {
    first,
    last,
    ticks,
    isWithin,
    share,
    x: (tasks: number) => `${share(tasks).toFixed(2)}%`,
    /** The number of tasks at a position. A pointer is no more precise than two digits. */
    tasksAt: (percent: number) =>
      Math.round(Number((first * Math.exp((growth * percent) / 100)).toPrecision(2))),
    y,
    path: pathOf(line),
    yoursPath: pathOf(yours),
    yours,
    yourMaxTasks,
  };
}

const CHART_HEIGHT = 268;
const PLOT_TOP = 44;
const PLOT_BOTTOM = 220;

interface ChartProps extends Omit<LineProps, "tasks"> {
  /** The user's tasks, and their cheapest price. */
  readonly you?: Point;
}

/** The prices around the user's tasks, and at the pointer. */
export function PriceChart({ prices, currentPlan, you }: ChartProps) {
  /** In percent of the width. */
  const [pointed, setPointed] = useState<number>();
  const line = priceLine({ prices, currentPlan, tasks: you?.tasks }, PLOT_TOP, PLOT_BOTTOM);
  const { ticks, isWithin, share, x, y, path } = line;
  const point = ({ currentTarget, clientX }: TargetedPointerEvent<SVGRectElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(Math.min(Math.max((100 * (clientX - left)) / width, 0), 100));
  };
  const ruler = RULER_MARKS.filter(({ tasks }) => isWithin(tasks)).map(
    ({ tasks, length }) => `M${share(tasks).toFixed(2)} ${PLOT_BOTTOM}v${length}`,
  );
  const at = pointed ?? share(you?.tasks ?? 0);
  const tasks = pointed === undefined && you ? you.tasks : line.tasksAt(at);
  const [quote] = prices.quotes(tasks);
  const price = quote ? formatDollars(quote.monthly_price) : "no listed plan";
  const words = `${formatCount(tasks, "task")} a month: ${price}${quote ? ` with ${quote.title}, ${formatNumber(quote.included_tasks)} tasks` : ""}`;
  return (
    <>
      <svg
        class="chart axes"
        width="100%"
        height={CHART_HEIGHT}
        role="img"
        aria-label={`Price a month against tasks a month.${you ? ` You: ${formatCount(you.tasks, "task")}, ${formatDollars(you.price)}.` : ""}`}
      >
        {ticks.map((price) => (
          <g key={price}>
            <line x1="0" x2="100%" y1={y(price)} y2={y(price)} />
            <text text-anchor="end" x="0" dx="-8" y={y(price, 4)}>
              ${formatCompactNumber(price)}
            </text>
          </g>
        ))}
        <svg
          aria-hidden="true"
          width="100%"
          height={CHART_HEIGHT}
          viewBox={`0 0 100 ${CHART_HEIGHT}`}
          preserveAspectRatio="none"
        >
          <path class="area" d={`${path}V${PLOT_BOTTOM}H0Z`} />
          <path class="line" d={path} />
          <path class="yours" d={line.yoursPath} />
          <path class="ruler" d={`M0 ${PLOT_BOTTOM}h100${ruler.join("")}`} />
        </svg>
        {TASK_TICKS.filter(isWithin).map((tasks) => (
          <text key={tasks} text-anchor="middle" x={x(tasks)} y={PLOT_BOTTOM + 22}>
            {formatCompactNumber(tasks)}
          </text>
        ))}
        <text text-anchor="end" x="100%" y={PLOT_BOTTOM + 40}>
          tasks a month
        </text>
        {prices.breakpoints.map(
          ({ tasks, monthly_price: price }) =>
            price !== null &&
            isWithin(tasks) && (
              <circle key={tasks} class="break" cx={x(tasks)} cy={y(price)} r="4" />
            ),
        )}
        {placePlanNames(prices, line, you).map(({ name, center, price }) => (
          <text
            key={name}
            text-anchor="middle"
            x={`${center.toFixed(2)}%`}
            // Below the line, unless that is on the axis.
            y={y(price, Number(y(price)) > PLOT_BOTTOM - 22 ? -8 : 16)}
          >
            {name}
          </text>
        ))}
        <YourPlan line={line} />
        {you && <Marker class="reader" {...{ line, ...you }} />}
        {pointed !== undefined && quote && (
          <Marker class="pointed" {...{ line, tasks, price: quote.monthly_price }} />
        )}
        {you && pointed !== undefined && (
          <text class="label" x={x(you.tasks)} dx="6" y="34">
            You
          </text>
        )}
        <text
          class="label"
          text-anchor={at < 20 ? "start" : at > 80 ? "end" : "middle"}
          x={`${at}%`}
          y="15"
        >
          {pointed !== undefined
            ? `${formatNumber(tasks)}: ${price}`
            : you && `You: ${formatCount(you.tasks, "task")}`}
        </text>
        <rect
          width="100%"
          height={PLOT_BOTTOM}
          fill="none"
          pointer-events="all"
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setPointed(undefined)}
        />
      </svg>
      <p class="pointed needs-script">
        <input
          type="range"
          aria-label="Tasks a month"
          aria-valuetext={words}
          value={at}
          onInput={({ currentTarget }) => setPointed(Number(currentTarget.value))}
        />
        {pointed === undefined ? "Move to see the price of another number of tasks." : words}
      </p>
    </>
  );
}

type PriceLine = ReturnType<typeof priceLine>;

interface MarkerProps extends Point {
  readonly class: string;
  readonly line: PriceLine;
}

const Marker = ({ class: className, line: { x, y }, tasks, price }: MarkerProps) => (
  <g class={className}>
    <line x1={x(tasks)} x2={x(tasks)} y1="20" y2={PLOT_BOTTOM} />
    <circle cx={x(tasks)} cy={y(price)} r="6" />
  </g>
);

/** The names of the plans, each at the level part of its line. Names without room are left out. */
function placePlanNames({ breakpoints }: Prices, { first, last, share }: PriceLine, you?: Point) {
  const names: { name: string; center: number; price: number }[] = [];
  for (const [index, { tasks, plan, included_tasks, monthly_price }] of breakpoints.entries()) {
    const levelEnd = Math.min(included_tasks ?? 0, breakpoints[index + 1]?.tasks ?? last, last);
    const center = (share(Math.max(tasks, first)) + share(levelEnd)) / 2;
    const isCrossed = you !== undefined && Math.abs(center - share(you.tasks)) < 4;
    const hasRoom = center - (names.at(-1)?.center ?? -4) > 9 && center < 96 && !isCrossed;
    if (monthly_price === null || levelEnd <= first || tasks > last || !hasRoom) continue;
    const name = plan === "free" ? "Free" : formatCompactNumber(included_tasks ?? 0);
    names.push({ name, center, price: monthly_price });
  }
  return names;
}

/** The name of the user's line, where it ends or else where it begins. */
function YourPlan({ line: { yours, yourMaxTasks, share, x, y } }: { readonly line: PriceLine }) {
  const [start, end] = [yours[0], yours.at(-1)];
  if (!start || !end) return null;
  const isEnd = end.tasks === yourMaxTasks;
  const isLeft = isEnd && share(end.tasks) > 40;
  return (
    <g class="end">
      <text
        text-anchor={isLeft ? "end" : "start"}
        x={x(isEnd ? end.tasks : start.tasks)}
        dx={isLeft ? 12 : 4}
        y={isEnd ? y(end.price, -10) : y(start.price, -7)}
      >
        {isEnd ? `Yours ends at ${formatNumber(end.tasks)}` : "Your plan"}
      </text>
      {isEnd && (
        <svg aria-hidden="true" x={x(end.tasks)} y={y(end.price)} overflow="visible">
          <path d="M-5-5l10 10M-5 5l10-10" />
        </svg>
      )}
    </g>
  );
}

/** About four round prices for the axis, from zero to above the highest. */
function listPriceTicks(highest: number): readonly number[] {
  const unit = 10 ** Math.floor(Math.log10(highest / 4));
  const step = Math.max(
    [1, 2, 5, 10].map((factor) => factor * unit).find((size) => highest / size <= 5) ?? 1,
    1,
  );
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step);
}

/** The marks of the ruler: five in each part of a decade, as in the header of the page. */
const RULER_MARKS = Array.from({ length: 8 * 45 }, (_, mark) => ({
  tasks: (10 + 2 * (mark % 45)) * 10 ** Math.floor(mark / 45),
  length: mark % 5 === 0 ? 8 : 4,
}));

/** Round numbers of tasks: 100, 200, 500 and so on. */
const TASK_TICKS = Array.from({ length: 10 }, (_, power) =>
  [1, 2, 5].map((factor) => factor * 10 ** power),
).flat();

const formatCompactNumber = (value: number): string =>
  new Intl.NumberFormat("en-US", { notation: "compact" }).format(value).replace("K", "k");
