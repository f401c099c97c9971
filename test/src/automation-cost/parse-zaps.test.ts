import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  calculateAutomationCost,
  type ParseZapsOptions,
  parseZaps,
} from "../../../src/automation-cost/index.ts";
import { rejection } from "../../support/rejection.ts";
import { tries } from "../../support/runs.ts";

/** What a file is read as: each Zap as "name: steps x runs", then its findings. */
function outcome(text: string, options?: ParseZapsOptions): string {
  const { zaps, without_runs, warnings } = parseZaps(text, options);
  return [
    ...zaps.map((zap) => `${zap.name}: ${zap.action_steps} x ${zap.runs_per_month}`),
    ...without_runs.map((zap) => `${zap.name}: ${zap.action_steps} x ?`),
    ...warnings.map(({ severity, code, path, message }) => {
      const place = path === "" ? "" : `${path}: `;
      return `${severity} ${code}: ${place}${message}`;
    }),
  ].join("\n");
}

describe("a table", () => {
  test.each([
    ["commas", "Leads,2,1000\nMail,1,40"],
    ["tabs and spaces in numbers", "Leads\t2\t1 000\nMail\t1\t40"],
    ["a heading", "Zap name,Action steps,Runs per month\nLeads,2,1000\nMail,1,40"],
    ["quotes", '"Leads","2","1,000"\n"Mail",1,40'],
    ["carriage returns alone", "Zap,Action steps,Runs\rLeads,2,1000\rMail,1,40\r"],
    ["blank rows", "\n;;\nZap;Action steps;Runs\n;;\nLeads;2;1000\n\nMail;1;40\n;;\n"],
    ["the heading of an input", "name,action_steps,runs_per_month\nLeads,2,1000\nMail,1,40"],
    [
      "bars, as Markdown has them",
      "| Zap | Action steps | Runs |\n|:--|--:|---|\n| Leads | 2 | 1,000 |\n  | Mail | 1 | 40 |  \n",
    ],
    [
      "Markdown in a text, with marks and a link",
      "My Zaps, in order:\n\nZap | Action steps, avg | Runs\n--- | --- | ---\n**Leads** | `2` | _1,000_\n[Mail](https://x.example) | 1 | 40\n\nThat is all, more or less",
    ],
    ["a column of states", "Zap,Status,Action steps,Runs\nLeads,On,2,1000\nMail,✅ on,1,40"],
    [
      "many empty columns",
      `Zap,Action steps,Runs${",".repeat(150)}\nLeads,2,1000${",".repeat(150)}\nMail,1,40${",".repeat(150)}`,
    ],
  ])("with %s is read", (_, text) => {
    expect(outcome(text)).toBe("Leads: 2 x 1000\nMail: 1 x 40");
  });

  test.each([
    ["Monthly runs,Owner,Action steps,Zap\n1000,me,2,Leads", '"Owner" is'],
    ["#,Month,Zap name,Action steps,Runs\n1,2026-10,Leads,2,1000", '"#" and "Month" are'],
    [
      "Zap,Action steps,Runs OK %,Last run,Runs\nLeads,2,98,46296,1000",
      '"Runs OK %" and "Last run" are',
    ],
    ["Zap\tAction steps\tRuns/day\tRuns/month\nLeads\t2\t33\t1,000", '"Runs/day" is'],
    ["Tasks\tAction steps\tRuns\tAutomation\n2,000\t2\t1,000\tLeads", '"Tasks" is'],
    ["Zap,Steps,Actions,Runs\nLeads,3,2,1000", '"Steps" is'],
  ])("names the columns that it ignores once: %j", (text, ignored) => {
    expect(outcome(text)).toBe(`Leads: 2 x 1000\ninfo read-as: ${ignored} ignored`);
  });

  test.each([
    ["Number of action steps", "Avg. runs per month"],
    ["Action count", "Runs (last 30 days)"],
    ["Tasks/run", "Runs/month"],
    ["Actions run", "Times a month"],
    // Each name that an input may use for a field heads its column as well.
    ["steps", "runs_a_month"],
    ["action_steps", "runs_per_month"],
  ])("takes %s and %s for the steps and the runs", (steps, runs) => {
    expect(outcome(`${runs};${steps};Zap\n30;2;Leads`)).toBe("Leads: 2 x 30");
  });

  test.each([
    ["Runs per day", "40", 1_240, "40/day"],
    ["Daily runs", "4,3", 134, "4,3/day"],
    ["Runs per weekday", "10", 230, "10/weekday"],
    ["Runs per week", "10", 50, "10/week"],
    ["Hourly runs", "~2", 1_488, "~2/hour"],
    ["Runs", "weekly", 5, "weekly"],
  ])("under %s reads %s as %d a month, and says so", (heading, cell, runs, rate) => {
    const said = `info read-as: ${rate} is read as ${runs.toLocaleString("en")} a month`;
    expect(outcome(`Zap;Action steps;${heading}\nA;2;${cell}`)).toBe(`A: 2 x ${runs}\n${said}`);
  });

  test.each([
    ["Zap name,Tasks used\nA,1200", "A: 1 x 1200", "Tasks used"],
    ["Zap\tTasks used\nA\t400\n\t", "A: 1 x 400", "Tasks used"],
    ["Zap,Steps,Tasks used\nA,20,30", "A: 1 x 30", "Tasks used"],
  ])("has the tasks that Zapier counted, as they are: %j", (text, zap, heading) => {
    expect(outcome(text)).toBe(
      `${zap}\ninfo read-as: "${heading}" is read as the tasks of a month, and each Zap as one action step`,
    );
  });

  test.each([
    ["without steps", "Zap,Frequency,Tasks/Month\nA,24/day,~30", "A: 1 x 30"],
    ["of a day", "Zap,Runs,Tasks per day\nA,24,2", "A: 1 x 62"],
    ["with steps, which count", "Zap,Action steps,Runs,Tasks/Month\nA,2,24,50", "A: 2 x 24"],
  ])("beside runs reads the tasks of a month: %s", (_, text, zap) => {
    expect(outcome(text).split("\n")[0]).toBe(zap);
  });

  test.each([
    ["Runs/min", 44_640],
    ["Runs per min", 44_640],
  ])("has the runs of a minute under %s", (heading, runs) => {
    expect(parseZaps(`Zap,Action steps,${heading}\nA,2,1`).zaps[0]?.runs_per_month).toBe(runs);
  });

  test.each(["Min runs", "Min. runs", "Runs (min)"])(
    "has no runs of a minute under %s",
    (heading) => {
      expect(rejection(() => parseZaps(`Zap,Action steps,${heading}\nA,2,10`))).toContain(
        "needs the columns",
      );
    },
  );

  test("warns of a Zap in several rows, as of several months", () => {
    expect(outcome("Zap,Action steps,Runs\nLeads,2,100\nLeads,2,120")).toBe(
      "Leads: 2 x 100\nLeads: 2 x 120\nwarning duplicate-zap-name: zaps[1]: has the same name as row 2; the runs of both rows count",
    );
  });

  test.each([
    ["Steps incl. trigger", 2],
    ["Steps (including the trigger)", 2],
    ["Number of steps, with trigger", 2],
    ["Steps + trigger", 2],
    ["Steps (trigger included)", 2],
    ["Steps excl. trigger", 3],
    ["Steps (without trigger)", 3],
  ])("with %s has %i of 3 steps as action steps", (heading, steps) => {
    const text = `Name\t${heading}\tRuns\nA\t3\t900\nB\t3\t100\nTotal\t6\t1000`;
    expect(parseZaps(text, { stepsIncludeTrigger: true }).zaps).toEqual([
      { name: "A", action_steps: steps, runs_per_month: 900 },
      { name: "B", action_steps: steps, runs_per_month: 100 },
    ]);
    expect(parseZaps(text)).not.toHaveProperty("ambiguous_steps_heading");
    const said = `1 is subtracted from each "${heading}", because a trigger is not a task`;
    expect(parseZaps(text).warnings.some(({ message }) => message === said)).toBe(steps === 2);
  });

  test("with Steps asks whether they count the trigger, unless it is told", () => {
    const text = "Zap,Steps,Runs\nA,3,100\nB,2,5";
    expect(parseZaps(text).ambiguous_steps_heading).toBe("Steps");
    expect(parseZaps(text, { stepsIncludeTrigger: false }).ambiguous_steps_heading).toBeUndefined();
  });

  test.each([
    ["the heading says it", "Zap,Action steps,Runs\nA,3,100"],
    ["a Zap would have no step", "Zap,Steps,Runs\nA,3,100\nB,1,5"],
    ["Zapier counted the tasks", "Zap,Steps,Tasks used\nA,3,100"],
  ])("does not ask where %s", (_, text) => {
    expect(parseZaps(text).ambiguous_steps_heading).toBeUndefined();
  });

  test("has no Zap of a trigger alone", () => {
    expect(outcome("Zap,Steps,Runs\nA,3,1\nB,1,5", { stepsIncludeTrigger: true })).toBe(
      'A: 2 x 1\ninfo zap-not-billed: row 3 ("B") is skipped: none of its steps counts as a task',
    );
  });

  const needsRuns = "its runs a month must be a whole number or a rate, such as 1,200 or 15/day";
  test.each([
    [
      "a comma without quotes",
      "Leads,2,1,200",
      "it has 4 cells, expected 3; put quotes around a cell that contains the separator",
    ],
    ["a fraction", "Leads,2,12.5", `${needsRuns}, not "12.5"`],
    [
      "far too many digits",
      `Leads,2,${"9".repeat(400)}`,
      `${needsRuns}, not "${"9".repeat(100)}…"`,
    ],
    [
      "two such cells",
      "Leads,two,often",
      `its action steps must be a whole number, such as 2, not "two", and ${needsRuns}, not "often"`,
    ],
    ["no step", "Leads,0,5", 'its action steps must be at least 1, not "0"'],
    [
      "too many runs",
      "Leads,2,46296000",
      'its runs a month must be at most 10,000,000, not "46296000"',
    ],
    ["no steps, and runs that are no sum", "Leads,,5", "its action steps must not be blank"],
  ])("leaves out a row with %s, and says which", (_, row, reason) => {
    expect(outcome(`Zap,Action steps,Runs\n\nMail,1,40\n${row}`)).toBe(
      `Mail: 1 x 40\nwarning row-skipped: row 4 ("Leads") is skipped: ${reason}`,
    );
  });

  test("says where the rows that it cannot read were, and what is in their cells", () => {
    const text = "Zap,Action steps,Runs,Status\n,1,~5,on\nA,1,5,on\nB,2,often,on\nC,2,7,maybe";
    const { zaps, skipped_rows } = parseZaps(text);
    expect(zaps).toEqual([
      { action_steps: 1, runs_per_month: 5 },
      { name: "A", action_steps: 1, runs_per_month: 5 },
    ]);
    expect(skipped_rows).toMatchObject([
      {
        name: "B",
        action_steps: "2",
        runs_per_month: "often",
        index: 2,
      },
      { name: "C", action_steps: "2", runs_per_month: "", index: 2 },
    ]);
    const daily = "Zap,Steps,Runs per day\nA,two,40\nB,3,often";
    expect(parseZaps(daily, { stepsIncludeTrigger: true }).skipped_rows).toMatchObject([
      { action_steps: "two", runs_per_month: "1240" },
      { action_steps: "2", runs_per_month: "often" },
    ]);
  });

  test.each([
    ["Status,⏸ off", "info zap-not-billed", "it is switched off"],
    ["Status,", "warning row-skipped", "its status must be on or off"],
    ["State,vielleicht", "warning row-skipped", 'its status must be on or off, not "vielleicht"'],
  ])("takes %s for what it says", (column, code, reason) => {
    const [heading, cell] = column.split(",");
    expect(outcome(`Zap,Action steps,Runs,${heading}\nA,1,5,on\nB,1,6,${cell}`)).toBe(
      `A: 1 x 5\n${code}: row 3 ("B") is skipped: ${reason}`,
    );
  });

  const zap = (name: string | number, runs: number) => `| ${name} | 1 | ${runs} | |\n`;
  const heading = "| Zap | Action steps | Runs | Tasks |\n|---|---|---|---|\n";
  const nine = [1_000, 2_000, 3_000, 1_365, 500, 500, 500, 250, 250];
  const used = (...rows: readonly string[]) => ["Zap,Tasks used", ...rows].join("\n");
  test.each([
    [
      "named so",
      `${heading}${nine.map((runs, at) => zap(at, runs)).join("")}| **Total** | | | 9,365 |`,
      9_365,
      "Total",
    ],
    [
      "a sum of runs",
      "Zap,Action steps,Runs\nA,2,1\nB,2,2\nC,3,3\nAltogether,,6",
      15,
      "Altogether",
    ],
    [
      "a sum of tasks",
      "Zap,Action steps,Runs\nA,2,1\nB,2,2\nC,3,3\nAltogether,,15",
      15,
      "Altogether",
    ],
    [
      "a sum of tasks used, beside a cell that cannot be read",
      used("A,100", "B,100", "C,often", "Altogether,200"),
      200,
      "Altogether",
    ],
    [
      "a subtotal among them",
      used("A,100", "Subtotal,100", "B,50", "C,50", "Everything,200"),
      200,
      "Everything",
    ],
  ])("leaves out a total: %s", (_, text, tasks, name) => {
    const { zaps, warnings } = parseZaps(text);
    expect(calculateAutomationCost({ zaps }).monthly_tasks).toBe(tasks);
    const said = `("${name}") is skipped: it is the total of other rows`;
    expect(warnings.map(({ message }) => message).join("\n")).toContain(said);
  });

  test.each([
    [
      "a name with more words",
      "Zap,Action steps,Runs\nDaily summary,1,5\nTotal sales report,2,5",
      15,
    ],
    ["two that use as much", used("A,100", "B,100"), 200],
    ["three of which the last is the sum", used("A,50", "B,50", "C,100"), 200],
    ["steps of its own", "Zap,Action steps,Runs\nA,1,1\nB,1,2\nC,1,3\nD,1,6", 12],
    ["tasks used, and steps", "Zap,Steps,Tasks used\nA,1,1\nB,1,2\nC,1,3\nD,1,6", 12],
    ["a place that is not the last", used("A,1", "B,2", "C,3", "D,6", "E,1"), 13],
    ["no tasks", used("A,0", "B,0", "C,0", "D,0"), 0],
  ])("counts a Zap that may look like a total: %s", (_, text, tasks) => {
    const { zaps, warnings } = parseZaps(text);
    expect(calculateAutomationCost({ zaps }).monthly_tasks).toBe(tasks);
    expect(warnings.filter(({ code }) => code === "zap-not-billed")).toEqual([]);
  });

  const much = 300_000;
  test.each([
    ["digits", `A,1,"${"1".repeat(much)}\nx"`],
    ["marks", `${"*".repeat(much)}x*,1,often`],
    ["blank lines", `${"\n".repeat(much)}A,1,often`],
  ])("reads a cell of many %s quickly", (_, row) => {
    const before = process.cpuUsage();
    expect(parseZaps(`Zap,Action steps,Runs\n${row}`).skipped_rows).toHaveLength(1);
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });

  test.each([
    ["quotes and a line break in a quoted name", '"A, ""b""\nc",1,2', 'A, "b"\nc'],
    ["semicolons in a quoted name", '"Leads; new",2,1000\nMail,1,40', "Leads; new"],
    ["commas in all names", "Leads, new;2;1000\nMail, old;1;40", "Leads, new"],
    ["a bracket", "Zap,Action steps,Runs\n[CRM] Leads,2,1000", "[CRM] Leads"],
    ["a bar in Markdown", "| Leads \\| new | 2 | 1000 |", "Leads | new"],
  ])("with %s keeps the name", (_, text, name) => {
    expect(parseZaps(text).zaps[0]?.name).toBe(name);
  });

  test("reads what a spreadsheet writes, whatever the names are", () => {
    const zap = fc.record({
      // A carriage return becomes a line feed.
      name: fc
        .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
        .map((name) => `x${name.replaceAll("\r", "").trim()}`),
      action_steps: fc.integer({ min: 1, max: 100 }),
      runs_per_month: fc.integer({ min: 0, max: 10_000_000 }),
    });
    const table = fc.record({
      zaps: fc.array(zap, { minLength: 1, maxLength: 12 }),
      separator: fc.constantFrom(",", ";", "\t"),
      newline: fc.constantFrom("\n", "\r\n", "\r"),
    });
    const property = fc.property(table, ({ zaps, separator, newline }) => {
      const rows = zaps.map(({ name, action_steps, runs_per_month }) => {
        const quoted = /[\s"',;]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
        return [quoted, action_steps, runs_per_month].join(separator);
      });
      const text = [["Zap", "Action steps", "Runs"].join(separator), ...rows, ""].join(newline);
      expect(parseZaps(text).zaps).toEqual(zaps);
    });
    fc.assert(property, tries(200));
  });
});

interface Step {
  readonly after?: string;
  readonly app?: string;
}

type Steps = Readonly<Record<string, Step>>;

/** A zapfile as Zapier exports it, with secrets wherever it may have them. */
const zapfile = (...zaps: readonly (readonly [title: string, steps: Steps, status?: string])[]) =>
  JSON.stringify({
    metadata: { version: "gdpr_v1", exported_by: "SECRET@site.test" },
    zaps: zaps.map(([title, steps, status = "on"], index) => ({
      id: index,
      title,
      status,
      description: "SECRET description",
      nodes: Object.fromEntries(
        Object.entries(steps).map(([id, { after, app = "SlackCLIAPI@1.30.2" }]) => [
          id,
          {
            id: Number(id),
            parent_id: after === undefined ? null : Number(after),
            root_id: 1,
            type_of: after === undefined ? "read" : "write",
            selected_api: app,
            action: "SECRET_action",
            params: { token: "SECRET_token", channel: "SECRET_channel" },
            authentication_id: "SECRET_authentication",
            meta: { note: "SECRET" },
          },
        ]),
      ),
    })),
  });

const trigger = { app: "TypeformCLIAPI@1.0.0" };
const one = { 1: trigger, 2: { after: "1" } };
const branches = { after: "1", app: "BranchingAPI" };
const paths = { 1: trigger, 2: branches, 3: { after: "2" }, 4: { after: "2" } };
/** A trigger and so many steps one after the other. */
const chain = (length: number) =>
  Object.fromEntries([
    ["1", trigger],
    ...Array.from({ length }, (_, at) => [String(at + 2), { after: String(at + 1) }]),
  ]);

describe("a zapfile", () => {
  const free = (app: string) => ({ 1: trigger, 2: { after: "1", app }, 3: { after: "2" } });
  const cases: [string, Steps, number][] = [
    ["a trigger and two actions", chain(2), 2],
    ["as many actions as the calculator takes", chain(100), 100],
    ["a filter, which is free", free("FilterAPI@1"), 1],
    ["a formatter, which is free", free("ZapierFormatterCLIAPI@1.0.4"), 1],
    ["a table, which is free", free("TableCLIAPI@1.21.0"), 1],
    ["steps in any order", { 3: { after: "2" }, 2: { after: "1" }, 1: trigger }, 2],
  ];
  test.each(cases)("with %s has its action steps", (_, steps, action_steps) => {
    expect(outcome(zapfile(["A", steps]), { defaultRuns: 7 })).toBe(`A: ${action_steps} x 7`);
  });

  test("has its runs by its title, and may lack them", () => {
    const titles = ["A", "constructor", "__proto__", "A", " "];
    const text = zapfile(...titles.map((title) => [title, one] as const));
    const runs = JSON.parse('{"A":9,"__proto__":8}');
    expect(outcome(text, { runs })).toBe(
      "A: 1 x 9\n__proto__: 1 x 8\nA: 1 x 9\nconstructor: 1 x ?\nZap without a title: 1 x ?",
    );
    const { zaps } = parseZaps(text, { runs, defaultRuns: 0 });
    expect(calculateAutomationCost({ zaps }).monthly_tasks).toBe(26);
    expect(rejection(() => parseZaps(text, { runs: { B: 1 } }))).toBe('has no Zap named "B"');
  });

  test("keeps a step whose id is a name that every object has", () => {
    const text = zapfile(["Leads", chain(2)]).replace('"3":', '"constructor":');
    expect(outcome(text)).toBe("Leads: 2 x ?");
  });

  const NEITHER = "warning zap-skipped: its status is neither on nor off";
  const UNORDERED = "warning zap-skipped: its steps do not all follow one trigger";
  const findings: [string, Steps, string, string][] = [
    ["is off", one, "off", "info zap-not-billed: it is switched off"],
    ["is paused", one, "paused", NEITHER],
    [
      "has a filter alone",
      { 1: trigger, 2: { after: "1", app: "FilterAPI" } },
      "on",
      "info zap-not-billed: none of its steps counts as a task",
    ],
    ["has a step without a place", { 1: trigger, 2: {} }, "on", UNORDERED],
    ["has a step after none", { 1: trigger, 2: { after: "9" } }, "on", UNORDERED],
    ["has a loop", { 2: { after: "3" }, 3: { after: "2" } }, "on", UNORDERED],
  ];
  test.each(findings)("that %s is left out", (_, steps, status, finding) => {
    const [code, reason] = finding.split(": ");
    expect(outcome(zapfile(["A", steps, status], ["On", one]), { defaultRuns: 1 })).toBe(
      `On: 1 x 1\n${code}: "A" is skipped: ${reason}`,
    );
  });

  const warned: [string, Steps, string][] = [
    [
      "Paths",
      paths,
      "A: 1 x 1\nwarning paths-longest-branch: zaps[0]: has Paths: its longest branch has 1 action step, all branches together have 2",
    ],
    [
      "Paths in Paths",
      {
        ...paths,
        5: { ...branches, after: "4" },
        6: { after: "5" },
        7: { after: "5" },
        8: { after: "7" },
      },
      "A: 3 x 1\nwarning paths-longest-branch: zaps[0]: has Paths: its longest branch has 3 action steps, all branches together have 5",
    ],
    [
      "a loop",
      { 1: trigger, 2: { after: "1", app: "ZapierLoopingCLIAPI@1" }, 3: { after: "2" } },
      "A: 1 x 1\nwarning step-uses-more-tasks: zaps[0]: may use more or fewer tasks than counted here, because of the steps of a loop, which count once for each item",
    ],
    [
      "AI by Zapier and Code",
      { 1: trigger, 2: { after: "1", app: "AICLIAPI@1" }, 3: { after: "2", app: "CodeCLIAPI@1" } },
      "A: 2 x 1\nwarning step-uses-more-tasks: zaps[0]: may use more or fewer tasks than counted here, because of AI by Zapier, Code by Zapier",
    ],
  ];
  test.each(warned)("with %s has a warning", (_, steps, expected) => {
    const text = zapfile(["A", steps]);
    expect(outcome(text, { defaultRuns: 1 })).toBe(expected);
    expect(outcome(text)).toBe(
      expected.replace("x 1", "x ?").replace("zaps[0]", "without_runs[0]"),
    );
  });

  test("may have as many Zaps as the calculator takes", () => {
    const zaps = Array.from({ length: 1_000 }, (_, at) => [`A${at}`, one] as const);
    expect(parseZaps(zapfile(...zaps)).without_runs).toHaveLength(1_000);
  });

  test("gives away nothing but titles, states and kinds of steps", () => {
    const text = zapfile(["Leads", one], ["Off", one, "off"], ["Paths", paths]);
    const results = [
      JSON.stringify(parseZaps(text)),
      rejection(() => parseZaps(text.replace("gdpr_v1", "SECRET_version"))),
      rejection(() => parseZaps(text.slice(0, -40))),
    ];
    expect(results.join("\n")).not.toContain("SECRET");
  });
});

describe("no Zaps are read from", () => {
  const NEED =
    "needs the columns Zap, Action steps and Runs per month, or Zap and Tasks used, each once; it has";
  const NOT_ZAPFILE = "is JSON, but not the zapfile.json (gdpr_v1) of Zapier's export";
  const MIB = 1_024 * 1_024;
  test.each([
    ["nothing", "", `${NEED} none`],
    [
      "a date in place of the runs",
      "Zap,Steps,Last run\nLeads,2,46296",
      `${NEED} "Zap", "Steps" and "Last run"`,
    ],
    ["Zaps without runs", "Zap,Trigger,Actions,Status\nLeads,Form,2,on", NEED],
    ["two columns of runs", "Zap,Steps,Runs,Monthly runs\nLeads,2,900,30", NEED],
    [
      "a heading that repeats often, of which it names a few",
      `Zap,Steps${",Runs".repeat(100_000)}\nLeads,2`,
      `${NEED} "Zap", "Steps", "Runs" and 99,999 more`,
    ],
    ["tasks beside runs, which may be those of one run", "Zap,Tasks,Runs\nLeads,4,200", NEED],
    ["months as columns", "Zap,2026-09,2026-10\nLeads,90,100", NEED],
    ["a title above the heading", "Last 90 days\nZap,Action steps,Runs\nA,1,5", NEED],
    [
      "a quote that does not close",
      'Zap,Steps,Runs\nA,1,2\n"B,1,2\nC,1,2',
      "has a cell in row 3 that begins with a quote but does not end with one",
    ],
    ["text behind a quote", 'Zap,Steps,Runs\n"B" b,1,2\nC,1,2', "has a cell in row 2 that begins"],
    [
      "more Zaps than the calculator takes",
      `Zap,Steps,Runs\n${"A,1,1\n".repeat(1_001)}`,
      "has 1,001 Zaps; the calculator accepts at most 1,000",
    ],
    ["more than 1 MiB", `A,1,1\n${"x".repeat(MIB)}`, "is larger than 1 MiB"],
    [
      "a ZIP archive",
      "PK\u0003\u0004rest",
      "is a ZIP archive; unpack it and use the zapfile.json in it",
    ],
    ["broken JSON", "{", "is not valid JSON"],
    ["other JSON", '{"name":"x"}', NOT_ZAPFILE],
    ["an old version", zapfile(["A", one]).replace("gdpr_v1", "1.0"), NOT_ZAPFILE],
    [
      "Zaps without nodes",
      '{"metadata":{"version":"gdpr_v1"},"zaps":[{"title":"A"}]}',
      NOT_ZAPFILE,
    ],
    ["more than 8 MiB of JSON", `[${" ".repeat(8 * MIB)}]`, "is larger than 8 MiB"],
  ])("%s", (_, text, message) => {
    expect(rejection(() => parseZaps(text))).toContain(message);
  });
});
