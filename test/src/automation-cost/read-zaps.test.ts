import { describe, expect, test } from "bun:test";
import { automationCost, readZaps } from "../../../src/automation-cost/index.ts";
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
    ["a heading", "Zap name,Steps,Runs per month\nLeads,2,1000\nMail,1,40"],
    [
      "a heading in another order",
      "Monthly runs,Owner,Action steps,Zap\n1000,me,2,Leads\n40,me,1,Mail",
    ],
    ["quotes", '"Leads","2","1,000"\n"Mail",1,40'],
    ["a byte order mark", "\uFEFFLeads,2,1000\nMail,1,40"],
  ])("with %s is read", (_, text) => {
    expect(readZaps(text)).toEqual({ zaps: ZAPS, left_out: [], warnings: [] });
  });

  test("keeps separators, quotes and line breaks within a quoted name", () => {
    expect(readZaps('"A, ""b""\nc",1,2').zaps).toEqual([
      { name: 'A, "b"\nc', action_steps: 1, runs_per_month: 2 },
    ]);
  });

  test("leaves out rows without numbers", () => {
    expect(readZaps("Leads,2,1000\nTotal,,").left_out).toEqual([
      { name: "Total", reason: "has no numbers of steps and runs" },
    ]);
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
    expect(readZaps(zapfile([["A", steps]]), { runs_default: 7 }).zaps).toEqual([
      { name: "A", action_steps, runs_per_month: 7 },
    ]);
  });

  const one = { 1: trigger, 2: { after: "1" } };

  test("gives an input for the calculator once the runs are given", () => {
    const text = zapfile([
      ["Leads", one],
      ["Mail", one],
    ]);
    const { zaps } = readZaps(text, { runs: { Leads: 300 }, runs_default: 20 });
    const known = zaps.map((zap) => ({ ...zap, runs_per_month: zap.runs_per_month ?? 0 }));
    expect(automationCost({ zaps: known }).monthly_tasks).toBe(320);
  });

  test("without runs asks for those of each Zap", () => {
    expect(readZaps(zapfile([["Leads", one]]))).toEqual({
      zaps: [{ name: "Leads", action_steps: 1 }],
      left_out: [],
      warnings: [
        {
          code: "runs-unknown",
          severity: "warning",
          path: "zaps[0]",
          message: "needs its runs a month, which Zapier's export does not have",
        },
      ],
    });
  });

  test("lists the Zaps that are switched off or have no task, and leaves them out", () => {
    const free = { 1: trigger, 2: { after: "1", app: "FilterAPI" } };
    const text = zapfile([
      ["Off", one, "off"],
      ["Only a filter", free],
      ["On", one],
    ]);
    expect(readZaps(text, { runs_default: 1 })).toMatchObject({
      zaps: [{ name: "On" }],
      left_out: [
        { name: "Off", reason: "is switched off" },
        { name: "Only a filter", reason: "has no step that is a task" },
      ],
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
      "has Paths: its dearest branch has 1 step that does something, all branches together have 2",
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
      "uses more tasks than are counted for AI by Zapier, Code by Zapier",
    ],
  ];
  test.each(warned)("with %s has a warning", (_, steps, code, message) => {
    const { warnings } = readZaps(zapfile([["A", steps]]), { runs_default: 1 });
    expect<readonly unknown[]>(warnings).toEqual([
      { code, severity: "warning", path: "zaps[0]", message },
    ]);
  });

  const repeated = zapfile([
    ["A", one],
    ["A", one],
    ["A (2)", one],
    ["", one],
    ["B", one],
    ["B", one, "off"],
  ]);

  test("numbers titles that are repeated, so that each can have its runs", () => {
    const { zaps, warnings } = readZaps(repeated, {
      runs: { "A (3)": 9, B: 4 },
      runs_default: 1,
    });
    expect(zaps.map(({ name, runs_per_month }) => [name, runs_per_month])).toEqual([
      ["A (1)", 1],
      ["A (3)", 9],
      ["A (2)", 1],
      ["Zap without a title", 1],
      ["B", 4],
    ]);
    expect(warnings.map(({ code, path, message }) => [code, path, message])).toEqual([
      ["title-repeated", "zaps[0]", 'is named "A (1)": several Zaps have its title'],
      ["title-repeated", "zaps[1]", 'is named "A (3)": several Zaps have its title'],
    ]);
  });

  test("takes no runs for a title that is repeated", () => {
    expect(rejection(() => readZaps(repeated, { runs: { A: 9, C: 1 } }))).toBe(
      'has 2 Zaps named "A"; give the runs of each by its number: "A (1)", "A (3)"\nhas no Zap named "C"',
    );
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
  const one = { 1: trigger, 2: { after: "1" } };
  const steps = Object.fromEntries(
    Array.from({ length: 1_001 }, (_, index) => [
      index + 1,
      index === 0 ? trigger : { after: String(index) },
    ]),
  );
  test.each([
    ["nothing", "", "has no Zaps"],
    ["prose", "hello", "has no Zaps"],
    ["a row without numbers", "New lead, to CRM and chat", "has no Zaps"],
    [
      "a ZIP archive",
      "PK\u0003\u0004rest",
      "is a ZIP archive; unpack it, and give the zapfile.json in it",
    ],
    ["broken JSON", "{", "is not valid JSON"],
    ["other JSON", '{"name":"x"}', "is JSON, but not the zapfile.json of Zapier's export"],
    ["a list in JSON", "[1]", "is JSON, but not the zapfile.json of Zapier's export"],
    [
      "an old version",
      zapfile([["A", one]]).replace("gdpr_v1", "1.0"),
      "another version than gdpr_v1",
    ],
    ["a zapfile without a version", '{"zaps":[]}', "another version than gdpr_v1"],
    [
      "a Zap without nodes",
      '{"metadata":{"version":"gdpr_v1"},"zaps":[{"title":"A"}]}',
      "with a Zap that cannot be read",
    ],
    ["a Zap of too many steps", zapfile([["A", steps]]), "has a Zap of more than 1000 steps"],
    ["more than 8 MiB", `A,1,1\n${"x".repeat(8 * 1_024 * 1_024)}`, "has more than 8 MiB"],
    ["too many Zaps", "A,1,1\n".repeat(10_001), "has more than 10,000 Zaps"],
  ])("%s", (_, text, message) => {
    expect(rejection(() => readZaps(text))).toContain(message);
  });

  test("a zapfile whose runs name other Zaps", () => {
    expect(rejection(() => readZaps(zapfile([["A", one]]), { runs: { B: 1 } }))).toBe(
      'has no Zap named "B"',
    );
  });
});
