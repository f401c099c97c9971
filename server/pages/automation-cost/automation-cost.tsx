/** @jsxImportSource preact */
import {
  type AutomationCostResult,
  automationCostContract,
  BILLING,
  PLANS,
  type Quote,
} from "../../../schemas/automation-cost.ts";
import { growthNote, otherBillingNote, roomNote } from "../../../src/automation-cost/notes.ts";
import { comparePlans } from "../../../src/automation-cost/plans.ts";
import { priceBook } from "../../../src/automation-cost/price-book.ts";
import { money, shareOf } from "../../../src/automation-cost/render.ts";
import { plural, thousands, visibleLine } from "../../../src/text.ts";
import { Do, Field } from "../form/fields.tsx";
import { itemOf, textOf } from "../form/form.ts";
import type { State, ToolPage, ViewProps } from "../form/run-form.ts";
import { OpenFile, PasteBox, Workbench } from "../form/workbench.tsx";
import { PriceChart, type Prices, pricesFor } from "./chart.tsx";
import { fields, MAY_COUNT_TRIGGER, PLAN_NOW, pressOwn, readInput } from "./fields.ts";
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
  summary: ({ tree, result, problems }) =>
    [result && answer(result, planNow(tree)), notCounted(result, problems)]
      .filter(Boolean)
      .join(" "),
  view: AutomationCostPage,
};

function answer({ monthly_tasks, cheapest, options }: AutomationCostResult, plan: string): string {
  const tasks = `${thousands(monthly_tasks)} tasks a month`;
  if (!cheapest) return `No listed plan is enough for ${tasks}.`;
  if (plan !== "") return `${advise(quoteOf(plan, options), cheapest)}.`;
  return `${tasks} cost ${money(cheapest.monthly_price)} on ${cheapest.title}.`;
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
  const { tree, notes, host, isExample } = state;
  return (
    <Workbench
      state={state}
      live={live}
      hidden={[MAY_COUNT_TRIGGER]}
      start={
        <>
          <PasteBox label="Paste a table of your Zaps, or enter your tasks a month" live={live} />
          <OpenFile
            label="Open a CSV or zapfile"
            accept=".csv,.tsv,.txt,.json,text/csv,application/json"
            live={live}
            isExample={isExample}
          >
            <Do command="clear">Clear</Do>
          </OpenFile>
        </>
      }
      result={(result) => (
        <Result
          result={result}
          prices={pricesFor(result, host.priceBook)}
          planNow={planNow(tree)}
        />
      )}
    >
      <div class="fields plan">
        <Field name="billing" field={fields.billing} value={tree.get("billing")} notes={notes} />
        <Field
          name={PLAN_NOW}
          field={{ kind: "choice", label: "Your plan now", choices: allPlans(state) }}
          value={planNow(tree)}
          notes={notes}
        />
        <Field name="team" field={fields.team} value={tree.get("team")} notes={notes} />
      </div>
      <Questions {...state} />
      <ZapGrid {...state} />
    </Workbench>
  );
}

const planNow = (tree: CostState["tree"]): string => textOf(tree.get(PLAN_NOW));

/** All plans by their ids, in Zapier's order. */
function allPlans({ host, tree }: CostState): Readonly<Record<string, string>> {
  const billing = BILLING.find((one) => one === tree.get("billing")) ?? "annual";
  const rank = ({ plan }: Quote) => PLANS.indexOf(plan);
  const quotes = comparePlans(
    { zaps: [], billing, team: false },
    0,
    host.priceBook ?? priceBook,
  ).offers.toSorted((a, b) => rank(a) - rank(b) || a.included_tasks - b.included_tasks);
  return Object.fromEntries(quotes.map((quote) => [idOf(quote), planWords(quote)]));
}

const idOf = ({ plan, included_tasks }: Quote): string => `${plan}-${included_tasks}`;

/** The user's plan, if it can carry the tasks. */
const quoteOf = (plan: string, options: readonly Quote[]): Quote | undefined =>
  options.find((quote) => idOf(quote) === plan);

const planWords = ({ title, included_tasks }: Quote): string =>
  `${title}, ${thousands(included_tasks)} tasks`;

interface ResultProps {
  readonly result: AutomationCostResult;
  readonly prices: Prices;
  /** The id of the user's plan, if it is known. */
  readonly planNow: string;
}

/** The answer, the chart, the plans and the assumptions. */
function Result(props: ResultProps) {
  const { result, prices } = props;
  const { options, monthly_tasks, billing, notes } = result;
  const rest = options.slice(AT_A_GLANCE);
  const dearest = rest.at(-1);
  const current = prices.breakpoints.findLast(({ tasks }) => tasks <= monthly_tasks);
  return (
    <>
      <Verdict {...props} />
      {options.length > 0 && (
        <>
          <figure class="prices">
            <figcaption>Cheapest price by tasks a month, paid {PAID[billing]}</figcaption>
            <PriceChart key={monthly_tasks} result={result} prices={prices} />
            <details id="breakpoints">
              <summary>Where the cheapest plan changes</summary>
              <ul>
                {prices.breakpoints.map(({ tasks }) => (
                  <li key={tasks}>
                    From {prices.words(tasks)}
                    {tasks === current?.tasks && <strong> (you)</strong>}
                  </li>
                ))}
              </ul>
            </details>
          </figure>
          <PlanTable
            caption={`${thousands(monthly_tasks)} tasks a month, paid ${PAID[billing]}`}
            quotes={options.slice(0, AT_A_GLANCE)}
            cheapest={options[0]}
          />
        </>
      )}
      {dearest && (
        <details id="other-plans">
          <summary>
            {plural(rest.length, "more plan")}, up to {money(dearest.monthly_price)} a month
          </summary>
          <PlanTable caption="The other plans" quotes={rest} />
        </details>
      )}
      <details id="assumptions">
        <summary>Assumptions</summary>
        <ul class="fine-print">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** The plans above the fold; the cheapest is the first of them. */
const AT_A_GLANCE = 4;

/** Continues a price: "$5 by the year". */
const PAID = { annual: "by the year", monthly: "by the month" } as const;

/** What to do, and what to know before. */
function Verdict({ result, prices, planNow }: ResultProps) {
  const { cheapest, options, monthly_tasks, price_doubt, smallest_covering } = result;
  if (!cheapest)
    return (
      <div class="verdict none">
        <p class="answer">No listed plan is enough</p>
        <p>Zapier sells more as Enterprise, with a price on request.</p>
      </div>
    );
  const next = prices.breakpoints.find(({ tasks }) => tasks > monthly_tasks);
  const now = quoteOf(planNow, options);
  const [doubt, address] = price_doubt?.split("https://") ?? [];
  return (
    <div class="verdict">
      {planNow !== "" && (
        <p class="answer">
          <strong>{advise(now, cheapest)}</strong>
        </p>
      )}
      <p class={planNow === "" ? "answer" : ""}>
        <strong>{cheapest.title}</strong>, {thousands(cheapest.included_tasks)} tasks,{" "}
        <strong>{money(cheapest.monthly_price)}</strong> a month
        {cheapest.overage_tasks > 0 && `, including ${overagePrice(cheapest)} for extra tasks`}
        {now && now !== cheapest && `, in place of ${money(now.monthly_price)}`}
      </p>
      {planNow.startsWith("team") && cheapest.plan !== "team" && (
        <p>Do several people share it? Tick “Shared by several people”: then only Team will do.</p>
      )}
      <p>{roomNote(options, monthly_tasks) ?? coveringNote(cheapest, smallest_covering)}</p>
      {address && (
        <p>
          {doubt}
          <a href={`https://${address.slice(0, -1)}`} rel="noopener">
            {address.slice(0, -1)}
          </a>
          .
        </p>
      )}
      {next && <p>{growthNote(cheapest, next)}</p>}
      <p>{otherBillingNote(cheapest, prices.input, monthly_tasks, prices.book)}</p>
      <p>
        <bdi>{costliestNote(result, cheapest, prices)}</bdi>
      </p>
    </div>
  );
}

/** What a user who has named their plan does, and saves. @param now undefined if that plan is not enough. */
function advise(now: Quote | undefined, cheapest: Quote): string {
  if (!now) return `Your plan is not enough: you need ${planWords(cheapest)}`;
  const saving = 12 * (now.monthly_price - cheapest.monthly_price);
  return saving > 0
    ? `Switch to ${planWords(cheapest)}: ${money(saving)} a year less`
    : "You have the cheapest plan already";
}

function coveringNote(cheapest: Quote, covering: Quote | null): string {
  if (cheapest.plan === "free") return "It includes all your tasks, and there is nothing to pay.";
  if (cheapest.overage_tasks === 0) return "It includes all your tasks, without extra ones.";
  if (!covering) return "No listed plan includes all your tasks.";
  const more = money(covering.monthly_price - cheapest.monthly_price);
  return `The smallest plan that includes all your tasks is ${planWords(covering)}, ${money(covering.monthly_price)} a month: ${more} more.`;
}

/** Names the Zap with the most tasks of several, and what it costs. */
function costliestNote(result: AutomationCostResult, now: Quote, prices: Prices) {
  const { automations: zaps, monthly_tasks } = result;
  const most = zaps.reduce((a, b) => (b.monthly_tasks > a.monthly_tasks ? b : a));
  if (zaps.length < 2 || most.monthly_tasks === 0) return undefined;
  const others = { zaps: zaps.filter((zap) => zap !== most) };
  const without = prices.cheapest(monthly_tasks - most.monthly_tasks, others)?.monthly_price ?? 0;
  return `“${visibleLine(most.name)}” costs the most: ${shareOf(most.monthly_tasks, monthly_tasks)} of your tasks. Without it you would pay ${money(now.monthly_price - without)} a month less.`;
}

interface PlanTableProps {
  readonly caption: string;
  readonly quotes: readonly Quote[];
  readonly cheapest?: Quote | undefined;
}

const PlanTable = ({ caption, quotes, cheapest }: PlanTableProps) => (
  <table class="plans">
    <caption>{caption}</caption>
    <thead>
      <tr>
        <th scope="col">Plan</th>
        <th scope="col">Price a month</th>
      </tr>
    </thead>
    <tbody>
      {quotes.map((quote) => (
        <tr key={idOf(quote)} class={quote === cheapest ? "cheapest" : ""}>
          <th scope="row">
            {quote.title} <small>{thousands(quote.included_tasks)} tasks</small>{" "}
            {quote === cheapest && <small>cheapest</small>}
          </th>
          <td>
            <strong>{money(quote.monthly_price)}</strong> <small>{priceParts(quote)}</small>{" "}
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
