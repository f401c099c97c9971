import {
  type AutomationCostResult,
  automationCostContract,
  BILLING,
  PLANS,
  type Quote,
} from "../../../schemas/automation-cost.ts";
import type { Breakpoint } from "../../../src/automation-cost/breakpoints.ts";
import { growthNote, roomNote } from "../../../src/automation-cost/notes.ts";
import { money, shareOf } from "../../../src/automation-cost/render.ts";
import { InvalidInputError } from "../../../src/issues.ts";
import { plural, thousands } from "../../../src/text.ts";
import { Do, FieldIn } from "../form/fields.tsx";
import { textOf, toInput } from "../form/form.ts";
import type { Shown } from "../form/live.ts";
import type { Host, State, ToolPage } from "../form/run-form.ts";
import { OpenFile, PasteBox, Start, Workbench } from "../form/workbench.tsx";
import { computePrices, PriceChart, type Prices } from "./chart.tsx";
import {
  fields,
  filledZaps,
  MAY_COUNT_TRIGGER,
  PLAN_NOW,
  PRESETS,
  pressOwn,
  RUNS_FOR_ALL,
  reasonToCheck,
  stepsInDoubt,
  wholeNumber,
  withoutTriggers,
} from "./fields.ts";
import { ZapGrid } from "./zap-grid.tsx";

type CostState = State<AutomationCostResult>;

export const automationCostPage: ToolPage<AutomationCostResult> = {
  contract: automationCostContract,
  product: "Zapier costs",
  action: "Find the cheapest plan",
  lead: "Enter your Zaps and how often they run, and see the cheapest Zapier plan, extra tasks included.",
  fields,
  press: pressOwn,
  summary: summaryOf,
  view: AutomationCostPage,
};

interface PageProps {
  readonly state: CostState;
  readonly live?: Shown<AutomationCostResult>;
}

/** The form with its outcome. */
export function AutomationCostPage({ state, live }: PageProps) {
  const at = { name: "", value: state.tree, notes: state.notes, fields };
  return (
    <Workbench
      state={state}
      live={live}
      hidden={[MAY_COUNT_TRIGGER]}
      start={
        <>
          <OpenFile
            label="Open a CSV or zapfile.json"
            accept=".csv,.tsv,.txt,.json,text/csv,application/json"
            live={live}
            isExample={state.isExample}
          />
          <PasteBox label="I know my tasks a month (or paste a table)" live={live} />
          <Start presets={[...PRESETS.keys()]} />
        </>
      }
      result={(result) => <Result state={state} result={result} />}
    >
      <div class="fields plan">
        <Choice state={state} name="billing" label="Billing" choices={fields.billing.choices} />
        <Choice state={state} name={PLAN_NOW} label="Your plan now" choices={plansOf(state)} />
        <FieldIn {...at} of="team" />
      </div>
      <ToCheck state={state} />
      <ZapGrid {...state} />
    </Workbench>
  );
}

interface ChoiceProps {
  readonly state: CostState;
  readonly name: string;
  readonly label: string;
  readonly choices: Readonly<Record<string, string>>;
}

/** A choice that is always made: at first it is the first. */
const Choice = ({ state, name, label, choices }: ChoiceProps) => (
  <div class="field choice short">
    <label for={name}>{label}</label>
    <select id={name} name={name} value={textOf(state.tree.get(name)) || Object.keys(choices)[0]}>
      {Object.entries(choices).map(([choice, words]) => (
        <option key={choice} value={choice}>
          {words}
        </option>
      ))}
    </select>
  </div>
);

/** All plans in Zapier's order, by their ids. They carry a task a month. */
function plansOf({ host, tree }: CostState): Readonly<Record<string, string>> {
  const billing = BILLING.find((one) => one === tree.get("billing"));
  const quotes = host
    .run({ zaps: [{ action_steps: 1, runs_per_month: 1 }], billing })
    .options.toSorted(
      (a, b) =>
        PLANS.indexOf(a.plan) - PLANS.indexOf(b.plan) || a.included_tasks - b.included_tasks,
    );
  return Object.fromEntries([["", "–"], ...quotes.map((quote) => [idOf(quote), planWords(quote)])]);
}

const idOf = ({ plan, included_tasks }: Quote): string => `${plan}-${included_tasks}`;

const planWords = ({ title, included_tasks }: Quote): string =>
  `${title}, ${thousands(included_tasks)} tasks`;

/** What a user who has read a file or a table decides or fills in. */
function ToCheck({ state }: { readonly state: CostState }) {
  const { tree, host, result } = state;
  const zaps = filledZaps(tree);
  const marked = zaps.filter(([, zap]) => reasonToCheck(zap) !== "").length;
  const withoutRuns = zaps.filter(([, zap]) => !zap.get("runs_per_month")).length;
  const doubt = stepsInDoubt(tree);
  const other = doubt && runInput(host, toInput(withoutTriggers(tree), fields).input);
  const [now, then] = [priceOf(result), priceOf(other)];
  return (
    <>
      {doubt && now !== then && (
        <p class="to-check">
          Does “{doubt.heading}” count the trigger? As they are, your Zaps cost {now}.{" "}
          <Do command="subtract triggers">Subtract 1: {then}</Do>{" "}
          <Do command="keep steps">Keep them</Do>
        </p>
      )}
      {marked > 0 && (
        <p class="to-check">
          {plural(marked, "Zap")} below {marked === 1 ? "was" : "were"} not read for sure: correct
          or remove what is wrong. <Do command="checked">They are right</Do>
        </p>
      )}
      {(withoutRuns > 1 || tree.has(RUNS_FOR_ALL)) && (
        <RunsForAll text={textOf(tree.get(RUNS_FOR_ALL))} />
      )}
    </>
  );
}

const priceOf = (result: AutomationCostResult | undefined): string =>
  result?.cheapest
    ? `${money(result.cheapest.monthly_price)} a month`
    : "more than any listed plan";

/** The result of another input than the form's, which may be too much for the tool. */
function runInput(host: Host<AutomationCostResult>, input: unknown) {
  try {
    return host.run(input);
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  }
}

function RunsForAll({ text }: { readonly text: string }) {
  const isWrong = text !== "" && wholeNumber(text) === undefined;
  const fill = <Do command="fill runs">Fill in</Do>;
  return (
    <p class="to-check">
      <label for={RUNS_FOR_ALL}>Runs a month for all</label>{" "}
      <input
        id={RUNS_FOR_ALL}
        name={RUNS_FOR_ALL}
        value={text}
        inputmode="decimal"
        aria-invalid={isWrong}
        onKeyDown={(event) => {
          // The first button of a form, which Enter would press, is another one.
          if (event.key !== "Enter") return;
          event.preventDefault();
          const { form, nextElementSibling: button } = event.currentTarget;
          if (button instanceof HTMLButtonElement) form?.requestSubmit(button);
        }}
      />{" "}
      {fill} {isWrong && <small class="error">A whole number, such as 1,200.</small>}
    </p>
  );
}

/** What the user does next, or the answer. */
function summaryOf({ tree, result }: CostState): string {
  if (result) return answerOf(result);
  const missing = filledZaps(tree).flatMap(([row, zap]) => {
    const name =
      textOf(zap.get("name")) || `Zap ${[...filledZaps(tree)].findIndex(([at]) => at === row) + 1}`;
    if (!zap.get("action_steps")) return [`Now enter how many action steps “${name}” has.`];
    return zap.get("runs_per_month") ? [] : [`Now enter how often “${name}” runs in a month.`];
  });
  return missing[0] ?? "Enter your Zaps, and the cheapest plan appears here.";
}

const answerOf = ({ monthly_tasks, cheapest }: AutomationCostResult): string =>
  cheapest
    ? `${thousands(monthly_tasks)} tasks a month cost ${money(cheapest.monthly_price)} on ${cheapest.title}.`
    : `No listed plan carries ${thousands(monthly_tasks)} tasks a month.`;

interface ResultProps {
  readonly state: CostState;
  readonly result: AutomationCostResult;
}

function Result({ state, result }: ResultProps) {
  const { host, input } = state;
  const prices = computePrices(result, host.priceBook);
  const billing = result.billing === "monthly" ? "annual" : "monthly";
  return (
    <>
      <Verdict state={state} result={result} prices={prices} />
      {result.cheapest && (
        <figure class="prices">
          <figcaption>Cheapest price by tasks a month, paid {PAID[result.billing]}</figcaption>
          <PriceChart result={result} prices={prices} />
          <Breakpoints points={prices.breakpoints} tasks={result.monthly_tasks} />
        </figure>
      )}
      <Billing results={[result, runInput(host, { ...input, billing })]} />
      <Plans result={result} />
      <details id="assumptions">
        <summary>Assumptions</summary>
        <ul class="fine-print">
          {result.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** Continues a price: "$5 by the year". */
const PAID = { annual: "by the year", monthly: "by the month" } as const;

/** The answer in a few sentences: the cheapest plan or the saving, and what to know of it. */
function Verdict({ state, result, prices }: ResultProps & { readonly prices: Prices }) {
  const { cheapest, smallest_covering, options, monthly_tasks, price_doubt } = result;
  if (!cheapest)
    return (
      <div class="verdict none">
        <p class="answer">No listed plan is enough</p>
        <p>Zapier sells more as Enterprise, with a price on request.</p>
      </div>
    );
  const next = prices.breakpoints.find(({ tasks }) => tasks > monthly_tasks);
  const advice = adviceFor(state, result, cheapest);
  const [, words, address = ""] = /^(.*?)(https:\S+)\.$/.exec(price_doubt ?? "") ?? [];
  return (
    <div class="verdict">
      {advice !== undefined && <p class="answer">{advice}</p>}
      <p class={advice === undefined ? "answer" : ""}>
        <strong>{cheapest.title}</strong>, {thousands(cheapest.included_tasks)} tasks,{" "}
        <strong>{money(cheapest.monthly_price)}</strong> a month
        {cheapest.overage_tasks > 0 && `, including ${overagePrice(cheapest)} for extra tasks`}
      </p>
      <p>{roomNote(options, monthly_tasks) ?? coveringNote(cheapest, smallest_covering)}</p>
      {price_doubt !== null && (
        <p class="doubt">
          {words}
          <a href={address} rel="noopener">
            {address.replace("https://", "")}
          </a>
          .
        </p>
      )}
      {next && <p>{growthNote(cheapest, next)}</p>}
      <Costliest state={state} result={result} />
    </div>
  );
}

/** What a user who has named their plan does and saves. */
function adviceFor({ tree }: CostState, result: AutomationCostResult, cheapest: Quote) {
  const plan = textOf(tree.get(PLAN_NOW));
  if (plan === "") return undefined;
  const now = result.options.find((quote) => idOf(quote) === plan);
  if (!now) return `Your plan is not enough for these Zaps: you need ${planWords(cheapest)}`;
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

/** The Zap with the most tasks of several, and what it costs. */
function Costliest({ state: { host, input }, result }: ResultProps) {
  const { automations, monthly_tasks, cheapest } = result;
  const most = automations.reduce((a, b) => (b.monthly_tasks > a.monthly_tasks ? b : a));
  if (automations.length < 2 || most.monthly_tasks === 0 || !Array.isArray(input.zaps)) return null;
  const zaps = input.zaps.toSpliced(automations.indexOf(most), 1);
  const without = runInput(host, { ...input, zaps })?.cheapest;
  return (
    <p class="costliest">
      “<bdi>{most.name}</bdi>” costs most: {shareOf(most.monthly_tasks, monthly_tasks)} of your
      tasks
      {cheapest && without && `, ${money(cheapest.monthly_price - without.monthly_price)} a month`}.
    </p>
  );
}

/** The chart as text, for all numbers of tasks. */
const Breakpoints = ({
  points,
  tasks,
}: {
  readonly points: readonly Breakpoint[];
  readonly tasks: number;
}) => {
  const current = points.findLast((point) => point.tasks <= tasks);
  return (
    <details id="breakpoints">
      <summary>All break points</summary>
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">From tasks a month</th>
            <th scope="col">A month</th>
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.tasks} class={point === current ? "cheapest" : ""}>
              <th scope="row">
                {thousands(point.tasks)}{" "}
                <small>
                  {point.plan
                    ? `${point.title}, ${thousands(point.included_tasks ?? 0)} tasks`
                    : "no listed plan"}
                  {point === current && ": you"}
                </small>
              </th>
              <td>{point.monthly_price !== null && money(point.monthly_price)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
};

/** The cheapest plan for annual and for monthly billing, with what a year costs. */
function Billing({ results }: { readonly results: readonly (AutomationCostResult | undefined)[] }) {
  const rows = BILLING.flatMap((billing) => {
    const cheapest = results.find((result) => result?.billing === billing)?.cheapest;
    return cheapest ? [{ billing, cheapest }] : [];
  });
  const [annual, monthly] = rows;
  if (!annual || !monthly) return null;
  const saving = (monthly.cheapest.monthly_price - annual.cheapest.monthly_price) * 12;
  return (
    <table class="numbers">
      <caption>By the year or by the month</caption>
      <thead>
        <tr>
          <th scope="col">Paid</th>
          <th scope="col">A month</th>
          <th scope="col">A year</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ billing, cheapest }) => (
          <tr key={billing}>
            <th scope="row">
              {PAID[billing]} <small>{planWords(cheapest)}</small>
            </th>
            <td>{money(cheapest.monthly_price)}</td>
            <td>{money(cheapest.monthly_price * 12)}</td>
          </tr>
        ))}
      </tbody>
      {saving > 0 && (
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              Paying by the year saves
            </th>
            <td>{money(saving)}</td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

/** The plans above the fold; the cheapest is the first of them. */
const AT_A_GLANCE = 4;

function Plans({ result }: { readonly result: AutomationCostResult }) {
  const { options, monthly_tasks, billing } = result;
  const [shown, rest] = [options.slice(0, AT_A_GLANCE), options.slice(AT_A_GLANCE)];
  const dearest = rest.at(-1);
  return (
    <>
      {shown.length > 0 && (
        <PlanTable
          caption={`${thousands(monthly_tasks)} tasks a month, paid ${PAID[billing]}`}
          quotes={shown}
          cheapest={shown[0]}
        />
      )}
      {dearest && (
        <details id="other-plans">
          <summary>
            {plural(rest.length, "more plan")}, up to {money(dearest.monthly_price)} a month
          </summary>
          <PlanTable caption="The other plans, on a scale of their own" quotes={rest} />
        </details>
      )}
    </>
  );
}

interface PlanTableProps {
  readonly caption: string;
  readonly quotes: readonly Quote[];
  readonly cheapest?: Quote | undefined;
}

/** Plans with their prices as bars. */
export function PlanTable({ caption, quotes, cheapest }: PlanTableProps) {
  const scale = Math.max(...quotes.map(({ monthly_price }) => monthly_price));
  return (
    <table class="plans">
      <caption>
        {caption}
        {quotes.some(({ overage_price }) => overage_price > 0) && (
          <span class="legend" aria-hidden="true">
            {" "}
            <span class="base">plan</span> <span class="overage">extra tasks</span>
          </span>
        )}
      </caption>
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
              {quote.title} <small>{thousands(quote.included_tasks)} tasks</small>
              {quote === cheapest && (
                <>
                  {" "}
                  <span class="tag">cheapest</span>
                </>
              )}
            </th>
            <td>
              <div class="graph">
                <span class="price">{money(quote.monthly_price)}</span>{" "}
                <PriceBar quote={quote} scale={scale} />
              </div>
              <small>{priceParts(quote)}</small> <small class="known">{priceSource(quote)}</small>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The whole price, with the share of the base price drawn over it. */
function PriceBar({ quote, scale }: { readonly quote: Quote; readonly scale: number }) {
  const width = (price: number) => `${scale === 0 ? 0 : ((100 * price) / scale).toFixed(2)}%`;
  return (
    <svg class="bar" width="100%" height="12" aria-hidden="true">
      <rect class="overage" width={width(quote.monthly_price)} height="100%" rx="2" />
      <rect class="base" width={width(quote.base_price)} height="100%" rx="2" />
    </svg>
  );
}

const priceParts = (quote: Quote): string =>
  quote.overage_tasks === 0
    ? "includes all tasks"
    : `${money(quote.base_price)} + ${overagePrice(quote)} for ${thousands(quote.overage_tasks)} more`;

const priceSource = ({ price_basis, price_read_on }: Quote): string =>
  `${price_basis === "derived" ? "derived from the annual price " : ""}checked on ${price_read_on}`;

/** The price of the overage in words. For a few tasks it rounds to nothing. */
const overagePrice = ({ overage_price }: Quote): string =>
  overage_price === 0 ? "less than a cent" : money(overage_price);
