import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { renderToString } from "preact-render-to-string";
import type { AutomationCostInput } from "../../../../schemas/index.ts";
import { automationCostPage as page } from "../../../../server/pages/automation-cost/automation-cost-page.tsx";
import {
  CURRENT_PLAN,
  costFormFields,
  TOTAL_TASKS,
} from "../../../../server/pages/automation-cost/zap-form.ts";
import { evaluateForm } from "../../../../server/pages/form/form-state.ts";
import {
  ensureRows,
  type FormValues,
  toFormValues,
} from "../../../../server/pages/form/form-values.ts";
import { automationCostTool } from "../../../../src/automation-cost/automation-cost.ts";
import { calculateAutomationCost } from "../../../../src/automation-cost/index.ts";
import { runTool, withExtendedLimits } from "../../../../src/tool.ts";
import { tries } from "../../../support/runs.ts";
import { elementsOf } from "../../support/expect.ts";

const tool = withExtendedLimits(automationCostTool);

function markupOf(tree: FormValues): string {
  const host = {
    baseUrl: "",
    run: (input: unknown) => ({ result: runTool(tool, input) }),
  };
  return renderToString(page.view({ state: evaluateForm(page, host, tree) }));
}

const inputTree = (input: AutomationCostInput, planNow = ""): FormValues =>
  toFormValues(input, costFormFields).set(CURRENT_PLAN, planNow);

async function shown(tree: FormValues) {
  const elements = await elementsOf(markupOf(tree));
  const withClass = (name: string) =>
    elements.filter((e) => e.attributes.class === name).map(({ text }) => text);
  const textsOf = (tag: string) => elements.filter((e) => e.tag === tag).map(({ text }) => text);
  return { elements, withClass, textsOf };
}

/** One automation of one step, so that its runs are its tasks. */
const tasks = (count: number, more: Partial<AutomationCostInput> = {}): AutomationCostInput => ({
  zaps: [{ action_steps: 1, runs_per_month: count }],
  ...more,
});

describe("a user who names their plan reads first", () => {
  const SMALL = "Your plan is not enough.";
  test.each([
    [
      "too small",
      tasks(301),
      "free-100",
      "warn",
      `${SMALL} Free 100 covers at most 100 tasks. You need 301.`,
    ],
    ["the cheapest", tasks(300), "professional-750", "good", "You have the cheapest plan already"],
    [
      "too large",
      tasks(300),
      "professional-2000",
      "good",
      "Switch to Professional, 750 tasks: $348.12 a year less",
    ],
    [
      "for one person only",
      tasks(300),
      "team-2000",
      "good",
      "Switch to Professional, 750 tasks: $588.12 a year less. If several people share it, tick that above.",
    ],
    [
      "for several people already",
      tasks(300, { team: true }),
      "team-2000",
      "good",
      "You have the cheapest plan already",
    ],
    [
      "not for several people",
      tasks(9, { team: true }),
      "professional-750",
      "warn",
      `${SMALL} Sharing Zaps needs the Team plan.`,
    ],
  ])("of a plan that is %s: %j, %s", async (_, input, plan, kind, words) => {
    const { withClass } = await shown(inputTree(input, plan));
    expect(withClass(`note ${kind}`)).toEqual([words]);
  });

  test.each([
    ["professional-750", "You have the cheapest plan for the 1 Zap counted"],
    [
      "professional-2000",
      "Switch to Professional, 750 tasks: $348.12 a year less for the 1 Zap counted",
    ],
  ])("that %s is compared without the Zaps that are not counted", async (plan, words) => {
    const form = inputTree(tasks(300), plan);
    ensureRows(form, ["zaps", "1"]).set("name", "Unread");
    const { withClass } = await shown(form);
    expect(withClass("note info")).toEqual([words]);
    expect(withClass("note good")).toEqual([]);
    expect(withClass("quiet")).toContain("2 Zaps, 1 counted");
  });

  test("a choice of the same plans for any tasks, in Zapier's order", async () => {
    const plans = async (count: number) => (await shown(inputTree(tasks(count)))).textsOf("option");
    const all = await plans(1);
    expect(all.slice(0, 3)).toEqual([
      "Your plan now",
      "Free, 100 tasks",
      "Professional, 750 tasks",
    ]);
    expect(all.at(-1)).toStartWith("Team, ");
    expect(await plans(1_000_000)).toEqual(all);
  });

  test("the price of their own tasks in the chart, not of a rounded number", async () => {
    const { elements } = await shown(inputTree(tasks(1_234)));
    const [said] = elements.flatMap(({ attributes }) => attributes["aria-valuetext"] ?? []);
    expect(said).toStartWith("1,234 tasks a month: ");
  });
});

test.each([
  [
    tasks(1_300),
    "$38.31 a month Professional, 750 tasks",
    "For $0.69 a month more, Professional with 1,500 tasks includes all of them, with 200 tasks to spare and no bill for extra tasks.",
  ],
  [
    tasks(6_790),
    "$128.83 a month Professional, 5,000 tasks",
    "from 6,798 tasks: Professional, 10,000 for $129.00",
  ],
  [
    tasks(2_000, { billing: "monthly" }),
    "$73.50 a month Professional, 2,000 tasks",
    "− $294.00 a year",
  ],
  [tasks(2_000), "$49.00 a month Professional, 2,000 tasks", "+ $294.00 a year"],
  [
    tasks(2_000_001),
    "$3,389.00 a month Professional, 2,000,000 tasks",
    "no listed plan takes more than 6,000,000 tasks",
  ],
  [
    {
      zaps: [
        { name: "<i>Leads", action_steps: 3, runs_per_month: 400 },
        { action_steps: 1, runs_per_month: 100 },
      ],
    },
    "$38.31 a month Professional, 750 tasks",
    "<i>Leads: 92% of the tasks, $38.31 a month less without it",
  ],
])("the answer to %j", async (input, answer, fact) => {
  const { withClass, textsOf } = await shown(inputTree(input));
  expect(withClass("price")).toEqual([answer]);
  expect(textsOf("dd")).toContain(fact);
  expect(textsOf("i")).toEqual([]);
});

test("the answer to more tasks than any plan covers", async () => {
  const { withClass, textsOf } = await shown(inputTree(tasks(6_000_001, { team: true })));
  expect(withClass("price")).toEqual(["No listed plan is enough"]);
  expect(textsOf("p")).toContainEqual(expect.stringMatching(/stops at 6,000,000; Enterprise is/));
});

test("an old price has its date, and Zapier's address as a link", async () => {
  const host = {
    baseUrl: "",
    run: (input: unknown) => ({ result: runTool(tool, input, { today: "2027-12-01" }) }),
  };
  const state = evaluateForm(page, host, inputTree(tasks(2_000)));
  const markup = renderToString(page.view({ state }));
  expect(markup).toMatch(/read on 2026-\d\d-\d\d, 4\d\d days ago: check it at <a href="https:/);
  expect(markup).toContain('rel="noopener">zapier.com/pricing</a>.');
});

test.each([
  [tasks(1_300), "1,300 tasks a month"],
  [tasks(6_000_001), "6,000,001 tasks a month"],
])("the summary of %j", async (input, summary) => {
  const { withClass } = await shown(inputTree(input));
  expect(withClass("summary")).toEqual([summary]);
});

test("the plans are listed cheapest first, with what their prices are made of", async () => {
  const { textsOf } = await shown(inputTree(tasks(1_300)));
  const cells = textsOf("td");
  const at = cells.lastIndexOf("Professional, 750 you");
  expect(cells.slice(at, at + 6)).toEqual([
    ...["Professional, 750 you", "$19.99 + $18.32", "$38.31"],
    ...["Professional, 1,500", "$39.00", "$39.00"],
  ]);
  expect(textsOf("summary").slice(0, 3)).toEqual([
    "Where the cheapest plan changes",
    "The cheapest plans for 1,300 tasks",
    "What this counts on",
  ]);
  for (const note of calculateAutomationCost(tasks(1_300)).notes)
    expect(textsOf("li")).toContain(note);
});

test("of equal Zaps, none is the costliest", async () => {
  const zap = { action_steps: 2, runs_per_month: 400 };
  const { textsOf } = await shown(inputTree({ zaps: [zap, zap] }));
  expect(textsOf("dt")).toEqual(["Next plan", "Paid monthly"]);
});

test("a typed total is kept beside the Zaps that replace it", async () => {
  const { elements, textsOf } = await shown(inputTree(tasks(200)).set(TOTAL_TASKS, "12,500"));
  expect(textsOf("small")).toContain("This sum replaces the 12,500 that you typed.");
  const [kept] = elements.filter(({ attributes }) => attributes.name === TOTAL_TASKS);
  expect(kept?.attributes).toMatchObject({ type: "hidden", value: "12,500" });
});

describe("the chart", () => {
  const circles = (markup: string) =>
    [...markup.matchAll(/<circle (?:class="break" )?cx="([\d.]+)%" cy="([\d.]+)"/g)].map(
      ([, x, y]) => ({ x: Number(x), y: Number(y) }),
    );

  test("has the user on the line", () => {
    const markup = markupOf(inputTree(tasks(1_800)));
    expect(markup).toContain(
      'aria-label="Price a month against tasks a month. You: 1,800 tasks, $48.75."',
    );
    expect(circles(markup).at(-1)).toEqual({ x: 64.19, y: expect.any(Number) });
  });

  test("stays within its edges, and has round ticks, for any number of tasks", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6_000_000 }), (count) => {
        const markup = markupOf(inputTree(tasks(count)));
        for (const { x, y } of circles(markup)) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(100);
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThanOrEqual(231);
        }
        expect(markup).not.toMatch(/NaN|Infinity|undefined/);
        expect(markup).toMatch(/<text text-anchor="end" x="0"[^>]*>\$[125]0*[kM]?</);
      }),
      tries(30),
    );
  });

  test("has the break points around the user as a table, with the user's price in their row", async () => {
    const { textsOf } = await shown(inputTree(tasks(1_800)));
    const cells = textsOf("td");
    const row = (first: string) => cells.slice(cells.indexOf(first), cells.indexOf(first) + 3);
    expect(row("1,321")).toEqual(["1,321", "Professional, 1,500 you: $48.75", "$39.00"]);
    expect(row("3,306")).toEqual(["3,306", "Professional, 5,000", "$89.00"]);
    expect(cells).not.toContain("6,798");
  });

  test("ends the line of the user's plan where it has room for no more", async () => {
    const { textsOf } = await shown(inputTree(tasks(12_482), "professional-2000"));
    expect(textsOf("text")).toContain("Yours ends at 6,000");
    expect((await shown(inputTree(tasks(12_482)))).textsOf("text")).not.toContain(
      "Yours ends at 6,000",
    );
  });
});
