import { describe, expect, test } from "bun:test";
import { renderToString } from "preact-render-to-string";
import { automationCostPage as page } from "../../../../server/pages/automation-cost/automation-cost-page.tsx";
import { parsePastedZaps } from "../../../../server/pages/automation-cost/parse-pasted-zaps.ts";
import {
  costFormFields,
  TOTAL_TASKS,
  toCostInput,
} from "../../../../server/pages/automation-cost/zap-form.ts";
import { evaluateForm, TOUCHED_FIELDS } from "../../../../server/pages/form/form-state.ts";
import {
  ensureRows,
  type FormValues,
  toFormValues,
  toInput,
} from "../../../../server/pages/form/form-values.ts";
import { applyIntent } from "../../../../server/pages/form/intents.ts";
import { automationCostTool } from "../../../../src/automation-cost/automation-cost.ts";
import { runTool, withExtendedLimits } from "../../../../src/tool.ts";
import { elementsOf } from "../../support/expect.ts";

const tool = withExtendedLimits(automationCostTool);

const node = (parent_id: number | null, selected_api = "SlackCLIAPI@1") => ({
  parent_id,
  selected_api,
  params: { token: "SECRET" },
});
const one = { 1: node(null), 2: node(1) };
const paths = { ...one, 3: node(2, "BranchingAPI"), 4: node(3), 5: node(3) };
const zapfile = JSON.stringify({
  metadata: { version: "gdpr_v1" },
  zaps: [
    { title: "Leads", status: "on", nodes: one },
    { title: "Forks", status: "on", nodes: paths },
    { title: "Old", status: "off", nodes: one },
  ],
});

/** What a text makes of a form. */
async function read(text: string, name = "", tree: FormValues = new Map()) {
  const outcome = await parsePastedZaps(text, name, tree);
  if ("reason" in outcome) return { reason: outcome.reason, tree };
  const { notice, details } = outcome;
  return { notice, details, focus: outcome.change(tree), tree };
}

const zapsOf = (tree: FormValues) => toInput(tree, costFormFields).input.zaps;

/** The outcome in a line, the questions above the grid, and the messages in it. */
async function shown(tree: FormValues) {
  const host = {
    baseUrl: "",
    run: (input: unknown) => ({ result: runTool(tool, input) }),
  };
  const state = evaluateForm(page, host, tree);
  const elements = await elementsOf(renderToString(page.view({ state })));
  const boxes = elements.filter((e) => e.attributes.class === "to-check").map(({ text }) => text);
  const notes = state.messages.map(({ place, message }) => `${place}: ${message}`);
  return { boxes, notes, tasks: state.result?.monthly_tasks, summary: page.summary(state) };
}

describe("a zapfile", () => {
  test("fills in its Zaps, asks for their runs, and says what was left out", async () => {
    const { tree, focus, notice, details } = await read(zapfile);
    expect(notice).toBe("Read 2 Zaps.");
    expect(details).toEqual([
      "“Forks” has Paths: its longest branch has 2 action steps, all branches together have 3.",
      "“Old” is skipped: it is switched off.",
    ]);
    expect(focus).toBe("runs_for_all");
    expect(await shown(tree)).toEqual({
      boxes: ["Runs a month for all that have none"],
      notes: [],
      tasks: undefined,
      summary: "Now enter how often Zap 1 runs in a month.",
    });
    expect(JSON.stringify([...tree])).not.toContain("SECRET");
  });

  test.each([
    ["1,200", 1_200],
    ["4k", 4_000],
    ["2/week", 10],
  ])("has runs for all that have none: %s", async (text, runs_per_month) => {
    const { tree } = await read(zapfile);
    Object(tree.get("zaps")).get("0").set("runs_per_month", "9");
    expect(toCostInput(tree.set("runs_for_all", text)).input.zaps).toEqual([
      { name: "Leads", action_steps: 1, runs_per_month: 9 },
      { name: "Forks", action_steps: 2, runs_per_month },
    ]);
  });
});

test.each([
  ["4.5k", 4_500],
  ["4,000 tasks a month", 4_000],
  ["150/day", 4_650],
  ["2.5 million", 2_500_000],
])("%j in the last row is all tasks a month", (text, runs_per_month) => {
  const { input, issues } = toCostInput(new Map([[TOTAL_TASKS, text]]));
  expect(issues).toEqual([]);
  expect(input.zaps).toEqual([{ name: "All my Zaps", action_steps: 1, runs_per_month }]);
});

const NO_TASKS = "How many tasks is that? Type a number, such as 1,200.";

test.each([
  ["4,00", NO_TASKS],
  ["4.5", NO_TASKS],
  ["1e3", NO_TASKS],
  ["about 4000", NO_TASKS],
  ["-4", "must be at least 0"],
])("%j in the last row is no number of tasks", async (text, problem) => {
  const form = new Map([
    [TOTAL_TASKS, text],
    [TOUCHED_FIELDS, "*"],
  ]);
  expect((await shown(form)).notes).toEqual([`Tasks a month: ${problem}`]);
});

test("a Zap counts in place of the last row", () => {
  const form = toFormValues(page.contract.example_input, costFormFields).set(TOTAL_TASKS, "9");
  expect(toCostInput(form).input).toEqual(toInput(form, costFormFields).input);
});

test("a table without the columns has a reason", async () => {
  expect(await read("Zap,Steps,Last run\nLeads,400,200")).toMatchObject({
    reason: expect.stringContaining(
      'This file needs the columns Zap, Action steps and Runs per month, or Zap and Tasks used, each once; it has "Zap", "Steps" and "Last run".',
    ),
  });
});

describe("a row with a cell that cannot be read", () => {
  const table = "Leads,2,1000\nMail,1,often\nSales,2,3,4\nOffers,1,1.2k\nTotal,,\n";

  test("keeps its place, is asked for at the cell, and is not counted", async () => {
    const { tree, notice, details } = await read(table);
    expect(notice).toBe("Read 4 Zaps.");
    expect(details).toEqual(["Row 5 (“Total”) is skipped: it is the total of other rows."]);
    expect(zapsOf(tree)).toEqual([
      { name: "Leads", action_steps: 2, runs_per_month: 1_000 },
      { name: "Mail", action_steps: 1, runs_per_month: "often" },
      { name: "Sales" },
      { name: "Offers", action_steps: 1, runs_per_month: "1.2k" },
    ]);
    expect(await shown(tree)).toEqual({
      boxes: [],
      notes: [
        "Zap 2, Runs a month: How often does it run? Type a number, 2/day or weekly.",
        "Zap 3, Steps: How many action steps does it have? Type a number, such as 2.",
        "Zap 3, Runs a month: How often does it run? Type a number, 2/day or weekly.",
      ],
      tasks: 3_200,
      summary: "3,200 tasks a month\n2 Zaps not counted",
    });
  });

  test("is counted once its cell can be read", async () => {
    const { tree } = await read(table);
    Object(tree.get("zaps")).get("1").set("runs_per_month", "weekly");
    expect(await shown(tree)).toMatchObject({
      tasks: 3_205,
      summary: "3,205 tasks a month\n1 Zap not counted",
    });
  });

  test("has no message while it is typed", async () => {
    const tree = toFormValues(page.contract.example_input, costFormFields);
    ensureRows(tree, ["zaps", "2"]).set("name", "Third");
    const { notes, summary } = await shown(tree);
    expect(notes).toEqual([]);
    expect(summary).toEndWith("\n1 Zap not counted");
  });
});

test.each([
  ["a rate stays as it was written", "Zap,Action steps,Runs\nLeads,2,15/day", "15/day"],
  ["but not one with its unit in the heading", "Zap,Action steps,Runs per day\nLeads,2,15", "465"],
])("%s", async (_, table, runs) => {
  const { tree } = await read(table);
  expect(Object(tree.get("zaps")).get("0").get("runs_per_month")).toBe(runs);
});

describe("a column that may count the trigger", () => {
  const table = "Zap,Steps,Runs\nLeads,3,1000\nMail,2,500";

  test.each([
    ["subtract triggers", [2, 1]],
    ["keep steps", [3, 2]],
  ])("is asked about once: %s", async (answer, steps) => {
    const { tree, notice } = await read(table);
    expect(notice).toBe("Read 2 Zaps.");
    expect((await shown(tree)).boxes).toEqual(["Does “Steps” count the trigger?"]);
    applyIntent(tree, answer, page);
    expect(toCostInput(tree).input.zaps).toMatchObject(
      steps.map((action_steps) => ({ action_steps })),
    );
    expect((await shown(tree)).boxes).toEqual([]);
  });

  test("is not asked about where the heading says it", async () => {
    const { tree } = await read("Zap,Action steps,Runs\nLeads,3,1000");
    expect((await shown(tree)).boxes).toEqual([]);
  });

  test("is that of the read Zaps alone", async () => {
    const tree = toFormValues({ zaps: [{ action_steps: 9, runs_per_month: 1 }] }, costFormFields);
    applyIntent((await read(`${table}\nX,some,9`, "", tree)).tree, "subtract triggers", page);
    expect(zapsOf(tree)).toMatchObject([
      { action_steps: 9 },
      { action_steps: 2 },
      { action_steps: 1 },
      { action_steps: "some" },
    ]);
  });
});

describe("Zaps that the form has already", () => {
  const typed = () =>
    toFormValues({ zaps: [{ name: "Mine", action_steps: 1, runs_per_month: 7 }] }, costFormFields);

  test.each([
    [
      "the same table",
      "Leads,2,1000\nMail,1,40",
      [7, 1_000, 40],
      "2 Zaps that you had are replaced.",
    ],
    [
      "a corrected table",
      "Mail,1,50\nNew,1,9",
      [7, 1_000, 50, 9],
      "1 Zap that you had is replaced.",
    ],
    [
      "a row that cannot be read",
      "New,1,9\nMail,1,often",
      [7, 1_000, 9, "often"],
      "1 Zap that you had is replaced.",
    ],
  ])("are replaced: %s", async (_, text, runs, detail) => {
    const { tree } = await read("Leads,2,1000\nMail,1,40", "", typed());
    const again = await read(text, "zaps[0].name", tree);
    expect(zapsOf(tree)).toMatchObject(runs.map((runs_per_month) => ({ runs_per_month })));
    expect(again.details).toEqual([detail]);
  });

  test("are known by their numbers where a table has no names", async () => {
    const { tree } = await read("Action steps,Runs\n2,1000\n1,40", "", typed());
    await read("Action steps,Runs\n2,1000\n1,50", "", tree);
    expect(zapsOf(tree)).toMatchObject(
      [7, 40, 1_000, 50].map((runs_per_month) => ({ runs_per_month })),
    );
  });

  test("keep the runs that a zapfile does not have", async () => {
    const { tree } = await read(zapfile);
    Object(tree.get("zaps")).get("0").set("runs_per_month", "9");
    await read(zapfile, "", tree);
    expect(zapsOf(tree)).toMatchObject([
      { name: "Leads", runs_per_month: 9 },
      { name: "Forks", action_steps: 2 },
    ]);
  });

  test("count twice where one table has them twice", async () => {
    const { tree } = await read("Leads,2,1000\nLeads,2,1000");
    expect(zapsOf(tree)).toHaveLength(2);
  });
});

describe("what is pasted into the grid", () => {
  test.each([
    [
      "a language that we do not know",
      "Name\tSchritte\tLäufe (30 Tage)\nA\t3\t900\nB\t2\t100\nTotal\t5\t1000",
    ],
    ["commas", "Name,What it does,How many\nA,3,900\nB,2,100\nTotal,,1000"],
    ["a title", "My Zaps\nA\t3\t900\nB\t2\t100"],
  ])("is added without its headings and its total: %s", async (_, text) => {
    const { tree } = await read(text, "zaps[0].name");
    expect(zapsOf(tree)).toEqual([
      { name: "A", action_steps: 3, runs_per_month: 900 },
      { name: "B", action_steps: 2, runs_per_month: 100 },
    ]);
  });

  test("is a list of names where no line has numbers", async () => {
    const { tree } = await read("Leads, new\nMail 2", "zaps[0].name");
    expect(zapsOf(tree)).toMatchObject([{ name: "Leads, new" }, { name: "Mail 2" }]);
  });

  test.each([
    ["a column", "100\n1.2k\n300", "zaps[0].runs_per_month"],
    ["some columns", "2\t100\n3\t1.2k\n1\t300\n", "zaps[0].action_steps"],
  ])("fills the cells from there on where it is %s", async (_, text, name) => {
    const example = toFormValues(page.contract.example_input, costFormFields);
    const { tree } = await read(text, name, example);
    expect(zapsOf(tree)).toMatchObject([
      { name: "New lead to CRM and chat", runs_per_month: 100 },
      { name: "Invoice to accounting", action_steps: 3, runs_per_month: "1.2k" },
      { runs_per_month: 300 },
    ]);
  });

  test("is counted where it is too long", async () => {
    expect(await read("x\n".repeat(20_000), "zaps[0].name")).toMatchObject({
      reason: "You pasted 20,000 lines; the calculator accepts at most 1,000 Zaps.",
    });
  });
});
