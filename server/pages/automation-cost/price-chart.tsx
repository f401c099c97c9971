/** @jsxImportSource preact */
import type { TargetedPointerEvent } from "preact";
import { useState } from "preact/hooks";
import type { AutomationCostResult, PriceBook, Quote } from "../../../schemas/index.ts";
import { type Breakpoint, findBreakpointsFrom } from "../../../src/automation-cost/breakpoints.ts";
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
  let breakpoints: readonly Breakpoint[] | undefined;
  return {
    input,
    /** The numbers of tasks at which the cheapest plan changes. */
    get breakpoints() {
      breakpoints ??= [...findBreakpointsFrom(0, input, book)];
      return breakpoints;
    },
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

/** How many straight pieces a line has. */
const CURVE_PIECES = 60;

/**
 * The price line around a number of tasks, between two heights. The axis of tasks is logarithmic and in
 * percent of the width, so that the chart fits a phone without smaller letters.
 */
export function priceLine(
  { prices, tasks = 5_000, currentPlan }: LineProps,
  top: number,
  bottom: number,
) {
  // Extend both sides to where the plans' lines separate.
  const around = Math.max(tasks, 400);
  const [first, last] = [Math.floor(around / 12), around * 4];
  const growth = Math.log(last / first);
  const tasksAt = (percent: number) => Math.round(first * Math.exp((growth * percent) / 100));
  const even = Array.from({ length: CURVE_PIECES + 1 }, (_, piece) =>
    tasksAt((100 * piece) / CURVE_PIECES),
  );
  const corners = prices.breakpoints.flatMap(({ tasks, included_tasks }) => [
    tasks - 1,
    tasks,
    included_tasks ?? tasks,
  ]);
  const isWithin = (tasks: number) => tasks >= first && tasks <= last;
  const steps = [...new Set([...even, ...corners, currentPlan?.tier.maxTasks ?? first])]
    .filter(isWithin)
    .sort((a, b) => a - b);
  const line = steps.flatMap((tasks): Point[] => {
    const [cheapest] = prices.quotes(tasks);
    return cheapest ? [{ tasks, price: cheapest.monthly_price }] : [];
  });
  const ticks = listPriceTicks(Math.max(...line.map(({ price }) => price)));
  const maxPrice = ticks.at(-1) ?? 1;
  const yours = steps.flatMap((tasks): Point[] => {
    // The plan's own price, even if it does not allow the Zaps.
    const quotes = currentPlan ? prices.quotes(tasks, { zaps: [], team: false }) : [];
    const own = quotes.find(
      (quote) => currentPlan && getQuoteId(quote) === getQuoteId(currentPlan),
    );
    return own && own.monthly_price <= maxPrice ? [{ tasks, price: own.monthly_price }] : [];
  });

  /** A position in percent of the width. A user without tasks is at the left edge. */
  const share = (tasks: number) => (100 * Math.log(Math.max(tasks, first) / first)) / growth;
  const y = (price: number, below = 0) =>
    (bottom - ((bottom - top) * price) / maxPrice + below).toFixed(1);
  const pathOf = (points: readonly Point[]): string =>
    points
      .map(({ tasks, price }, at) => `${at ? "L" : "M"}${share(tasks).toFixed(2)} ${y(price)}`)
      .join("");
  return {
    first,
    last,
    ticks,
    isWithin,
    share,
    x: (tasks: number) => `${share(tasks).toFixed(2)}%`,
    tasksAt,
    y,
    path: pathOf(line),
    yoursPath: pathOf(yours),
    yours,
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
  /** In percent of the width. Without a user's tasks, the chart begins in its middle. */
  const [pointed, setPointed] = useState(you ? undefined : 50);
  const line = priceLine({ prices, currentPlan, tasks: you?.tasks }, PLOT_TOP, PLOT_BOTTOM);
  const { ticks, isWithin, share, x, y, path } = line;
  const point = ({ currentTarget, clientX }: TargetedPointerEvent<SVGRectElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(Math.min(Math.max((100 * (clientX - left)) / width, 0), 100));
  };
  const ruler = RULER_MARKS.filter(({ tasks }) => isWithin(tasks)).map(
    ({ tasks, length }) => `M${share(tasks).toFixed(2)} ${PLOT_BOTTOM}v${length}`,
  );
  const end = line.yours.at(-1);
  const isEnd = end?.tasks === currentPlan?.tier.maxTasks;
  const named = isEnd ? end : line.yours[0];
  const at = pointed ?? share(you?.tasks ?? 0);
  // A pointer is no more precise than two digits.
  const tasks = pointed === undefined && you ? you.tasks : Number(line.tasksAt(at).toPrecision(2));
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
        <svg viewBox={`0 0 100 ${CHART_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path class="area" d={`${path}V${PLOT_BOTTOM}H0Z`} />
          <path class="line" d={path} />
          <path class="yours" d={line.yoursPath} />
          <path class="ruler" d={`M0 ${PLOT_BOTTOM}h100${ruler.join("")}`} />
        </svg>
        {ROUND_NUMBERS.filter(isWithin).map((tasks) => (
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
        {placePlanNames(prices, line, [tasks, ...(you ? [you.tasks] : [])]).map(
          ({ name, center, price }) => (
            <text key={name} text-anchor="middle" x={`${center.toFixed(2)}%`} y={y(price, 16)}>
              {name}
            </text>
          ),
        )}
        {named && (
          <g class="end">
            <text
              text-anchor={share(named.tasks) > 40 ? "end" : "start"}
              x={x(named.tasks)}
              y={y(named.price, -10)}
            >
              {isEnd ? `Yours ends at ${formatNumber(named.tasks)}` : "Your plan"}
            </text>
            {isEnd && (
              <svg aria-hidden="true" x={x(named.tasks)} y={y(named.price)} overflow="visible">
                <path d="M-5-5l10 10M-5 5l10-10" />
              </svg>
            )}
          </g>
        )}
        {you && (
          <Marker class="reader" top={15} {...{ line, ...you }}>
            {`You: ${formatCount(you.tasks, "task")}`}
          </Marker>
        )}
        {pointed !== undefined && quote && (
          <Marker class="pointed" top={34} {...{ line, tasks, price: quote.monthly_price }}>
            {`${formatNumber(tasks)}: ${price}`}
          </Marker>
        )}
        <rect
          width="100%"
          height={PLOT_BOTTOM}
          fill="none"
          pointer-events="all"
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => you && setPointed(undefined)}
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
  /** The height of its name. */
  readonly top: number;
  /** In one piece: the paper behind a second one would cover the first. */
  readonly children: string;
}

function Marker({
  class: className,
  line: { share, x, y },
  tasks,
  price,
  top,
  children,
}: MarkerProps) {
  const at = share(tasks);
  return (
    <g class={className}>
      <line x1={x(tasks)} x2={x(tasks)} y1={top + 5} y2={PLOT_BOTTOM} />
      <circle cx={x(tasks)} cy={y(price)} r="6" />
      <text
        class="label"
        text-anchor={at < 20 ? "start" : at > 80 ? "end" : "middle"}
        x={x(tasks)}
        y={top}
      >
        {children}
      </text>
    </g>
  );
}

/** The names of the plans, each below its part of the line, if there is room beside the markers. */
const placePlanNames = (
  { breakpoints }: Prices,
  { last, share, y }: PriceLine,
  marked: readonly number[],
) =>
  breakpoints.flatMap(({ tasks, plan, included_tasks, monthly_price: price }, index) => {
    const start = share(tasks);
    const end = share(Math.min(breakpoints[index + 1]?.tasks ?? last, last));
    const center = (start + end) / 2;
    const isCrossed = marked.some((tasks) => Math.abs(center - share(tasks)) < 4);
    if (price === null || end - start < 7 || isCrossed || Number(y(price)) > PLOT_BOTTOM - 22)
      return [];
    const name = plan === "free" ? "Free" : formatCompactNumber(included_tasks ?? 0);
    return [{ name, center, price }];
  });

/** About four round prices for the axis, from zero to above the highest. */
function listPriceTicks(highest: number): readonly number[] {
  const step = ROUND_NUMBERS.find((size) => highest / size <= 5) ?? 1;
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step);
}

/** The marks of the ruler: five in each part of a decade, as in the header of the page. */
const RULER_MARKS = Array.from({ length: 8 * 45 }, (_, mark) => ({
  tasks: (10 + 2 * (mark % 45)) * 10 ** Math.floor(mark / 45),
  length: mark % 5 === 0 ? 8 : 4,
}));

/** Round numbers: 1, 2, 5, 10, 20, 50 and so on. */
const ROUND_NUMBERS = Array.from({ length: 12 }, (_, power) =>
  [1, 2, 5].map((factor) => factor * 10 ** power),
).flat();

const formatCompactNumber = (value: number): string =>
  new Intl.NumberFormat("en-US", { notation: "compact" }).format(value).replace("K", "k");
