import { describe, expect, test } from "bun:test";
import { readZaps } from "../../../../server/pages/views/read-zaps.ts";

const ZAPS = [
  { name: "Leads", action_steps: 2, runs_per_month: 1_000 },
  { name: "Mail", action_steps: 1, runs_per_month: 40 },
];

describe("readZaps()", () => {
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
  ])("reads %s", (_, text) => {
    expect(readZaps(text, false)?.input).toEqual({ zaps: ZAPS });
  });

  test("keeps separators, quotes and line breaks within a quoted name", () => {
    const read = readZaps('"A, ""b""\nc",1,2', false);
    expect(read?.input).toEqual({
      zaps: [{ name: 'A, "b"\nc', action_steps: 1, runs_per_month: 2 }],
    });
  });

  test("says which rows it left out", () => {
    expect(readZaps("Leads,2,1000\nTotal,,", false)?.summary).toBe(
      "Read 1 Zap. Left out 1 row without numbers.",
    );
  });

  test.each(["", "hello", "New lead, to CRM and chat", "a,b,c"])("leaves %j alone", (text) => {
    expect(readZaps(text, false)).toBeUndefined();
  });

  test("leaves a single pasted row alone", () => {
    expect(readZaps("Leads,2,1000", true)).toBeUndefined();
  });
});
