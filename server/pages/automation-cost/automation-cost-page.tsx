/** @jsxImportSource preact */
import {
  type AutomationCostResult,
  automationCostContract,
  BILLING,
  PLANS,
  type Quote,
} from "../../../schemas/automation-cost.ts";
import type { Breakpoint } from "../../../src/automation-cost/breakpoints.ts";
import type { TierQuote } from "../../../src/automation-cost/compare-plans.ts";
import { spareTasksNote } from "../../../src/automation-cost/cost-notes.ts";
import {
  formatDollars,
  formatShare,
  QUOTES_SHOWN,
} from "../../../src/automation-cost/render-cost.ts";
import type { RawResult } from "../../../src/findings.ts";
import { escapeLine, formatCount, formatNumber } from "../../../src/text.ts";
import { Inline, Note } from "../components.tsx";
import { RadioGroup } from "../form/field-components.tsx";
import type { ToolPage, ViewProps } from "../form/form-state.ts";
import { asText, getItemName, toInput } from "../form/form-values.ts";
import { OpenFile, ToolLayout } from "../form/tool-layout.tsx";
import { createPriceCalculator, getQuoteId, PriceChart, type Prices } from "./price-chart.tsx";
import {
  applyZapIntent,
  CURRENT_PLAN,
  costFormFields,
  linkedFields,
  listNonBlankZaps,
  STEPS_MAY_COUNT_TRIGGER,
  TOTAL_TASKS,
  toCostInput,
} from "./zap-form.ts";
import { type CostState, Questions, ZapGrid } from "./zap-grid.tsx";

export const automationCostPage: ToolPage<RawResult<AutomationCostResult>> = {
  contract: automationCostContract,
  product: "Zapier costs",
  action: "Find the cheapest plan",
  lead: "Enter your Zaps and how often they run. See the cheapest Zapier plan, extra tasks included.",
  fields: linkedFields,
  toInput: toCostInput,
  linkInput: (form) => toInput(form, linkedFields).input,
  applyIntent: applyZapIntent,
  summary: formatMonthlyTasks,
  view: AutomationCostPage,
};

/** The tasks, or the next cell to fill in. A second line counts the Zaps that are left out. */
function formatMonthlyTasks({ result, problems: [missing, ...others] }: CostState): string {
  const zaps = new Set([missing, ...others].map((problem) => problem && getItemName(problem.name)));
  const rest = missing ? `\n${formatCount(zaps.size, "Zap")} not counted` : "";
  if (result) return `${formatCount(result.monthly_tasks, "task")} a month${rest}`;
  if (!missing) return "Start with a Zap";
  if (missing.name === TOTAL_TASKS) return "Your tasks must be a number, such as 1,200.";
  const zap = missing.place.replace(/,.*/, "");
  return missing.name.endsWith("action_steps")
    ? `Now enter how many action steps ${zap} has.`
    : `Now enter how often ${zap} runs in a month.`;
}

function AutomationCostPage({ state, live }: ViewProps<RawResult<AutomationCostResult>>) {
  const { form, result, runner, isBlank } = state;
  const billing = BILLING.find((one) => one === form.get("billing")) ?? "annual";
  const team = form.get("team") === "true";
  const empty = createPriceCalculator({ automations: [], billing, team }, runner.priceBook);
  const plans = empty
    .quotes(0, { team: false })
    .toSorted((a, b) => PLANS.indexOf(a.plan) - PLANS.indexOf(b.plan));
  const currentPlan = plans.find((plan) => getQuoteId(plan) === asText(form.get(CURRENT_PLAN)));
  // Messages about a row appear below that row.
  const messages = state.messages.filter(({ name }) => !result || getItemName(name) === "");
  const count = listNonBlankZaps(form).length;
  const counted = result?.automations.length ?? count;
  return (
    <ToolLayout
      state={{ ...state, messages }}
      live={live}
      hidden={[STEPS_MAY_COUNT_TRIGGER]}
      start={
        <div class="begin">
          {count > 0 ? (
            <span class="quiet">
              {formatCount(count, "Zap")}
              {counted < count && `, ${formatNumber(counted)} counted`}
            </span>
          ) : (
            <span class="quiet needs-script">Type, or paste your sheet into the first cell</span>
          )}
          <OpenFile
            label="Open a CSV or zapfile"
            accept=".csv,.tsv,.txt,.json,text/csv,application/json"
            canClear={!isBlank}
          />
        </div>
      }
      action={
        result?.cheapest && (
          <a class="button small phone-only needs-script" href="#outcome">
            <strong>{formatDollars(result.cheapest.monthly_price)}</strong> a month
          </a>
        )
      }
      blank={<FromPrice prices={empty} currentPlan={currentPlan} />}
      result={(result, { problems }) => (
        <CostResult
          result={result}
          isPartial={problems.length > 0}
          prices={createPriceCalculator(result, runner.priceBook)}
          currentPlan={currentPlan}
        />
      )}
    >
      <Questions {...state} />
      <ZapGrid {...state} />
      <div class="line options">
        <RadioGroup
          class="segments"
          label="Billing"
          name="billing"
          value={billing}
          choices={costFormFields.billing.choices}
        />
        <select
          id={CURRENT_PLAN}
          name={CURRENT_PLAN}
          class="small"
          aria-label="Your plan now"
          value={currentPlan ? getQuoteId(currentPlan) : ""}
        >
          <option value="">Your plan now</option>
          {plans.map((plan) => (
            <option key={getQuoteId(plan)} value={getQuoteId(plan)}>
              {formatPlan(plan)} tasks
            </option>
          ))}
        </select>
        <label class="toggle">
          <input id="team" name="team" type="checkbox" value="true" checked={team} />
          {costFormFields.team.label}
        </label>
      </div>
    </ToolLayout>
  );
}

const formatPlan = ({ title, included_tasks }: Quote | Breakpoint): string =>
  title === null ? "No listed plan" : `${title}, ${formatNumber(included_tasks ?? 0)}`;

interface CostResultProps {
  readonly result: RawResult<AutomationCostResult>;
  /** Whether a Zap is not counted. */
  readonly isPartial: boolean;
  readonly prices: Prices;
  readonly currentPlan: TierQuote | undefined;
}

/** The price, what to do, the chart, and the plans. */
function CostResult({ result, isPartial, prices, currentPlan }: CostResultProps) {
  const { cheapest, options, monthly_tasks, notes, price_doubt } = result;
  const points = prices.breakpoints;
  if (!cheapest)
    return (
      <div class="stack">
        <p class="price" id="answer">
          <strong>No listed plan is enough</strong>
        </p>
        <p>{notes[0]}</p>
      </div>
    );
  const at = points.findLastIndex(({ tasks }) => tasks <= monthly_tasks);
  const next = points[at + 1];
  const facts = [
    ["Next plan", next && describeNextPlan(next)],
    [
      result.billing === "annual" ? "Paid monthly" : "Paid yearly",
      compareOtherBilling(cheapest, monthly_tasks, prices),
    ],
    ["Costliest Zap", describeCostliestZap(result, cheapest, prices)],
    ["More room", spareTasksNote(options, monthly_tasks)],
  ] as const;
  return (
    <div class="stack">
      <p class="price" id="answer">
        <strong>
          {formatDollars(cheapest.monthly_price)} <small>a month</small>
        </strong>{" "}
        <br />
        {formatPlan(cheapest)} tasks
      </p>
      <div class="stack" id="advice">
        {currentPlan && <Advice {...{ result, isPartial, prices, cheapest, currentPlan }} />}
      </div>
      {price_doubt && (
        <Note kind="warn">
          <p>
            <Inline text={price_doubt.replace(/(https:\/\/(\S+))\.$/, "[$2]($1).")} />
          </p>
        </Note>
      )}
      <dl class="facts">
        {facts.map(
          ([name, text]) =>
            text && (
              <div key={name}>
                <dt class="quiet">{name}</dt>
                <dd>
                  <bdi>{text}</bdi>
                </dd>
              </div>
            ),
        )}
      </dl>
      <PriceChart
        key={monthly_tasks}
        {...{ prices, currentPlan }}
        you={{ tasks: monthly_tasks, price: cheapest.monthly_price }}
      />
      <div>
        <Breakpoints
          points={points.slice(Math.max(at - 1, 0), at + 3)}
          here={points[at]}
          price={cheapest.monthly_price}
        />
        <details class="fold" id="all-plans">
          <summary>The cheapest plans for {formatCount(monthly_tasks, "task")}</summary>
          <PriceTable
            headings={["Plan", "Base + extra tasks", "A month"]}
            rows={options
              .slice(0, QUOTES_SHOWN)
              .map((quote) => [
                formatPlan(quote),
                [quote.base_price, ...(quote.overage_tasks > 0 ? [quote.overage_price] : [])]
                  .map(formatDollars)
                  .join(" + "),
                formatDollars(quote.monthly_price),
              ])}
            here={0}
          />
        </details>
        <details class="fold" id="assumptions">
          <summary>What this counts on</summary>
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      </div>
    </div>
  );
}

/** The prices of all plans, until there is a Zap to count. */
function FromPrice({ prices, currentPlan }: Pick<CostResultProps, "prices" | "currentPlan">) {
  const free = prices.breakpoints.find(({ plan }) => plan === "free");
  const first = prices.breakpoints.find(({ monthly_price }) => monthly_price);
  return (
    <div class="stack">
      <p class="price">
        <span>from</span>{" "}
        <strong>
          {formatDollars(first?.monthly_price ?? 0)} <small>a month</small>
        </strong>{" "}
        <br />
        {first && formatPlan(first)} tasks
      </p>
      {free && (
        <p class="quiet">
          Free covers {formatNumber(free.included_tasks ?? 0)} tasks a month, in Zaps with one
          action step.
        </p>
      )}
      <PriceChart prices={prices} currentPlan={currentPlan} />
      <Breakpoints points={prices.breakpoints} />
    </div>
  );
}

const describeNextPlan = (next: Breakpoint): string =>
  next.title === null
    ? `no listed plan takes more than ${formatNumber(next.tasks - 1)} tasks`
    : `from ${formatCount(next.tasks, "task")}: ${formatPlan(next)} for ${formatDollars(next.monthly_price ?? 0)}`;

interface BreakpointsProps {
  readonly points: readonly Breakpoint[];
  /** The breakpoint of the user's tasks. */
  readonly here?: Breakpoint | undefined;
  /** The price for the user's tasks, including extra tasks. */
  readonly price?: number;
}

/** The numbers of tasks at which the cheapest plan changes. The user's row has the user's price. */
const Breakpoints = ({ points, here, price = 0 }: BreakpointsProps) => (
  <details class="fold" id="breakpoints" open={here !== undefined}>
    <summary>Where the cheapest plan changes</summary>
    <PriceTable
      headings={["From tasks", "Plan", "A month"]}
      rows={points.map((point) => [
        formatNumber(point.tasks),
        formatPlan(point),
        point.monthly_price === null ? "" : formatDollars(point.monthly_price),
      ])}
      here={here ? points.indexOf(here) : -1}
      tag={`you: ${formatDollars(price)}`}
    />
  </details>
);

interface PriceTableProps {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The row of the user. */
  readonly here: number;
  readonly tag?: string;
}

const PriceTable = ({ headings, rows, here, tag = "you" }: PriceTableProps) => (
  <table class="plans">
    <thead>
      <tr>
        {headings.map((heading) => (
          <th key={heading} scope="col">
            {heading}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((cells, index) => (
        <tr key={cells[0]} class={index === here ? "here" : ""}>
          {cells.map((cell, column) => (
            <td key={headings[column]}>
              {cell}{" "}
              {index === here && headings[column] === "Plan" && <span class="tag">{tag}</span>}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

interface AdviceProps extends Omit<CostResultProps, "currentPlan"> {
  readonly cheapest: Quote;
  readonly currentPlan: TierQuote;
}

/** Advises users who named their plan, with the amount they save. */
function Advice({ result, isPartial, prices, cheapest, currentPlan }: AdviceProps) {
  const now = prices
    .quotes(result.monthly_tasks)
    .find((quote) => getQuoteId(quote) === getQuoteId(currentPlan));
  if (!now)
    return (
      <Note kind="warn">
        <p>
          <strong>Your plan is not enough.</strong> {explainNotEnough(currentPlan, result)}
        </p>
      </Note>
    );
  const saving = 12 * (now.monthly_price - cheapest.monthly_price);
  const advice =
    saving > 0
      ? `Switch to ${formatPlan(cheapest)} tasks: ${formatDollars(saving)} a year less`
      : `You have the cheapest plan${isPartial ? "" : " already"}`;
  return (
    <Note kind={isPartial ? "info" : "good"}>
      <p>
        <strong>
          {advice}
          {isPartial && ` for the ${formatCount(result.automations.length, "Zap")} counted`}
        </strong>
        {currentPlan.plan === "team" &&
          cheapest.plan !== "team" &&
          ". If several people share it, tick that above."}
      </p>
    </Note>
  );
}

function explainNotEnough(
  { title, plan, included_tasks, tier: { maxTasks } }: TierQuote,
  { monthly_tasks, team }: CostResultProps["result"],
) {
  if (monthly_tasks > maxTasks)
    return `${title} ${formatNumber(included_tasks)} covers at most ${formatCount(maxTasks, "task")}. You need ${formatNumber(monthly_tasks)}.`;
  return team && plan !== "team"
    ? "Sharing Zaps needs the Team plan."
    : `${title} does not run Zaps with that many steps.`;
}

/** The difference a year with the other billing period. */
function compareOtherBilling(cheapest: Quote, tasks: number, prices: Prices): string | undefined {
  const billing = prices.input.billing === "annual" ? "monthly" : "annual";
  const [other] = prices.quotes(tasks, { billing });
  const more = other ? 12 * (other.monthly_price - cheapest.monthly_price) : 0;
  return more === 0 ? undefined : `${more > 0 ? "+" : "−"} ${formatDollars(Math.abs(more))} a year`;
}

/** Names the Zap that uses the most tasks, and its cost. Of equal Zaps, none is the costliest. */
function describeCostliestZap(result: CostResultProps["result"], now: Quote, prices: Prices) {
  const { automations, monthly_tasks: all } = result;
  const [most, second] = automations.toSorted((a, b) => b.monthly_tasks - a.monthly_tasks);
  if (!most || !second || most.monthly_tasks === second.monthly_tasks) return undefined;
  const zaps = automations.filter((zap) => zap !== most);
  const [without] = prices.quotes(all - most.monthly_tasks, { zaps });
  const saved = now.monthly_price - (without?.monthly_price ?? 0);
  if (saved === 0) return undefined;
  return `${escapeLine(most.name)}: ${formatShare(most.monthly_tasks, all)} of the tasks, ${formatDollars(saved)} a month less without it`;
}
