import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { automationCost, readZaps } from "../../../src/automation-cost/index.ts";
import { tries } from "../../support/runs.ts";
import { rejection } from "./support.ts";

const ZAPS = [
  { name: "Leads", action_steps: 2, runs_per_month: 1_000 },
  { name: "Mail", action_steps: 1, runs_per_month: 40 },
];

describe("a table", () => {
  test.each([
    ["commas", "Leads,2,1000\nMail,1,40"],
    ["semicolons and thousands", "Leads;2;1.000\r\nMail;1;40\r\n"],
    ["tabs and spaces in numbers", "Leads\t2\t1 000\nMail\t1\t40"],
    ["a heading", "Zap name,Action steps,Runs per month\nLeads,2,1000\nMail,1,40"],
    [
      "a heading in another order",
      "Monthly runs,Owner,Action steps,Zap\n1000,me,2,Leads\n40,me,1,Mail",
    ],
    ["quotes", '"Leads","2","1,000"\n"Mail",1,40'],
    ["a byte order mark", "\uFEFFLeads,2,1000\nMail,1,40"],
    ["carriage returns alone", "Zap,Action steps,Runs\rLeads,2,1000\rMail,1,40\r"],
    ["the mark of Excel", "sep=;\r\nZap;Action steps;Runs\r\nLeads;2;1.000\r\nMail;1;40"],
    ["the mark of Excel and no heading", "sep=;\nLeads;2;1000\nMail;1;40"],
    ["the heading of an input", "name,action_steps,runs_per_month\nLeads,2,1000\nMail,1,40"],
    [
      "a month before the runs",
      "Month,Zap name,Action steps,Runs\n2026-10,Leads,2,1000\n2026-10,Mail,1,40",
    ],
    [
      "other runs beside the runs",
      "Zap,Action steps,Runs OK %,Last run,Runs\nLeads,2,98,46296,1000\nMail,1,100,46297,40",
    ],
    [
      "the runs of days and months",
      "Zap\tAction steps\tRuns/day\tRuns/month\nLeads\t2\t33\t1,000\nMail\t1\t2\t40",
    ],
    [
      "tasks, and the columns of our own output",
      "Tasks\tShare\tAction steps\tRuns\tAutomation\n2,000\t98 %\t2\t1,000\tLeads\n40\t2 %\t1\t40\tMail",
    ],
    ["a column of states", "Zap,Status,Action steps,Runs\nLeads,On,2,1000\nMail,on,1,40"],
  ])("with %s is read", (_, text) => {
    expect(readZaps(text)).toEqual({ zaps: ZAPS, without_runs: [], left_out: [], warnings: [] });
  });

  test("keeps separators, quotes and line breaks within a quoted name", () => {
    expect(readZaps('"A, ""b""\nc",1,2').zaps).toEqual([
      { name: 'A, "b"\nc', action_steps: 1, runs_per_month: 2 },
    ]);
  });

  test.each([
    ["actions", "action_steps"],
    ["steps", "action_steps"],
    ["action_steps", "action_steps"],
    ["runs", "runs_per_month"],
    ["runs_a_month", "runs_per_month"],
    ["runs_per_month", "runs_per_month"],
  ])("takes the heading %s for %s", (heading, field) => {
    const other = field === "action_steps" ? "Runs" : "Steps";
    expect(readZaps(`${heading},${other}\n7,7`).zaps).toEqual([
      { action_steps: 7, runs_per_month: 7 },
    ]);
  });

  test.each([
    ["Number of steps", "Avg. runs per month"],
    ["# of steps", "Monthly runs (avg)"],
    ["Action count", "Runs (last 30 days)"],
    ["Steps that do something", "Times a month"],
    ["ACTION STEPS", "Zap runs / mo"],
  ])("takes %s and %s for the steps and the runs", (steps, runs) => {
    expect(readZaps(`${runs};${steps};Zap\n30;2;Leads`).zaps).toEqual([
      { name: "Leads", action_steps: 2, runs_per_month: 30 },
    ]);
  });

  const readAs = (heading: string, meaning: string) => ({
    code: "read-as",
    severity: "info",
    path: "",
    message: `"${heading}" is read as ${meaning}`,
  });

  test.each([
    ["Runs per day", "40", 1_200, "runs a month: times 30"],
    ["Daily runs", "4.3", 129, "runs a month: times 30"],
    ["Runs/day", "0,05", 2, "runs a month: times 30"],
    ["Runs per week", "10", 44, "runs a month: times 52 / 12"],
    ["Weekly runs", "12", 52, "runs a month: times 52 / 12"],
  ])("multiplies %s, and says so", (heading, cell, runs_per_month, meaning) => {
    const { zaps, warnings } = readZaps(
      `Zap;Action steps;${heading}\nA;2;"${cell.replace(".", ",")}"`,
    );
    expect(zaps).toEqual([{ name: "A", action_steps: 2, runs_per_month }]);
    expect<readonly unknown[]>(warnings).toEqual([readAs(heading, meaning)]);
  });

  test.each([
    ["Zap name,Tasks used\nLeads,1200", "Tasks used"],
    ["Zap,Monthly tasks\nLeads,1200", "Monthly tasks"],
  ])("of tasks is read as one action step a task: %s", (text, heading) => {
    const { zaps, warnings } = readZaps(text);
    expect(zaps).toEqual([{ name: "Leads", action_steps: 1, runs_per_month: 1_200 }]);
    expect<readonly unknown[]>(warnings).toEqual([readAs(heading, "the tasks of a month")]);
  });

  test("with Steps asks whether they count the trigger", () => {
    const text = "Zap,Steps,Runs\nA,3,100\nB,1,5";
    const steps = (stepsIncludeTrigger?: boolean) => {
      const { zaps, unsure_steps } = readZaps(text, { stepsIncludeTrigger });
      return [unsure_steps, ...zaps.map(({ action_steps }) => action_steps)];
    };
    expect(steps()).toEqual(["Steps", 3, 1]);
    expect(steps(false)).toEqual([undefined, 3, 1]);
    expect(steps(true)).toEqual([undefined, 2]);
    expect(readZaps(text, { stepsIncludeTrigger: true }).left_out).toEqual([
      {
        name: "B",
        row: 3,
        reason: "has no step that is a task",
        severity: "info",
      },
    ]);
  });

  test("may have more columns than headings are looked for in", () => {
    const blanks = ",".repeat(150);
    expect(readZaps(`Zap,Action steps,Runs${blanks}\nA,2,5${blanks}`).zaps).toEqual([
      { name: "A", action_steps: 2, runs_per_month: 5 },
    ]);
  });

  test("with Actions beside Steps takes the actions", () => {
    expect(readZaps("Zap,Steps,Actions,Runs\nLeads,3,2,5")).toMatchObject({
      zaps: [{ action_steps: 2, runs_per_month: 5 }],
    });
  });

  test.each([
    ["digits", "0400", 400],
    ["a fraction of nothing", "1200.0", 1_200],
    ["commas in quotes", '"1,200,300"', 1_200_300],
    ["several dots, which no fraction has", "1.200.300", 1_200_300],
    ["spaces", "1 200", 1_200],
    ["narrow spaces", "1\u202f200", 1_200],
    ["apostrophes", "1'200", 1_200],
  ])("reads a number with %s", (_, cell, runs_per_month) => {
    expect(readZaps(`Zap,Action steps,Runs\nA,1,${cell}`).zaps).toEqual([
      { name: "A", action_steps: 1, runs_per_month },
    ]);
  });

  const unread = "and needs a whole number without separators";
  const cells: [string, string, string][] = [
    ["a comma without quotes", "2,1,200", "has 4 cells (the heading has 3)"],
    ["a cell too few", "2", "has 2 cells (the heading has 3)"],
    ["a comma at the end", "2,100,", "has 4 cells (the heading has 3)"],
    ["a dot that may be a decimal mark", "2,1.200", `has "1.200" as the runs a month, ${unread}`],
    ["a fraction", "2,12.5", `has "12.5" as the runs a month, ${unread}`],
    ["a letter for thousands", "2,1.2k", `has "1.2k" as the runs a month, ${unread}`],
    ["a sign", "2,-3", `has "-3" as the runs a month, ${unread}`],
    ["no end", "2,∞", `has "∞" as the runs a month, ${unread}`],
    ["a date", "2,2026-11-01", `has "2026-11-01" as the runs a month, ${unread}`],
    ["a share", "2,98%", `has "98%" as the runs a month, ${unread}`],
    ["money", "2,$5", `has "$5" as the runs a month, ${unread}`],
    ["an estimate", "2,~955", `has "~955" as the runs a month, ${unread}`],
    ["Indian groups", '2,"1,00,000"', `has "1,00,000" as the runs a month, ${unread}`],
    ["two marks", '2,"1,200.300"', `has "1,200.300" as the runs a month, ${unread}`],
    ["no runs", "2,", `has "" as the runs a month, ${unread}`],
    ["a group or a decimal mark", "2,4.333", `has "4.333" as the runs a month, ${unread}`],
    ["no steps", ",5", `has "" as the action steps, ${unread}`],
    ["steps in words", "two,5", `has "two" as the action steps, ${unread}`],
    ["no step", "0,5", "has 0 as the action steps, which must be at least 1"],
    ["too many steps", "2400,5", "has 2,400 as the action steps, which must be at most 100"],
    [
      "too many runs",
      "2,46296000",
      "has 46,296,000 as the runs a month, which must be at most 10,000,000",
    ],
    ["far too many digits", `2,${"9".repeat(400)}`, `has "${"9".repeat(40)}…" as the runs a month`],
  ];
  test.each(cells)("leaves out a row with %s, and says which", (_, row, reason) => {
    expect(readZaps(`Zap,Action steps,Runs\n\nMail,1,40\nLeads,${row}`)).toEqual({
      zaps: [{ name: "Mail", action_steps: 1, runs_per_month: 40 }],
      without_runs: [],
      left_out: [
        { name: "Leads", row: 4, reason: expect.stringContaining(reason), severity: "warning" },
      ],
      warnings: [],
    });
  });

  test("takes a comma before three digits for a decimal mark where semicolons separate", () => {
    const { zaps, left_out } = readZaps("Zap;Action steps;Runs\nA;2;1.200\nB;2;1,200");
    expect([zaps, left_out.map(({ row }) => row)]).toEqual([
      [{ name: "A", action_steps: 2, runs_per_month: 1_200 }],
      [3],
    ]);
  });

  test("counts no total and no Zap that is off", () => {
    const text =
      "Zap,Status,Action steps,Runs\nA,on,1,5\nB,Paused,1,\nC,on,1,6\nGrand total,,2,11\n,,2,11\nTotal sync,on,1,1";
    const { zaps, left_out } = readZaps(text);
    expect(zaps.map(({ name }) => name)).toEqual(["A", "C", "Total sync"]);
    expect(left_out.map(({ row, reason, severity }) => [row, severity, reason])).toEqual([
      [3, "info", "is switched off"],
      [5, "info", "is a total by its name"],
      [6, "warning", "has a status that is neither on nor off"],
    ]);
  });

  test("counts the rows of Zaps whose runs are the sum of those above", () => {
    const { zaps } = readZaps("Zap,Action steps,Runs\nA,1,10\nB,2,20\nC,1,30\nSend total,1,0");
    expect(zaps).toHaveLength(4);
  });

  test.each(["Total (2 Zaps)", "Total:", "Gesamt"])("does not count %s", (name) => {
    const text = `Zap,Action steps,Runs\nA,1,5\nC,1,6\n${name},1,11`;
    expect(readZaps(text).left_out).toMatchObject([{ row: 4, severity: "info" }]);
  });

  test.each([
    ["Status", "Turned off", "is switched off", "info"],
    ["On/Off", "FALSE", "is switched off", "info"],
    ["Status", "", "has a status that is neither on nor off", "warning"],
    ["State", "vielleicht", "has a status that is neither on nor off", "warning"],
    ["Paused", "TRUE", "is switched off", "info"],
  ])("takes the %s %j of a Zap for what it says", (heading, cell, reason, severity) => {
    const text = `Zap,${heading},Action steps,Runs\nA,${heading === "Paused" ? "no" : "on"},1,5\nB,${cell},1,6`;
    expect(readZaps(text)).toMatchObject({
      zaps: [{ name: "A" }],
      left_out: [{ name: "B", reason, severity }],
    });
  });

  test("reads a title and blank rows, and says so of the title", () => {
    const text = "Last 90 days;;\n\nZap;Action steps;Runs\n;;\nLeads;2;1000\n\nMail;1;40\n;;\n";
    const { zaps, warnings } = readZaps(text);
    expect(zaps).toEqual(ZAPS);
    expect<readonly unknown[]>(warnings).toEqual([readAs("Last 90 days", "a title")]);
  });

  test.each(["\t", ";"])("of two columns is read, separated by %j", (separator) => {
    const text = ["Zap,Tasks used", "Leads,400", "Mail,40", "", ""].join("\n");
    expect(readZaps(text.replaceAll(",", separator)).zaps).toHaveLength(2);
  });

  test("with a number whose comma has no quotes leaves its row out", () => {
    const text = "Zap,Action steps,Runs,Notes\nA,2,1,200\nB,3,45,none";
    expect(readZaps(text)).toMatchObject({
      zaps: [{ name: "B", runs_per_month: 45 }],
      left_out: [{ name: "A", severity: "warning" }],
    });
  });

  test("with what Zapier counted takes that in place of steps times runs", () => {
    const text = "Zap,Action steps,Runs,Tasks used\nA,3,500,700";
    expect(readZaps(text).zaps).toEqual([{ name: "A", action_steps: 3, runs_per_month: 234 }]);
    // Four steps rule Free out, whatever the tasks are.
    expect(readZaps("Zap,Steps,Tasks used\nA,4,80").zaps).toEqual([
      { name: "A", action_steps: 4, runs_per_month: 20 },
    ]);
  });

  test("names rows that are above the heading", () => {
    expect(readZaps("A,1,5,on\nZap,Action steps,Runs,Status\nB,1,6,on").left_out).toMatchObject([
      { row: 1, reason: "is above the heading" },
    ]);
  });

  test("warns of a Zap in several rows, as of several months", () => {
    const text = "Month,Zap,Action steps,Runs\n2026-09,Leads,2,100\n2026-10,Leads,2,120";
    expect(readZaps(text).warnings).toEqual([
      {
        code: "title-repeated",
        severity: "warning",
        path: "zaps[1]",
        message: "has the same name as row 2: the runs of both rows are counted",
      },
    ]);
  });

  test.each([
    ["semicolons in a quoted name", '"Leads; new",2,1000\nMail,1,40', "Leads; new"],
    ["tabs in a quoted name", '"Leads\tnew",2,1000\nMail,1,40', "Leads\tnew"],
    ["semicolons in all names", "Leads; new,2,1000\nMail; old,1,40", "Leads; new"],
    ["commas in all names", "Leads, new;2;1000\nMail, old;1;40", "Leads, new"],
    ["a quote in a name", '5" pipe,2,1000\nMail,1,40', '5" pipe'],
    ["a bracket", "Zap,Action steps,Runs\n[CRM] Leads,2,1000", "[CRM] Leads"],
  ])("with %s keeps the name", (_, text, name) => {
    expect(readZaps(text).zaps[0]?.name).toBe(name);
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
      expect(readZaps(text)).toMatchObject({ zaps, left_out: [] });
    });
    fc.assert(property, tries(200));
  });

  test("gives names that an input takes", () => {
    const [zap] = readZaps(`${"é".repeat(300)},1,2`).zaps;
    expect(zap?.name).toBe("é".repeat(200));
  });
});

describe("a table is rejected", () => {
  const NEED =
    "needs the columns Zap, Action steps and Runs per month, or Zap and Tasks used, each once";
  const lines = (count: number, line: string) => `Zap,Steps,Runs\n${line.repeat(count)}`;
  test.each([
    [
      "for a date in place of the runs",
      "Zap,Steps,Last run\nLeads,2,46296",
      `${NEED}; it has "Zap", "Steps" and "Last run"`,
    ],
    ["for a list of Zaps without runs", "Zap,Trigger,Actions,Status\nLeads,Form,2,on", NEED],
    ["for two columns of runs", "Zap,Steps,Runs,Monthly runs\nLeads,2,900,30", NEED],
    ["for a heading that repeats", "Zap,Steps,Runs,Runs\nLeads,2,900,30", NEED],
    [
      "for a heading that repeats often, of which it names a few",
      `Zap,Steps${",Runs".repeat(100_000)}\nLeads,2`,
      'it has "Zap", "Steps", "Runs" and 99,999 more',
    ],
    ["for tasks beside runs, which may be those of one run", "Zap,Tasks,Runs\nLeads,4,200", NEED],
    ["for months as columns", "Zap,2026-09,2026-10\nLeads,90,100", NEED],
    ["for years as columns", "Zap,2025,2026\nLeads,90,100", NEED],
    ["for a table of Markdown", "| Zap | Steps | Runs |\n|---|---|---|\n| A | 2 | 3 |", NEED],
    [
      "for rows that cannot be read alone",
      `Zap,Steps,Runs\n${"Leads,2,1,200\n".repeat(5)}`,
      /^has no Zaps that can be read: row 2 \("Leads"\) has 4 cells .*; and 2 more$/,
    ],
    [
      "for a row that cannot be read, without a heading",
      "Leads,2,1,200",
      'row 1 ("Leads") has 4 cells (three without a heading)',
    ],
    [
      "for a quote that does not close",
      'Zap,Steps,Runs\nA,1,2\n"B,1,2\nC,1,2',
      "has a cell in row 3 that begins with a quote and does not end with one",
    ],
    [
      "for text behind a quote",
      'Zap,Steps,Runs\n"B" b,1,2\nC,1,2',
      "has a cell in row 2 that begins",
    ],
    [
      "for more Zaps than the calculator takes",
      lines(1_001, "A,1,1\n"),
      "has 1,001 Zaps; the calculator takes at most 1,000",
    ],
    ["for a cell of many quotes", `"${'"x'.repeat(600_000)}`, "has more than 1 MiB"],
  ])("%s", (_, text, message) => {
    const reason = rejection(() => readZaps(text));
    if (typeof message === "string") expect(reason).toContain(message);
    else expect(reason).toMatch(message);
  });

  test("with runs for its Zaps, which it has itself", () => {
    const reason = "is a table with the runs of its Zaps, and takes no others";
    const text = "Leads,2,1000\nMail,1,40";
    expect(rejection(() => readZaps(text, { runs: { Leads: 3 } }))).toBe(reason);
    expect(rejection(() => readZaps(text, { runsDefault: 3 }))).toBe(reason);
  });
});

interface Step {
  readonly after?: string;
  readonly app?: string;
}

/** A zapfile as Zapier exports it, with secrets wherever it may have them. */
const zapfile = (
  zaps: readonly (readonly [
    title: string,
    steps: Readonly<Record<string, Step>>,
    status?: string,
  ])[],
) =>
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

describe("a zapfile", () => {
  const cases: [string, Record<string, Step>, number][] = [
    ["a trigger and two actions", { 1: trigger, 2: { after: "1" }, 3: { after: "2" } }, 2],
    ["a search", { 1: trigger, 2: { after: "1", app: "HubSpotCLIAPI@1" } }, 1],
    ...[
      "FilterAPI",
      "FilterCLIAPI",
      "ZapierFormatterCLIAPI",
      "DelayCLIAPI",
      "DigestCLIAPI",
      "StorageCLIAPI",
    ].map((app): [string, Record<string, Step>, number] => [
      `${app}, which is free`,
      { 1: trigger, 2: { after: "1", app: `${app}@1.0.4` }, 3: { after: "2" } },
      1,
    ]),
    [
      "a version in the name of an app",
      { 1: trigger, 2: { after: "1", app: "DelayV2CLIAPI" }, 3: { after: "2" } },
      1,
    ],
    [
      "Paths in Paths, by the dearest branch",
      {
        1: trigger,
        2: { after: "1", app: "BranchingAPI@1.0.0" },
        3: { after: "2" },
        4: { after: "2" },
        5: { after: "4", app: "BranchingAPI" },
        6: { after: "5" },
        7: { after: "5" },
        8: { after: "7" },
      },
      3,
    ],
    ["steps in any order", { 3: { after: "2" }, 2: { after: "1" }, 1: trigger }, 2],
    ["a step after one that is missing", { 1: trigger, 2: { after: "9" } }, 1],
  ];
  test.each(cases)("with %s has its action steps", (_, steps, action_steps) => {
    expect(readZaps(zapfile([["A", steps]]), { runsDefault: 7 }).zaps).toEqual([
      { name: "A", action_steps, runs_per_month: 7 },
    ]);
  });

  const one = { 1: trigger, 2: { after: "1" } };

  test("gives an input for the calculator once the runs are given", () => {
    const text = zapfile([
      ["Leads", one],
      ["Mail", one],
    ]);
    const { zaps } = readZaps(text, { runs: { Leads: 300 }, runsDefault: 20 });
    expect(automationCost({ zaps }).monthly_tasks).toBe(320);
  });

  test.each(["constructor", "__proto__"])("named %s has its runs", (title) => {
    const runs = Object.fromEntries([[title, 300]]);
    expect(readZaps(zapfile([[title, one]]), { runs }).zaps).toEqual([
      { name: title, action_steps: 1, runs_per_month: 300 },
    ]);
  });

  test("keeps a step whose id is a name that every object has", () => {
    const text = zapfile([["Leads", { ...one, 3: { after: "2" } }]]).replace(
      '"3":',
      '"constructor":',
    );
    expect(readZaps(text, { runsDefault: 1 }).zaps[0]?.action_steps).toBe(2);
  });

  test("without runs asks for those of each Zap", () => {
    expect(readZaps(zapfile([["Leads", one]]))).toEqual({
      zaps: [],
      without_runs: [{ name: "Leads", action_steps: 1 }],
      left_out: [],
      warnings: [
        {
          code: "runs-unknown",
          severity: "warning",
          path: "without_runs[0]",
          message: "needs its runs a month, which Zapier's export does not have",
        },
      ],
    });
  });

  test("lists the Zaps that are switched off or have no task, and leaves them out", () => {
    const free = { 1: trigger, 2: { after: "1", app: "FilterAPI" } };
    const text = zapfile([
      ["Off", one, "off"],
      ["Paused", one, "paused"],
      ["Only a filter", free],
      ["On", one],
    ]);
    expect(readZaps(text, { runsDefault: 1 })).toMatchObject({
      zaps: [{ name: "On" }],
      left_out: [
        { name: "Off", reason: "is switched off", severity: "info" },
        {
          name: "Paused",
          reason: "has a status that is neither on nor off",
          severity: "warning",
        },
        { name: "Only a filter", reason: "has no step that is a task", severity: "info" },
      ],
    });
  });

  const long = Object.fromEntries(
    Array.from({ length: 103 }, (_, at) => [at + 1, at === 0 ? trigger : { after: String(at) }]),
  );
  const unsure: [string, Record<string, Step>, string, string][] = [
    ["is paused", one, "paused", "has a status that is neither on nor off"],
    ["has no status", one, "", "has a status that is neither on nor off"],
    [
      "has more steps than the calculator takes",
      long,
      "on",
      "has 102 action steps, and the number must be at most 100",
    ],
    [
      "has steps without their order",
      { 1: trigger, 2: {} },
      "on",
      "has 2 triggers, and a Zap has one",
    ],
    ["has no trigger", { 2: { after: "3" }, 3: { after: "2" } }, "on", "has 0 triggers"],
    [
      "has steps in a circle",
      { 1: trigger, 2: { after: "3" }, 3: { after: "2" } },
      "on",
      "has 0 action steps",
    ],
  ];
  test.each(unsure)("warns of a Zap that %s, and leaves it out", (_, steps, status, reason) => {
    const text = zapfile([
      ["A", steps, status],
      ["On", one],
    ]);
    expect(readZaps(text, { runsDefault: 1 })).toMatchObject({
      zaps: [{ name: "On" }],
      left_out: [{ name: "A", reason: expect.stringContaining(reason), severity: "warning" }],
    });
  });

  const paths = {
    1: trigger,
    2: { after: "1", app: "BranchingAPI" },
    3: { after: "2" },
    4: { after: "2" },
  };
  const warned: [string, Record<string, Step>, string, string][] = [
    [
      "Paths",
      paths,
      "paths-dearest-branch",
      "has Paths: its dearest branch has 1 action step, all branches together have 2",
    ],
    [
      "a loop",
      { 1: trigger, 2: { after: "1", app: "ZapierLoopingCLIAPI@1" }, 3: { after: "2" } },
      "loop-counts-once",
      "has a loop: its steps are billed once for each item, but counted once here",
    ],
    [
      "AI by Zapier and Code",
      { 1: trigger, 2: { after: "1", app: "AICLIAPI@1" }, 3: { after: "2", app: "CodeCLIAPI@1" } },
      "step-uses-more-tasks",
      "may use another number of tasks than is counted for AI by Zapier, Code by Zapier",
    ],
  ];
  test.each(warned)("with %s has a warning", (_, steps, code, message) => {
    const { warnings } = readZaps(zapfile([["A", steps]]), { runsDefault: 1 });
    expect<readonly unknown[]>(warnings).toEqual([
      { code, severity: "warning", path: "zaps[0]", message },
    ]);
  });

  test("gives the runs of a title to each Zap that has it", () => {
    const text = zapfile([
      ["A", one],
      ["A", one],
      ["", one],
    ]);
    const { zaps } = readZaps(text, { runs: { A: 9 }, runsDefault: 1 });
    expect(zaps.map(({ name, runs_per_month }) => [name, runs_per_month])).toEqual([
      ["A", 9],
      ["A", 9],
      ["Zap without a title", 1],
    ]);
  });

  test("gives away nothing but titles, states and kinds of steps", () => {
    const text = zapfile([
      ["Leads", one],
      ["Off", one, "off"],
      ["Paths", paths],
    ]);
    const broken = zapfile([["A", one]]).replace("gdpr_v1", "SECRET_version");
    const results = [
      JSON.stringify(readZaps(text)),
      rejection(() => readZaps(broken)),
      rejection(() => readZaps(text.slice(0, -40))),
    ];
    expect(results.join("\n")).not.toContain("SECRET");
  });
});

describe("no Zaps are read from", () => {
  const NOT_ZAPFILE = "is JSON, but not the zapfile.json (gdpr_v1) of Zapier's export";
  const one = { 1: trigger, 2: { after: "1" } };
  const steps = Object.fromEntries(
    Array.from({ length: 1_001 }, (_, index) => [
      index + 1,
      index === 0 ? trigger : { after: String(index) },
    ]),
  );
  test.each([
    ["nothing", "", "needs the columns"],
    ["prose", "hello", "needs the columns"],
    ["a row without numbers", "New lead, to CRM and chat", "needs the columns"],
    [
      "a ZIP archive",
      "PK\u0003\u0004rest",
      "is a ZIP archive; unpack it, and give the zapfile.json in it",
    ],
    ["broken JSON", "{", "is not valid JSON"],
    ["other JSON", '{"name":"x"}', NOT_ZAPFILE],
    ["a list in JSON", "[1]", NOT_ZAPFILE],
    ["an old version", zapfile([["A", one]]).replace("gdpr_v1", "1.0"), NOT_ZAPFILE],
    ["a zapfile without a version", '{"zaps":[]}', NOT_ZAPFILE],
    [
      "a Zap without nodes",
      '{"metadata":{"version":"gdpr_v1"},"zaps":[{"title":"A"}]}',
      NOT_ZAPFILE,
    ],
    ["a Zap of too many steps", zapfile([["A", steps]]), "has a Zap of more than 1000 steps"],
    ["more than 8 MiB", `A,1,1\n${"x".repeat(8 * 1_024 * 1_024)}`, "has more than 8 MiB"],
  ])("%s", (_, text, message) => {
    expect(rejection(() => readZaps(text))).toContain(message);
  });

  test("a zapfile whose runs name other Zaps", () => {
    expect(rejection(() => readZaps(zapfile([["A", one]]), { runs: { B: 1 } }))).toBe(
      'has no Zap named "B"',
    );
  });
});
