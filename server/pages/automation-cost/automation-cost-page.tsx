/** @jsxImportSource preact */
import {
  type AutomationCostResult,
  automationCostContract,
  BILLING,
  PLANS,
  type Quote,
} from "../../../schemas/automation-cost.ts";
import { comparePlans, type Offer } from "../../../src/automation-cost/compare-plans.ts";
import { roomNote } from "../../../src/automation-cost/cost-notes.ts";
import { priceBook } from "../../../src/automation-cost/price-book.ts";
import { money, shareOf } from "../../../src/automation-cost/render-cost.ts";
import { plural, thousands, visibleLine } from "../../../src/text.ts";
import { Note } from "../components.tsx";
import { Do, Radios } from "../form/field-components.tsx";
import type { State, ToolPage, ViewProps } from "../form/form-state.ts";
import { itemOf, textOf } from "../form/form-values.ts";
import { OpenFile, PasteBox, ToolLayout } from "../form/tool-layout.tsx";
import { PriceChart, type Prices, pricesFor } from "./price-chart.tsx";
import { fields, MAY_COUNT_TRIGGER, PLAN_NOW, pressOwn, readInput } from "./zap-form.ts";
import { Questions, ZapGrid } from "./zap-grid.tsx";

type CostState = State<AutomationCostResult>;

export const automationCostPage: ToolPage<AutomationCostResult> = {
  contract: automationCostContract,
  product: "Zapier costs",
  action: "Find the cheapest plan",
  lead: "Enter your Zaps and how often they run. See the cheapest Zapier plan, extra tasks included.",
  fields,
  toInput: readInput,
  press: pressOwn,
  summary: ({ result, problems }) =>
    [result && answer(result), notCounted(result, problems)].filter(Boolean).join(" "),
  view: AutomationCostPage,
};

function answer({ monthly_tasks, cheapest }: AutomationCostResult): string {
  const tasks = `${thousands(monthly_tasks)} tasks a month`;
  return cheapest
    ? `${tasks} cost ${money(cheapest.monthly_price)} on ${cheapest.title}.`
    : `No listed plan is enough for ${tasks}.`;
}

/** The next cell to fill in, and the number of Zaps that are not counted yet. */
function notCounted(result: AutomationCostResult | undefined, problems: CostState["problems"]) {
  const [missing] = problems;
  if (!missing) return result ? "" : "Enter your Zaps, and the cheapest plan appears here.";
  const zap = missing.place.replace(/,.*/, "");
  const next = missing.name.endsWith("action_steps")
    ? `Now enter how many action steps ${zap} has.`
    : `Now enter how often ${zap} runs in a month.`;
  const zaps = new Set(problems.map(({ name }) => itemOf(name)));
  return result ? `${plural(zaps.size, "Zap")} not counted yet. ${next}` : next;
}

/** The form with its outcome. */
function AutomationCostPage({ state, live }: ViewProps<AutomationCostResult>) {
  const { tree, host, isExample } = state;
  const billing = BILLING.find((one) => one === tree.get("billing")) ?? "annual";
  const team = tree.get("team") === "true";
  const plans = allPlans(billing, host.priceBook);
  const planNow = plans.find((plan) => idOf(plan) === textOf(tree.get(PLAN_NOW)));
  return (
    <ToolLayout
      // What is said below a row of the sheet is said there.
      state={
        state.result
          ? { ...state, notes: state.notes.filter(({ name }) => itemOf(name) === "") }
          : state
      }
      live={live}
      hidden={[MAY_COUNT_TRIGGER]}
      start={
        <>
          <PasteBox label="Paste your sheet, or type your tasks a month" live={live} />
          <OpenFile
            label="Open a CSV or zapfile"
            accept=".csv,.tsv,.txt,.json,text/csv,application/json"
            live={live}
            isExample={isExample}
          >
            <Do command="clear" class="bare small">
              Clear
            </Do>
          </OpenFile>
        </>
      }
      action={
        <a class="button primary phone-only" href="#outcome">
          See the plan
        </a>
      }
      blank={<FromPrice prices={pricesFor({ automations: [], billing, team }, host.priceBook)} />}
      result={(result) => (
        <Result result={result} prices={pricesFor(result, host.priceBook)} planNow={planNow} />
      )}
    >
      <Questions {...state} />
      <ZapGrid {...state} />
      <div class="line options">
        <Radios
          class="segments"
          label="Billing"
          name="billing"
          value={billing}
          choices={fields.billing.choices}
        />
        <select
          id={PLAN_NOW}
          name={PLAN_NOW}
          class="small"
          aria-label="Your plan now"
          value={planNow ? idOf(planNow) : ""}
        >
          <option value="">Your plan now</option>
          {plans.map((plan) => (
            <option key={idOf(plan)} value={idOf(plan)}>
              {planWords(plan)}
            </option>
          ))}
        </select>
        <label class="toggle">
          <input id="team" name="team" type="checkbox" value="true" checked={team} />
          {fields.team.label}
        </label>
      </div>
    </ToolLayout>
  );
}

/** All plans for any Zaps, in Zapier's order. */
function allPlans(billing: (typeof BILLING)[number], book = priceBook): readonly Offer[] {
  const rank = ({ plan }: Quote) => PLANS.indexOf(plan);
  return comparePlans({ zaps: [], billing, team: false }, 0, book).offers.toSorted(
    (a, b) => rank(a) - rank(b) || a.included_tasks - b.included_tasks,
  );
}

const idOf = ({ plan, included_tasks }: Quote): string => `${plan}-${included_tasks}`;

const planWords = ({ title, included_tasks }: Quote): string =>
  `${title}, ${thousands(included_tasks)} tasks`;

interface ResultProps {
  readonly result: AutomationCostResult;
  readonly prices: Prices;
  readonly planNow: Offer | undefined;
}

/** The price, what to do, the chart, and the plans. */
function Result({ result, prices, planNow }: ResultProps) {
  const { cheapest, options, monthly_tasks, notes, smallest_covering, price_doubt } = result;
  if (!cheapest)
    return (
      <div class="stack">
        <p class="price">
          <strong>No listed plan is enough</strong>
        </p>
        <p>Zapier sells more as Enterprise, with a price on request.</p>
      </div>
    );
  const next = prices.breakpoints.find(({ tasks }) => tasks > monthly_tasks);
  const [doubt, address] = price_doubt?.split("https://") ?? [];
  return (
    <div class="stack">
      <p class="price">
        <strong>
          {money(cheapest.monthly_price)} <small>a month</small>
        </strong>{" "}
        <span>{planWords(cheapest)}</span>
      </p>
      <div id="advice">{planNow && <Advice {...{ result, cheapest, planNow }} />}</div>
      {address && (
        <Note kind="warn">
          <p>
            {doubt}
            <a href={`https://${address.slice(0, -1)}`} rel="noopener">
              {address.slice(0, -1)}
            </a>
            .
          </p>
        </Note>
      )}
      <dl class="facts">
        <Fact name="Next plan">
          {next &&
            (next.title === null
              ? `none: up to ${thousands(next.tasks - 1)} tasks`
              : `from ${plural(next.tasks, "task")}: ${next.title}, ${thousands(next.included_tasks ?? 0)} for ${money(next.monthly_price ?? 0)}`)}
        </Fact>
        <Fact name={prices.input.billing === "annual" ? "Paid monthly" : "Paid yearly"}>
          {otherBilling(cheapest, monthly_tasks, prices)}
        </Fact>
        <Fact name="Costliest Zap">{costliestNote(result, cheapest, prices)}</Fact>
        <Fact name="All included">
          {cheapest.overage_tasks > 0 &&
            (smallest_covering
              ? `${planWords(smallest_covering)} for ${money(smallest_covering.monthly_price)}`
              : "by no listed plan")}
        </Fact>
        <Fact name="More room">{roomNote(options, monthly_tasks)}</Fact>
      </dl>
      <PriceChart key={monthly_tasks} {...{ result, prices, planNow }} />
      <div>
        <Breakpoints prices={prices} tasks={monthly_tasks} price={cheapest.monthly_price} />
        <details class="fold" id="all-plans">
          <summary>
            All {plural(options.length, "plan")} for {plural(monthly_tasks, "task")}
          </summary>
          <PlanTable quotes={options} />
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

/** The cheapest price that is not nothing, while there are no Zaps. */
function FromPrice({ prices }: { readonly prices: Prices }) {
  const first = prices.breakpoints.find(({ monthly_price }) => monthly_price);
  return (
    <div class="stack">
      <p class="price">
        <span>from</span>{" "}
        <strong>
          {money(first?.monthly_price ?? 0)} <small>a month</small>
        </strong>
      </p>
      <Breakpoints prices={prices} />
    </div>
  );
}

const Fact = ({
  name,
  children,
}: {
  readonly name: string;
  readonly children?: string | undefined | false;
}) =>
  children ? (
    <div>
      <dt class="quiet">{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  ) : null;

interface BreakpointsProps {
  readonly prices: Prices;
  /** The user's, with their price. */
  readonly tasks?: number;
  readonly price?: number;
}

/** All numbers of tasks from which another plan is the cheapest. The user's row has their own price. */
function Breakpoints({ prices, tasks = -1, price = 0 }: BreakpointsProps) {
  const here = prices.breakpoints.findLast((point) => point.tasks <= tasks);
  return (
    <details class="fold" id="breakpoints" open={tasks < 0}>
      <summary>Where the cheapest plan changes</summary>
      <table class="plans">
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Plan</th>
            <th scope="col">A month</th>
          </tr>
        </thead>
        <tbody>
          {prices.breakpoints.map((point) => (
            <tr key={point.tasks} class={point === here ? "here" : ""}>
              <td>{plural(point.tasks, "task")}</td>
              <td>
                {point.title === null
                  ? "No listed plan"
                  : `${point.title}, ${thousands(point.included_tasks ?? 0)}`}{" "}
                {point === here && <span class="tag">you</span>}
              </td>
              <td>
                {point === here
                  ? money(price)
                  : point.monthly_price !== null && money(point.monthly_price)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

interface AdviceProps {
  readonly result: AutomationCostResult;
  readonly cheapest: Quote;
  readonly planNow: Offer;
}

/** What a user who has named their plan does, and saves. */
function Advice({ result, cheapest, planNow }: AdviceProps) {
  const { options, monthly_tasks, team } = result;
  const now = options.find((quote) => idOf(quote) === idOf(planNow));
  const saving = now ? 12 * (now.monthly_price - cheapest.monthly_price) : 0;
  if (!now)
    return (
      <Note kind="warn">
        <p>
          <strong>Your plan is not enough.</strong> {notEnough(planNow, monthly_tasks, team)}
        </p>
      </Note>
    );
  return (
    <>
      <Note kind="good">
        <p>
          <strong>
            {saving > 0
              ? `Switch to ${planWords(cheapest)}: ${money(saving)} a year less`
              : "You have the cheapest plan already"}
          </strong>
        </p>
      </Note>
      {planNow.plan === "team" && cheapest.plan !== "team" && (
        <Note kind="info">
          <p>
            Do several people share it? Tick “Shared by several people”: then only Team will do.
          </p>
        </Note>
      )}
    </>
  );
}

function notEnough({ title, plan, included_tasks, tier }: Offer, tasks: number, team: boolean) {
  if (tasks > tier.maxTasks)
    return `${title} ${thousands(included_tasks)} carries at most ${plural(tier.maxTasks, "task")}. You need ${thousands(tasks)}.`;
  return team && plan !== "team"
    ? "Several people need Team."
    : `${title} takes no Zap with as many steps.`;
}

/** What paying by the other period changes in a year. */
function otherBilling(cheapest: Quote, tasks: number, prices: Prices): string | undefined {
  const billing = prices.input.billing === "annual" ? "monthly" : "annual";
  const other = prices.cheapest(tasks, { billing });
  const more = other ? 12 * (other.monthly_price - cheapest.monthly_price) : 0;
  return more === 0 ? undefined : `${more > 0 ? "+" : "−"} ${money(Math.abs(more))} a year`;
}

/** Names the Zap with the most tasks of several, and what it costs. */
function costliestNote(result: AutomationCostResult, now: Quote, prices: Prices) {
  const { automations: zaps, monthly_tasks } = result;
  const most = zaps.reduce((a, b) => (b.monthly_tasks > a.monthly_tasks ? b : a));
  if (zaps.length < 2 || most.monthly_tasks === 0) return undefined;
  const others = { zaps: zaps.filter((zap) => zap !== most) };
  const without = prices.cheapest(monthly_tasks - most.monthly_tasks, others)?.monthly_price ?? 0;
  return `${visibleLine(most.name)}, ${shareOf(most.monthly_tasks, monthly_tasks)} of the tasks: ${money(now.monthly_price - without)} a month less without it`;
}

/** @param quotes the cheapest first. */
const PlanTable = ({ quotes }: { readonly quotes: readonly Quote[] }) => (
  <table class="plans">
    <thead>
      <tr>
        <th scope="col">Plan</th>
        <th scope="col">A month</th>
      </tr>
    </thead>
    <tbody>
      {quotes.map((quote) => (
        <tr key={idOf(quote)} class={quote === quotes[0] ? "here" : ""}>
          <th scope="row">
            {planWords(quote)} {quote === quotes[0] && <span class="tag">cheapest</span>}
          </th>
          <td>
            {money(quote.monthly_price)} <small>{priceParts(quote)}</small>{" "}
            <small>{priceSource(quote)}</small>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const priceParts = (quote: Quote): string =>
  quote.overage_tasks === 0
    ? "includes all tasks"
    : `${money(quote.base_price)} + ${overagePrice(quote)} for ${thousands(quote.overage_tasks)} more`;

const priceSource = ({ price_basis, price_read_on }: Quote): string =>
  `${price_basis === "derived" ? "derived from the annual price " : ""}checked on ${price_read_on}`;

/** The price of the overage in words. For a few tasks it rounds to nothing. */
const overagePrice = ({ overage_price }: Quote): string =>
  overage_price === 0 ? "less than a cent" : money(overage_price);
