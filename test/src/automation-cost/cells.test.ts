import { describe, expect, test } from "bun:test";
import { isTotal, readRuns, readStatus, readSteps } from "../../../src/automation-cost/cells.ts";

/** The texts between bars. */
const cellsOf = (cells: string): readonly string[] => cells.split("|");

describe("the runs of a month", () => {
  test.each([
    [0, "0"],
    [1, "monthly"],
    [3, "3 x/mo"],
    [5, "weekly|every week|1/week|once a week"],
    [6, "1.1 a week"],
    [11, "0.333/day|0,333/day"],
    [20, "~20|≈ 20|4/week|4/wk|**20**|`20`"],
    [23, "every weekday|1 per workday"],
    [16, "every 2 days|2 days"],
    [31, "Daily|per day|a day|__daily__"],
    [46, "2 per weekday"],
    [62, "twice a day|Twice daily"],
    [134, "4.3/day|4,3/day"],
    [372, "2 hours|2 hrs|2 hour|every 2h"],
    [400, "0400"],
    [465, "15/day|15 / day|15 per day|15 a day|15 times a day|15x daily|15d|`15/day`|15 runs/day"],
    [744, "hourly|1/hr"],
    [44_640, "1/min|every minute|1 per minute"],
    [1_200, "1200|1,200|1.200|1\u202f200|1'200|1200.0|1.2k|1,2 K|1,200 runs|[1,200](x)"],
    [1_488, "2/hour|2 an hour|every 30 min"],
    [2_976, "every 15 minutes|15 minutes|15 min|15min|15 mins|every 15 min"],
    [8_928, "5 min|5 minute"],
    [37_200, "1.2k/day|1,200/day"],
    [1_204_000, "1’204’000|1,204,000|1.204.000|1.204.000/month|1204k"],
    [2_500_000, "2.5 million|2,5 million|2500k"],
    [10_000_000, "10000000|10 Million"],
  ])("are %d", (runs, cells) => {
    for (const cell of cellsOf(cells))
      expect([cell, readRuns(cell)]).toMatchObject([cell, { value: runs, problem: undefined }]);
  });

  const NONE = "must be a whole number or a rate, such as 1,200 or 15/day";
  test.each([
    ["must not be blank", ""],
    [NONE, `n/a|often|12.5|1.2|1,00|1.200k|1.2345k|2026-11-01|1,200.300|${"9".repeat(13)}`],
    [NONE, "1.333/day|1.2m|45 per run|15 or so|every 2 moons|every 0 days|every other day"],
    ["must be at least 0", "-3|−3|-1.2k"],
    ["must be at most 10,000,000", "10000001|14k/hour|300/minute"],
  ])("%s", (problem, cells) => {
    for (const cell of cellsOf(cells))
      expect([cell, readRuns(cell).problem]).toEqual([cell, problem]);
  });
});

test.each([
  [undefined, "1|2|**2**|100"],
  ["must be at most 100", "101"],
  ["must be at least 1", "0|-2"],
  ["must not be blank", ""],
  ["must be a whole number, such as 2", "two|2/day|1.5"],
])("the problem of action steps is %p", (problem, cells) => {
  for (const cell of cellsOf(cells))
    expect([cell, readSteps(cell).problem]).toEqual([cell, problem]);
});

test.each([
  ["On turned-on ACTIVE live published true x 1 ✅ 🟢 **On**", true],
  ["Off turned-off paused draft FALSE no 0 ❌ ⏸ ⏸️ ~~On~~ off-since-May", false],
  ["maybe on-hold ~~Off~~ – ?", undefined],
])("the states %s are %p", (cells, isOn) => {
  for (const cell of cells.split(" ")) expect([cell, readStatus(cell)]).toEqual([cell, isOn]);
});

test.each([
  [
    "Total;TOTAL:;**Total**;Grand total;Monthly total;Total tasks;Total per month;Totals;Subtotal;Sub-total;Sum;Average;Overall;All Zaps;all zaps, monthly",
    true,
  ],
  ["Daily summary;Total sales report;Total sync;Total 2025;Total (2 Zaps);Summary;Tasks;", false],
])("the names %s say that they are totals: %p", (names, isOne) => {
  for (const name of names.split(";")) expect([name, isTotal(name)]).toEqual([name, isOne]);
});
