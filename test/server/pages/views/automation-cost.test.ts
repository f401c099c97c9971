import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { AutomationCostInput, AutomationCostResult } from "../../../../schemas/index.ts";
import type { ViewContext } from "../../../../server/pages/view.ts";
import { automationCostView, planRow } from "../../../../server/pages/views/automation-cost.ts";
import { automationCostTool } from "../../../../src/automation-cost/automation-cost.ts";
import { automationCost } from "../../../../src/automation-cost/index.ts";
import { runTool } from "../../../../src/tool.ts";
import { tries } from "../../../support/runs.ts";
import { elementsOf, type PageElement } from "../../support/expect.ts";

const CONTEXT = { fileHref: undefined, priceBook: undefined, warnings: [] };

const run: ViewContext<AutomationCostResult>["run"] = (input, options) =>
  runTool(automationCostTool, input, options);

/** By default without other results beside this one. */
async function shown(input: AutomationCostInput, runOther: typeof run = () => undefined) {
  const result = automationCost(input);
  const { markup } = automationCostView.body(result, { ...CONTEXT, input, run: runOther });
  const elements = await elementsOf(markup);
  const textsOf = (tag: string) => elements.filter((e) => e.tag === tag).map(({ text }) => text);
  const withClass = (name: string) => elements.filter((e) => e.attributes.class === name);
  return { result, elements, textsOf, withClass };
}

/** One automation of one step, so that its runs are its tasks. */
const tasks = (count: number, more: Partial<AutomationCostInput> = {}): AutomationCostInput => ({
  zaps: [{ action_steps: 1, runs_per_month: count }],
  ...more,
});

describe("the cost's view lets a reader name the plan they have", () => {
  const planNow = async (input: AutomationCostInput) => {
    const { textsOf, elements } = await shown(input, run);
    const words = elements.filter((e) => e.attributes["data-choice"] !== undefined);
    return textsOf("option")
      .slice(1)
      .map((option, index) => [option, words[index]?.text]);
  };

  test.each([
    ["too small", tasks(300), 0, "Free, 100 tasks (not enough)", "is: Professional, 750"],
    ["the next", tasks(300), 1, "Professional, 750 tasks", "You have the cheapest plan already."],
    [
      "too small for extra tasks",
      tasks(3_000),
      1,
      "Professional, 750 tasks (not enough)",
      "It is not enough for these Zaps. The cheapest that is: Professional, 2,000 tasks",
    ],
    [
      "not for several people",
      tasks(300, { team: true }),
      1,
      "Professional, 750 tasks (not enough)",
      "The cheapest that is: Team, 2,000 tasks, $69.00 a month.",
    ],
  ])("%s", async (_, input, place, option, words) => {
    const [shownOption, shownWords] = (await planNow(input))[place] ?? [];
    expect(shownOption).toBe(option);
    expect(shownWords).toContain(words);
  });

  test("in Zapier's order, the same plans for any tasks", async () => {
    const plans = async (count: number) =>
      (await planNow(tasks(count))).map(([option]) => option?.replace(" (not enough)", ""));
    const all = await plans(1);
    expect(all.slice(0, 2)).toEqual(["Free, 100 tasks", "Professional, 750 tasks"]);
    expect(all.at(-1)).toStartWith("Team, ");
    expect(await plans(1_000_000)).toEqual(all);
  });
});

describe("the cost's view says in two sentences", () => {
  test.each([
    [
      tasks(1_300),
      "Professional, 750 tasks, $38.31 a month, including $18.32 for extra tasks",
      "For $0.69 a month more, Professional with 1,500 tasks includes all of them, with 200 tasks to spare and no bill for extra tasks.",
    ],
    [
      tasks(1_200),
      "Professional, 750 tasks, $34.98 a month, including $14.99 for extra tasks",
      "The next plan that covers all of them is Professional, 1,500 tasks, $39.00 a month: $4.02 more.",
    ],
    [
      tasks(2_000, { billing: "monthly" }),
      "Professional, 2,000 tasks, $73.50 a month",
      "It covers all of them, without extra tasks.",
    ],
    [
      tasks(100),
      "Free, 100 tasks, $0.00 a month",
      "It covers all of them, and there is nothing to pay.",
    ],
    [
      tasks(2_000_001),
      "Professional, 2,000,000 tasks, $3,389.00 a month, including less than a cent for extra tasks",
      "No listed plan covers all of them without extra tasks.",
    ],
    [
      tasks(6_000_001, { team: true }),
      "No listed plan is enough",
      "Zapier sells more as Enterprise, with a price on request.",
    ],
  ])("%j", async (input, answer, next) => {
    const { withClass, textsOf } = await shown(input);
    expect(withClass("answer").map(({ text }) => text)).toEqual([answer]);
    expect(textsOf("p")).toContain(next);
  });
});

test.each([
  [tasks(1_300), "1,300 tasks a month cost $38.31 on Professional."],
  [tasks(6_000_001), "No listed plan carries 6,000,001 tasks a month."],
])("the cost's view sums up %j", (input, summary) => {
  expect(automationCostView.summary(automationCost(input))).toBe(summary);
});

describe("the chart of plans", () => {
  test("has every plan once, the cheapest first and marked, all but a few folded away", async () => {
    const { result, textsOf, withClass } = await shown(tasks(1_300));
    expect(planNames(textsOf("th"))).toEqual(
      result.options.map((quote) => `${quote.title} ${grouped(quote.included_tasks)} tasks`),
    );
    expect(withClass("cheapest")).toHaveLength(2);
    expect(textsOf("th").find((text) => text.endsWith("cheapest"))).toBe(
      "Professional 750 tasks cheapest",
    );
    expect(textsOf("summary")).toEqual([
      "All break points",
      `${result.options.length - 4} more plans, up to $3,999.00 a month`,
      "Where the tasks come from",
      "Assumptions",
    ]);
  });

  test("folds nothing away where there are few plans", async () => {
    const { result, elements } = await shown(tasks(5_900_000));
    expect(result.options.length).toBeLessThan(5);
    expect(elements.filter(({ attributes }) => attributes.id === "other-plans")).toEqual([]);
  });

  test.each([
    [tasks(1_300), 0, ["$19.99 + $18.32 for 550 more", "checked on 2026-10-06"]],
    [tasks(1_300), 1, ["covers all tasks", "checked on 2026-02-06"]],
    [tasks(2_000_001), 0, ["$3,389.00 + less than a cent for 1 more", "checked on 2026-09-20"]],
    [
      tasks(200_000, { billing: "monthly", team: true }),
      0,
      ["covers all tasks", "derived from the annual price checked on 2026-02-06"],
    ],
  ])(
    "says what the price is made of and how it is known: %j, plan %i",
    async (input, plan, words) => {
      const { result, elements } = await shown(input);
      const cells = elements.filter(({ tag, text }) => tag === "td" && /checked on/.test(text));
      expect(result.options[plan]).toBeDefined();
      for (const text of words) expect(cells[plan]?.text).toContain(text);
    },
  );
});

test("where every plan is free, bars have no length", async () => {
  const [free] = automationCost(tasks(1)).options.map((quote) => planRow(quote, 0, false).markup);
  expect(widths(await elementsOf(free ?? ""))).toEqual([0, 0]);
});

test("the table of automations shows how their tasks add up", async () => {
  const { elements, textsOf } = await shown({
    zaps: [
      { name: "<i>One", action_steps: 3, runs_per_month: 400 },
      { action_steps: 1, runs_per_month: 1 },
    ],
  });
  const rows = elements.filter(({ tag }) => tag === "tr").map(({ text }) => text);
  expect(rows.slice(-3)).toEqual([
    "<i>One 3 steps × 400 runs1,200 100 %",
    "Automation 2 1 step × 1 run1 0 %",
    "Together1,201",
  ]);
  expect(textsOf("i")).toEqual([]);
});

test("every note is shown", async () => {
  const { result, textsOf } = await shown(tasks(1_300));
  expect(textsOf("li")).toEqual(result.notes);
});

const grouped = (value: number): string => new Intl.NumberFormat("en-US").format(value);

const planNames = (headings: readonly string[]): string[] =>
  headings
    .filter((text) => /^\D.*tasks(?: cheapest)?$/.test(text))
    .map((text) => text.replace(" cheapest", ""));

const widths = (bars: readonly PageElement[]): number[] =>
  bars
    .filter(({ tag }) => tag === "rect")
    .map(({ attributes: { width = "" } }) => {
      expect(width).toMatch(/^\d{1,3}(\.\d\d)?%$/);
      return Number.parseFloat(width);
    });

describe("the drawing of prices", () => {
  const bodyFor = (input: AutomationCostInput) =>
    automationCostView.body(automationCost(input), { ...CONTEXT, input, run }).markup;
  const circles = (markup: string, kind: string) =>
    [
      ...markup.matchAll(new RegExp(`<circle class="${kind}" cx="([\\d.]+)%" cy="([\\d.]+)"`, "g")),
    ].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));

  test("has the reader on the line, names the next change, and the Team plan's line", () => {
    const markup = bodyFor(tasks(1_800));
    expect(markup).toContain(
      'aria-label="Price a month against tasks a month. You: 1,800 tasks, $48.75. From 1,808 tasks on, Professional with 2,000."',
    );
    expect(circles(markup, "reader")).toEqual([{ x: 35.81, y: expect.any(Number) }]);
    expect(markup).toContain(">from 1,808: 2,000 tasks</text>");
    expect(markup).toContain('class="line team"');
    expect(bodyFor(tasks(1_800, { team: true }))).not.toContain('class="line team"');
  });

  test("stays within its edges, and has round ticks, for any number of tasks", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6_000_000 }), (count) => {
        const markup = bodyFor(tasks(count));
        for (const { x, y } of [...circles(markup, "reader"), ...circles(markup, "break")]) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(100);
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThanOrEqual(231);
        }
        expect(markup).not.toMatch(/NaN|Infinity|undefined/);
        expect(
          [...markup.matchAll(/<text x="0"[^>]*>\$[125]0*(?:,000)*</g)].length,
        ).toBeGreaterThan(0);
      }),
      tries(30),
    );
  });

  test("is left out where no plan carries the tasks", () => {
    expect(bodyFor(tasks(6_000_001))).not.toContain('<svg class="chart"');
  });

  test("has all break points as a table, with the reader's marked", async () => {
    const elements = await elementsOf(bodyFor(tasks(1_800)));
    const rows = elements.filter(
      ({ tag, text }) => tag === "tr" && /tasks|no listed plan/.test(text),
    );
    const texts = rows.map(({ text }) => text.replace(/\s+/g, " ").trim());
    expect(texts).toContain("1,321 Professional, 1,500 tasks: you$39.00");
    expect(texts).toContain("6,000,001 no listed plan");
  });
});
