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
    ["blank rows", "\n;;\nZap;Action steps;Runs\n;;\nLeads;2;1000\n\nMail;1;40\n;;\n"],
    [
      "bars",
      "| Zap | Action steps | Runs |\n|:--|--:|---|\n| Leads | 2 | 1,000 |\n  | Mail | 1 | 40 |\n",
    ],
    [
      "Markdown",
      "Mine:\n\nZap | Action steps | Runs\n--- | --- | ---\n**Leads** | `2` | _1,000_\n[Mail](https://x.example) | 1 | 40\n\nThat is all",
    ],
    ["a column of states", "Zap,Status,Action steps,Runs\nLeads,On,2,1000\nMail,✅ on,1,40"],
  ])("with %s is read", (_, text) => {
    expect(outcome(text)).toBe("Leads: 2 x 1000\nMail: 1 x 40");
  });

  test.each([
    ["Monthly runs,Owner,Action steps,Zap\n1000,me,2,Leads", '"Owner" is'],
    ["Zap\tAction steps\tRuns/day\tRuns/month\nLeads\t2\t33\t1,000", '"Runs/day" is'],
    ["Zap,Steps,Actions,Runs\nLeads,3,2,1000", '"Steps" is'],
  ])("names the columns that it ignores once: %j", (text, ignored) => {
    expect(outcome(text)).toBe(`Leads: 2 x 1000\ninfo read-as: ${ignored} ignored`);
  });

  test.each([
    ["Number of action steps", "Avg. runs per month"],
    // Each name that an input may use for a field heads its column as well.
    ["steps", "runs_a_month"],
    ["action_steps", "runs_per_month"],
  ])("takes %s and %s for the steps and the runs", (steps, runs) => {
    expect(outcome(`${runs};${steps};Zap\n30;2;Leads`)).toBe("Leads: 2 x 30");
  });

  test.each([
    ["Daily runs", "4,3", 134, "4,3/day"],
    ["Runs per weekday", "10", 230, "10/weekday"],
    ["Hourly runs", "~2", 1_488, "~2/hour"],
    ["Runs", "weekly", 5, "weekly"],
  ])("under %s reads %s as %d a month, and says so", (heading, cell, runs, rate) => {
    const said = `info read-as: ${rate} is read as ${runs.toLocaleString("en")} a month`;
    expect(outcome(`Zap;Action steps;${heading}\nA;2;${cell}`)).toBe(`A: 2 x ${runs}\n${said}`);
  });

  test.each([
    ["Zap name,Tasks used\nA,1200", "A: 1 x 1200", "Tasks used"],
    ["Zap,Steps,Tasks used\nA,20,30", "A: 1 x 30", "Tasks used"],
  ])("has the tasks that Zapier counted, as they are: %j", (text, zap, heading) => {
    expect(outcome(text)).toBe(
      `${zap}\ninfo read-as: "${heading}" is read as the tasks of a month, and each Zap as one action step`,
    );
  });

  test.each([
    ["of a day", "Zap,Runs,Tasks per day\nA,24,2", "A: 1 x 62"],
    ["with steps, which count", "Zap,Action steps,Runs,Tasks/Month\nA,2,24,50", "A: 2 x 24"],
  ])("beside runs reads the tasks of a month: %s", (_, text, zap) => {
    expect(outcome(text).split("\n")[0]).toBe(zap);
  });

  test("warns of a Zap in several rows, as of several months", () => {
    expect(outcome("Zap,Action steps,Runs\nLeads,2,100\nLeads,2,120")).toBe(
      "Leads: 2 x 100\nLeads: 2 x 120\nwarning duplicate-zap-name: zaps[1]: has the same name as row 2; the runs of both rows count",
    );
  });

  test.each([
    ["Steps (including the trigger)", 2],
    ["Steps + trigger", 2],
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
    ["Zapier counted the tasks", "Zap,Steps,Tasks used\nA,3,100"],
  ])("does not ask where %s", (_, text) => {
    expect(parseZaps(text).ambiguous_steps_heading).toBeUndefined();
  });

  test("has no Zap of a trigger alone", () => {
    expect(outcome("Zap,Steps,Runs\nA,3,1\nB,1,5", { stepsIncludeTrigger: true })).toBe(
      'A: 2 x 1\ninfo zap-not-billed: row 3 ("B") is skipped: none of its steps counts as a task',
    );
  });

  test.each([
    ["a comma without quotes", "Leads,2,1,200", /it has 4 cells, expected 3; put quotes around/],
    ["a fraction", "Leads,2,12.5", /its runs a month must be a whole number or a rate, .* "12.5"/],
    ["no step", "Leads,0,5", /its action steps must be at least 1, not "0"$/],
    ["no steps, and runs that are no sum", "Leads,,5", /its action steps must not be blank$/],
  ])("leaves out a row with %s, and says which", (_, row, reason) => {
    const said = outcome(`Zap,Action steps,Runs\n\nMail,1,40\n${row}`);
    expect(said).toStartWith('Mail: 1 x 40\nwarning row-skipped: row 4 ("Leads") is skipped: ');
    expect(said).toMatch(reason);
  });

  test("says where the rows that it cannot read were, and what is in their cells", () => {
    const text = "Zap,Action steps,Runs,Status\n,1,~5,on\nA,1,5,on\nB,2,often,on\nC,2,7,maybe";
    const { zaps, skipped_rows } = parseZaps(text);
    expect(zaps).toEqual([
      { action_steps: 1, runs_per_month: 5 },
      { name: "A", action_steps: 1, runs_per_month: 5 },
    ]);
    expect(skipped_rows).toMatchObject([
      { name: "B", action_steps: "2", runs_per_month: "often", index: 2 },
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
    ["State,vielleicht", "warning row-skipped", 'its status must be on or off, not "vielleicht"'],
  ])("takes %s for what it says", (column, code, reason) => {
    const [heading, cell] = column.split(",");
    expect(outcome(`Zap,Action steps,Runs,${heading}\nA,1,5,on\nB,1,6,${cell}`)).toBe(
      `A: 1 x 5\n${code}: row 3 ("B") is skipped: ${reason}`,
    );
  });

  const zap = (name: string | number, runs: number) => `| ${name} | 1 | ${runs} | |\n`;
  const heading = "| Zap | Action steps | Runs | Tasks |\n|---|---|---|---|\n";
  const rows = (...lines: string[]) => ["Zap,Action steps,Runs", ...lines].join("\n");
  const used = (...rows: readonly string[]) => ["Zap,Tasks used", ...rows].join("\n");
  test.each([
    ["named so", `${heading}${zap(1, 10)}${zap(2, 20)}| **Total** | | | 30 |`, 30, "Total"],
    ["a sum of runs", `${rows("A,2,1", "B,2,2", "C,3,3")}\nEnd,,6`, 15, "End"],
    ["a sum beside a broken cell", used("A,100", "B,100", "C,often", "End,200"), 200, "End"],
    ["a subtotal", used("A,100", "Subtotal,100", "B,50", "C,50", "End,200"), 200, "End"],
  ])("leaves out a total: %s", (_, text, tasks, name) => {
    const { zaps, warnings } = parseZaps(text);
    expect(calculateAutomationCost({ zaps }).monthly_tasks).toBe(tasks);
    const said = `("${name}") is skipped: it is the total of other rows`;
    expect(warnings.map(({ message }) => message).join("\n")).toContain(said);
  });

  test.each([
    ["a name with more words", rows("Daily summary,1,5", "Total sales report,2,5"), 15],
    ["two that use as much", used("A,100", "B,100"), 200],
    ["steps of its own", rows("A,1,1", "B,1,2", "C,1,3", "D,1,6"), 12],
    ["a place that is not the last", used("A,1", "B,2", "C,3", "D,6", "E,1"), 13],
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
    ["commas in all names", "Leads, new;2;1000\nMail, old;1;40", "Leads, new"],
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
    ["as many actions as the calculator takes", chain(100), 100],
    ["a filter, which is free", free("FilterAPI@1"), 1],
    ["a table, which is free", free("TableCLIAPI@1.21.0"), 1],
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

  const filter = { 1: trigger, 2: { after: "1", app: "FilterAPI" } };
  const NEITHER = "warning zap-skipped: its status is neither on nor off";
  const UNORDERED = "warning zap-skipped: its steps do not all follow one trigger";
  const findings: [string, Steps, string, string][] = [
    ["is off", one, "off", "info zap-not-billed: it is switched off"],
    ["is paused", one, "paused", NEITHER],
    ["has a filter alone", filter, "on", "info zap-not-billed: none of its steps counts as a task"],
    ["has a step after none", { 1: trigger, 2: { after: "9" } }, "on", UNORDERED],
  ];
  test.each(findings)("that %s is left out", (_, steps, status, finding) => {
    const [code, reason] = finding.split(": ");
    expect(outcome(zapfile(["A", steps, status], ["On", one]), { defaultRuns: 1 })).toBe(
      `On: 1 x 1\n${code}: "A" is skipped: ${reason}`,
    );
  });

  const inner = { 5: { ...branches, after: "4" }, 6: { after: "5" }, 7: { after: "5" } };
  const apps = { 2: { after: "1", app: "AICLIAPI@1" }, 3: { after: "2", app: "CodeCLIAPI@1" } };
  test.each<[string, Steps, number, string]>([
    ["Paths", paths, 1, "its longest branch has 1 action step, all branches together have 2"],
    ["Paths in Paths", { ...paths, ...inner, 8: { after: "7" } }, 3, "3 action steps, all branch"],
    ["a loop", free("ZapierLoopingCLIAPI@1"), 1, "because of the steps of a loop, which count"],
    ["AI and Code", { 1: trigger, ...apps }, 2, "because of AI by Zapier, Code by Zapier"],
  ])("with %s has a warning", (name, steps, count, said) => {
    const text = zapfile(["A", steps]);
    const finding = name.startsWith("Paths") ? "paths-longest-branch" : "step-uses-more-tasks";
    const known = outcome(text, { defaultRuns: 1 });
    expect(known).toStartWith(`A: ${count} x 1\nwarning ${finding}: zaps[0]: `);
    expect(known).toContain(said);
    expect(outcome(text)).toBe(known.replace("x 1", "x ?").replace("zaps[0]", "without_runs[0]"));
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
    ["Zaps without runs", "Zap,Trigger,Actions,Status\nLeads,Form,2,on", NEED],
    ["a heading that repeats", `Zap${",Runs".repeat(100_000)}\nA,2`, "and 99,998 more"],
    ["tasks beside runs, which may be those of one run", "Zap,Tasks,Runs\nLeads,4,200", NEED],
    ["a title above", "Last 90 days\nZap,Action steps,Runs\nA,1,5", NEED],
    ["an open quote", 'Zap,Steps,Runs\nA,1,2\n"B,1,2', "has a cell in row 3 that begins with a"],
    ["too many Zaps", `Zap,Steps,Runs\n${"A,1,1\n".repeat(1_001)}`, "accepts at most 1,000"],
    ["more than 1 MiB", `A,1,1\n${"x".repeat(MIB)}`, "is larger than 1 MiB"],
    ["broken JSON", "{", "is not valid JSON"],
    ["other JSON", '{"name":"x"}', NOT_ZAPFILE],
    ["no nodes", '{"metadata":{"version":"gdpr_v1"},"zaps":[{"title":"A"}]}', NOT_ZAPFILE],
    ["more than 8 MiB of JSON", `[${" ".repeat(8 * MIB)}]`, "is larger than 8 MiB"],
  ])("%s", (_, text, message) => {
    expect(rejection(() => parseZaps(text))).toContain(message);
  });
});
