import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { renderToString } from "preact-render-to-string";
import type { AutomationCostInput } from "../../../../schemas/index.ts";
import { automationCostPage as page } from "../../../../server/pages/automation-cost/automation-cost.tsx";
import { fields, PLAN_NOW } from "../../../../server/pages/automation-cost/fields.ts";
import { type Tree, toTree } from "../../../../server/pages/form/form.ts";
import { runForm } from "../../../../server/pages/form/run-form.ts";
import { automationCostTool } from "../../../../src/automation-cost/automation-cost.ts";
import { calculateAutomationCost } from "../../../../src/automation-cost/index.ts";
import { runTool, withExtendedLimits } from "../../../../src/tool.ts";
import { tries } from "../../../support/runs.ts";
import { elementsOf } from "../../support/expect.ts";

const tool = withExtendedLimits(automationCostTool);

function markupOf(tree: Tree): string {
  const host = {
    baseUrl: "",
    schema: tool.contract.input,
    run: (input: unknown) => runTool(tool, input),
  };
  return renderToString(page.view({ state: runForm(page, host, tree) }));
}

const inputTree = (input: AutomationCostInput, planNow = ""): Tree =>
  toTree(input, fields).set(PLAN_NOW, planNow);

async function shown(tree: Tree) {
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
  test.each([
    ["too small", tasks(300), "free-100", "Your plan is not enough: you need Professional, 750"],
    ["the cheapest", tasks(300), "professional-750", "You have the cheapest plan already"],
    ["too large", tasks(300), "professional-2000", "Switch to Professional, 750 tasks: $348.12"],
    ["not for several people", tasks(9, { team: true }), "professional-750", "need Team, 2,000"],
  ])("of a plan that is %s: %j, %s", async (_, input, plan, words) => {
    const { withClass } = await shown(inputTree(input, plan));
    expect(withClass("answer")).toEqual([expect.stringContaining(words)]);
  });

  test("a choice of the same plans for any tasks, in Zapier's order", async () => {
    const plans = async (count: number) =>
      (await shown(inputTree(tasks(count)))).textsOf("option").slice(2);
    const all = await plans(1);
    expect(all.slice(0, 3)).toEqual(["–", "Free, 100 tasks", "Professional, 750 tasks"]);
    expect(all.at(-1)).toStartWith("Team, ");
    expect(await plans(1_000_000)).toEqual(all);
  });
});

test.each([
  [
    tasks(1_300),
    "Professional, 750 tasks, $38.31 a month, including $18.32 for extra tasks",
    "For $0.69 a month more, Professional with 1,500 tasks includes all of them, with 200 tasks to spare and no bill for extra tasks.",
  ],
  [
    tasks(1_200),
    "Professional, 750 tasks, $34.98 a month, including $14.99 for extra tasks",
    "The smallest plan that includes all your tasks is Professional, 1,500 tasks, $39.00 a month: $4.02 more.",
  ],
  [
    tasks(2_000, { billing: "monthly" }),
    "Professional, 2,000 tasks, $73.50 a month",
    "It includes all your tasks, without extra ones.",
  ],
  [
    tasks(2_000),
    "Professional, 2,000 tasks, $49.00 a month",
    "Paid by the month, the cheapest is Professional with 2,000 tasks at $73.50 a month, which is $294.00 a year more.",
  ],
  [
    tasks(100),
    "Free, 100 tasks, $0.00 a month",
    "It includes all your tasks, and there is nothing to pay.",
  ],
  [
    tasks(2_000_001),
    "Professional, 2,000,000 tasks, $3,389.00 a month, including less than a cent for extra tasks",
    "No listed plan includes all your tasks.",
  ],
  [
    tasks(6_000_001, { team: true }),
    "No listed plan is enough",
    "Zapier sells more as Enterprise, with a price on request.",
  ],
  [
    {
      zaps: [
        { name: "<i>Leads", action_steps: 3, runs_per_month: 400 },
        { action_steps: 1, runs_per_month: 100 },
      ],
    },
    "Professional, 750 tasks, $38.31 a month, including $18.32 for extra tasks",
    "“<i>Leads” costs the most: 92% of your tasks. Without it you would pay $38.31 a month less.",
  ],
])("the answer to %j", async (input, answer, fact) => {
  const { withClass, textsOf } = await shown(inputTree(input));
  expect(withClass("answer")).toEqual([answer]);
  expect(textsOf("p")).toContain(fact);
  expect(textsOf("i")).toEqual([]);
});

test("an old price has its date, and Zapier's address as a link", async () => {
  const result = calculateAutomationCost(tasks(2_000), { today: "2027-12-01" });
  const host = { baseUrl: "", schema: tool.contract.input, run: () => result };
  const state = runForm(page, host, inputTree(tasks(2_000)));
  const markup = renderToString(page.view({ state }));
  expect(markup).toMatch(/read on 2026-\d\d-\d\d, 4\d\d days ago: check it at <a href="https:/);
  expect(markup).toContain('rel="noopener">zapier.com/pricing</a>.');
});

test.each([
  [tasks(1_300), "1,300 tasks a month cost $38.31 on Professional."],
  [tasks(6_000_001), "No listed plan is enough for 6,000,001 tasks a month."],
])("the summary of %j", async (input, summary) => {
  const { withClass } = await shown(inputTree(input));
  expect(withClass("summary")).toEqual([summary]);
});

describe("the plans", () => {
  test("are there once each, the cheapest first and marked, all but a few folded away", async () => {
    const { options, notes } = calculateAutomationCost(tasks(1_300));
    const { elements, textsOf } = await shown(inputTree(tasks(1_300)));
    const names = elements.filter(({ attributes }) => attributes.scope === "row");
    expect(names.map(({ text }) => text.replace(/ +cheapest/, ""))).toEqual(
      options.map((quote) => `${quote.title} ${quote.included_tasks.toLocaleString("en")} tasks`),
    );
    expect(names[0]?.text).toEndWith("cheapest");
    expect(textsOf("summary").slice(0, 3)).toEqual([
      "Where the cheapest plan changes",
      `${options.length - 4} more plans, up to $3,999.00 a month`,
      "Assumptions",
    ]);
    for (const note of notes) expect(textsOf("li")).toContain(note);
  });

  test.each([
    [tasks(1_300), 0, ["$19.99 + $18.32 for 550 more", "checked on 2026-10-06"]],
    [tasks(1_300), 1, ["includes all tasks", "checked on 2026-02-06"]],
    [tasks(2_000_001), 0, ["$3,389.00 + less than a cent for 1 more", "checked on 2026-09-20"]],
    [
      tasks(200_000, { billing: "monthly", team: true }),
      0,
      ["includes all tasks", "derived from the annual price checked on 2026-02-06"],
    ],
  ])("say what a price is made of and how it is known: %j, %i", async (input, plan, words) => {
    const { textsOf } = await shown(inputTree(input));
    for (const text of words) expect(textsOf("td")[plan]).toContain(text);
  });
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
    expect(circles(markup).at(-1)).toEqual({ x: 35.81, y: expect.any(Number) });
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
        expect(markup).toMatch(/<text x="0"[^>]*>\$[125]0*(?:,000)*</);
      }),
      tries(30),
    );
  });

  test("is left out where no plan carries the tasks", () => {
    expect(markupOf(inputTree(tasks(6_000_001)))).not.toContain('<svg class="chart"');
  });

  test("has all break points as text, with the user's marked", async () => {
    const { textsOf } = await shown(inputTree(tasks(1_800)));
    const points = textsOf("li");
    expect(points).toContain(
      "From 1,321 tasks a month: $39.00 with Professional, 1,500 tasks (you)",
    );
    expect(points).toContain("From 6,000,001 tasks a month: no listed plan");
  });
});
