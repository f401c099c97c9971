import { describe, expect, test } from "bun:test";
import { readZapFile } from "../../../../server/pages/views/read-zap-file.ts";

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

describe("a file of Zaps in the page", () => {
  test("fills in the Zaps of a zapfile, asks for their runs, and says what it left out", async () => {
    const read = await readZapFile(zapfile);
    expect(read).toEqual({
      fill: { label: "Runs a month for all", fillIn: expect.any(Function) },
      input: {
        zaps: [
          { name: "Leads", action_steps: 1 },
          { name: "Forks", action_steps: 2 },
        ],
      },
      summary:
        'Read 2 Zaps. Fill in how often each runs: the file does not say. Note: "Forks" has Paths: its dearest branch has 2 action steps, all branches together have 3; "Old" is left out: it is switched off.',
    });
    expect(JSON.stringify(read)).not.toContain("SECRET");
    const fillIn = read && "input" in read ? read.fill?.fillIn : undefined;
    const [leads, forks] = [{ action_steps: 1 }, { action_steps: 2, runs_per_month: 7 }];
    expect(fillIn?.({ zaps: [leads, forks], team: true }, "1,200")).toEqual({
      zaps: [{ ...leads, runs_per_month: 1200 }, forks],
      team: true,
    });
    expect(fillIn?.({ zaps: [leads, forks] }, "often")).toBeUndefined();
    expect(fillIn?.({ zaps: [leads, forks] }, "4,000 tasks")).toBeUndefined();
  });

  test.each([
    ["4000", 4_000],
    [" 4,000 ", 4_000],
    ["4.000", 4_000],
    ["1’204’000", 1_204_000],
    ["4\u00a0000", 4_000],
    ["0", 0],
    ["4k", 4_000],
    ["4,000 tasks", 4_000],
    ["4000 Tasks a month", 4_000],
    ["4,000 tasks/month", 4_000],
  ])("takes the number %j for all tasks a month", async (text, tasks) => {
    expect(await readZapFile(text)).toMatchObject({
      input: { zaps: [{ action_steps: 1, runs_per_month: tasks }] },
    });
    expect(await readZapFile(text, "zaps[0].name")).toBeUndefined();
  });

  test.each(["4,00", "-4", "4.5", "4.5k", "1e3", "4000 runs", "1.204,000", "about 4000", "hello"])(
    "takes %j for no number of tasks",
    async (text) => {
      expect(await readZapFile(text)).toEqual({
        reason:
          "This is neither a whole number of tasks a month, such as 4,000, nor a table of Zaps.",
      });
    },
  );

  test("names the first few of many rows that it left out", async () => {
    const rows = `${"Mail,1,1,200\n".repeat(2)}Sales,1,\nTotal,,\nTotal,,\n`;
    expect(await readZapFile(`Leads,2,1000\n${rows}`)).toMatchObject({
      summary:
        'Read 1 Zap. Note: row 2 ("Mail") is left out: it has 4 cells in place of 3; a cell with the separator in it needs quotes; row 3 ("Mail") is left out: it has 4 cells in place of 3; a cell with the separator in it needs quotes; row 4 ("Sales") is left out: it has "" as the runs a month, and needs a whole number without separators; and 2 more.',
    });
  });

  test("says which column it needs", async () => {
    expect(await readZapFile("Zap,Steps,Last run\nLeads,400,200")).toEqual({
      reason:
        'This file needs the columns Zap, Action steps and Runs per month, or Zap and Tasks used, each once; it has "Zap", "Steps" and "Last run".',
    });
  });

  test.each([
    [
      "a ZIP archive",
      "PK\u0003\u0004",
      "is a ZIP archive; unpack it, and give the zapfile.json in it.",
    ],
    ["another JSON file", "{}", "is JSON, but not the zapfile.json (gdpr_v1) of Zapier's export"],
  ])("that is %s has a reason", async (_, text, reason) => {
    expect(await readZapFile(text)).toEqual({
      reason: expect.stringContaining(`This file ${reason}`),
    });
  });

  test.each([
    ["a single row", "Leads,2,1000"],
    ["prose", "New lead, to CRM and chat"],
    ["JSON", "{}"],
  ])("leaves %s that is pasted alone", async (_, text) => {
    expect(await readZapFile(text, "zaps[0].name")).toBeUndefined();
  });

  test.each([
    ["Leads\t2\t1000\nMail\t1\t40", "Read 2 Zaps."],
    ["Leads\t2\t1000\nMail\t1\t1.2k", 'Read 1 Zap. Note: row 2 ("Mail") is left out'],
  ])("reads pasted rows: %j", async (text, summary) => {
    expect(await readZapFile(text, "zaps[0].name")).toMatchObject({
      summary: expect.stringContaining(summary),
    });
  });
});
