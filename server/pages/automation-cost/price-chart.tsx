/** @jsxImportSource preact */
import type { TargetedPointerEvent } from "preact";
import { useState } from "preact/hooks";
import type { AutomationCostResult, PriceBook, Quote } from "../../../schemas/index.ts";
import { findBreakpointsFrom } from "../../../src/automation-cost/breakpoints.ts";
import { comparePlans, type PricedTier } from "../../../src/automation-cost/compare-plans.ts";
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
  const cheapest = (tasks: number, others: Partial<typeof input> = {}): Quote | undefined =>
    comparePlans({ ...input, ...others }, tasks, book).cheapest;
  return {
    input,
    book,
    /** The numbers of tasks at which the cheapest plan changes. */
    breakpoints: [...findBreakpointsFrom(0, input, book)],
    cheapest,
    /** The price of a plan for other tasks, even if the plan does not allow the Zaps. */
    priceOf: ({ plan, included_tasks }: Quote, tasks: number): number | undefined =>
      comparePlans({ zaps: [], billing, team: false }, tasks, book).offers.find(
        (quote) => quote.plan === plan && quote.included_tasks === included_tasks,
      )?.monthly_price,
    words(tasks: number): string {
      const quote = cheapest(tasks);
      return quote
        ? `${formatCount(tasks, "task")} a month: ${formatDollars(quote.monthly_price)} with ${quote.title}, ${formatNumber(quote.included_tasks)} tasks`
        : `${formatCount(tasks, "task")} a month: no listed plan`;
    },
  };
}

interface LineProps {
  readonly prices: Prices;
  /** The number of tasks in the middle of the chart. */
  readonly tasks?: number | undefined;
  /** The user's plan, if known. */
  readonly currentPlan?: PricedTier | undefined;
}

interface ChartProps extends Omit<LineProps, "tasks"> {
  /** The user's tasks, and their cheapest price. */
  readonly you?: { readonly tasks: number; readonly price: number };
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
  const corners = prices.breakpoints.flatMap(({ tasks, included_tasks }) => [
    tasks - 1,
    tasks,
    included_tasks ?? tasks,
  ]);
  const isWithin = (tasks: number) => tasks >= first && tasks <= last;
  const steps = [...new Set([...even, ...corners])].filter(isWithin).sort((a, b) => a - b);
  const line = steps.flatMap((tasks) => {
    const price = prices.cheapest(tasks)?.monthly_price;
    return price === undefined ? [] : [{ tasks, price }];
  });
  const most = Math.max(...line.map(({ price }) => price), 1);
  const mostOfYours = currentPlan?.tier.maxTasks ?? 0;
  const yours = currentPlan
    ? [...steps, mostOfYours]
        .filter((tasks) => isWithin(tasks) && tasks <= mostOfYours)
        .flatMap((tasks) => {
          const price = prices.priceOf(currentPlan, tasks);
          return price === undefined || price > most ? [] : [{ tasks, price }];
        })
    : [];
  /** The last task that the user's plan allows, if it is in the chart. */
  const end = yours.at(-1);

  /** A position in percent of the width. A user without tasks is at the left edge. */
  const share = (tasks: number) => (100 * Math.log(Math.max(tasks, first) / first)) / growth;
  const y = (price: number, below = 0) =>
    (bottom - ((bottom - top) * price) / most + below).toFixed(1);
  const pathOf = (points: typeof line): string =>
    points.length === 0
      ? ""
      : `M${points.map(({ tasks, price }) => `${share(tasks).toFixed(2)} ${y(price)}`).join("L")}`;
  return {
    first,
    last,
    growth,
    most,
    isWithin,
    share,
    x: (tasks: number) => `${share(tasks).toFixed(2)}%`,
    y,
    path: pathOf(line),
    /** The line of the user's plan, and its last position in the chart. */
    yours: pathOf(yours),
    end: end && { ...end, isLast: end.tasks === mostOfYours },
  };
}

const CHART_HEIGHT = 268;
const PLOT_TOP = 34;
const PLOT_BOTTOM = 220;

/** The prices around the user's tasks, and at the pointer. */
export function PriceChart({ prices, currentPlan, you }: ChartProps) {
  /** In percent of the width. */
  const [pointed, setPointed] = useState<number>();
  const { breakpoints } = prices;
  const { first, last, growth, most, isWithin, share, x, y, path, yours, end } = priceLine(
    { prices, currentPlan, tasks: you?.tasks },
    PLOT_TOP,
    PLOT_BOTTOM,
  );
  const rulerMarks = RULER_MARKS.filter(isWithin).map((tasks) => {
    const isLong = Number.isInteger(tasks / 10 ** Math.floor(Math.log10(tasks)));
    return `M${share(tasks).toFixed(2)} ${PLOT_BOTTOM}v${isLong ? 8 : 4}`;
  });
  const upright = (tasks: number) => ({ x1: x(tasks), x2: x(tasks) });
  const point = ({ currentTarget, clientX }: TargetedPointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(Math.min(Math.max((100 * (clientX - left)) / width, 0), 100));
  };
  const ticks = priceTicks(most);
  const isEndLeft = end && (share(end.tasks) > 60 || end.tasks < (you?.tasks ?? 0));
  const at = pointed ?? share(you?.tasks ?? 1_000);
  // A pointer is no more precise than two digits.
  const tasks =
    pointed === undefined && you
      ? you.tasks
      : Math.round(Number((first * Math.exp((growth * at) / 100)).toPrecision(2)));
  const words = prices.words(tasks);
  return (
    <>
      <svg
        class="chart"
        width="100%"
        height={CHART_HEIGHT}
        role="img"
        aria-label={`Price a month against tasks a month.${you ? ` You: ${formatCount(you.tasks, "task")}, ${formatDollars(you.price)}.` : ""}`}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setPointed(undefined)}
      >
        {ticks.map((price) => (
          <line key={price} x1="0" x2="100%" y1={y(price)} y2={y(price)} />
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
          <path class="yours" d={yours} />
          <path class="ruler" d={`M0 ${PLOT_BOTTOM}h100${rulerMarks.join("")}`} />
        </svg>
        {ticks.map((price) => (
          <text key={price} x="0" y={y(price, -4)}>
            {price > 0 && `$${formatNumber(price)}`}
          </text>
        ))}
        {TASK_TICKS.filter((tasks) => tasks > first * 1.1 && tasks < last / 1.1).map((tasks) => (
          <text key={tasks} text-anchor="middle" x={x(tasks)} y={PLOT_BOTTOM + 22}>
            {shortNumber(tasks)}
          </text>
        ))}
        <text text-anchor="end" x="100%" y={PLOT_BOTTOM + 40}>
          tasks a month
        </text>
        {breakpoints.map(({ tasks, plan, included_tasks, monthly_price: price }, index) => {
          // The line is level until the included tasks are used.
          const next = breakpoints[index + 1]?.tasks ?? last;
          const level = Math.min(included_tasks ?? next, next, last);
          const [left, right] = [share(Math.max(tasks, first)), share(level)];
          const isLow = Number(y(price ?? 0)) > PLOT_BOTTOM - 22;
          return (
            <g key={tasks}>
              {isWithin(tasks) && <circle class="break" cx={x(tasks)} cy={y(price ?? 0)} r="4" />}
              {price !== null && right - left > 3 && left + right > 8 && left + right < 192 && (
                <text
                  text-anchor="middle"
                  x={`${((left + right) / 2).toFixed(2)}%`}
                  y={y(price, isLow ? -8 : 16)}
                >
                  {plan === "free" ? "Free" : shortNumber(included_tasks ?? 0)}
                </text>
              )}
            </g>
          );
        })}
        {end && (
          <g class="end">
            <text
              // Keep away from the user's line, and inside the chart.
              text-anchor={isEndLeft ? "end" : "start"}
              x={x(end.tasks)}
              dx={isEndLeft ? -10 : 10}
              y={y(end.price, end.isLast ? -7 : 18)}
            >
              {end.isLast ? `Yours ends at ${formatNumber(end.tasks)}` : "Your plan"}
            </text>
            {end.isLast && (
              <svg aria-hidden="true" x={x(end.tasks)} y={y(end.price)} overflow="visible">
                <path d="M-5-5l10 10M-5 5l10-10" />
              </svg>
            )}
          </g>
        )}
        {you && (
          <g class="reader">
            <line {...upright(you.tasks)} y1="20" y2={PLOT_BOTTOM} />
            <circle cx={x(you.tasks)} cy={y(you.price)} r="6" />
            <text text-anchor={share(you.tasks) > 33 ? "middle" : "start"} x={x(you.tasks)} y="15">
              You: {formatCount(you.tasks, "task")}
            </text>
          </g>
        )}
        {pointed !== undefined && (
          <line class="pointed" {...upright(tasks)} y1={PLOT_TOP} y2={PLOT_BOTTOM} />
        )}
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

/** About four round prices for the axis. */
function priceTicks(most: number): readonly number[] {
  const unit = 10 ** Math.floor(Math.log10(most / 4));
  const step =
    [1, 2, 5, 10].map((factor) => factor * unit).find((size) => most / size <= 5) ?? most;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step).filter(
    Number.isInteger,
  );
}

/** The marks of the ruler: five in each part of a decade, as in the header of the page. */
const RULER_MARKS = Array.from({ length: 8 }, (_, power) =>
  Array.from({ length: 45 }, (_, mark) => (10 + 2 * mark) * 10 ** power),
).flat();

/** Round numbers of tasks: 100, 200, 500 and so on. */
const TASK_TICKS = Array.from({ length: 10 }, (_, power) =>
  [1, 2, 5].map((factor) => factor * 10 ** power),
).flat();

const shortNumber = (value: number): string =>
  new Intl.NumberFormat("en-US", { notation: "compact" }).format(value).replace("K", "k");
