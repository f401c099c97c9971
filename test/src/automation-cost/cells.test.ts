import { describe, expect, test } from "bun:test";
import { isTotal, readRuns, readStatus, readSteps } from "../../../src/automation-cost/cells.ts";

describe("the runs of a month", () => {
  test.each([
    ["1200", 1_200],
    ["0400", 400],
    ["0", 0],
    ["1,200", 1_200],
    ["1.200", 1_200],
    ["1\u202f200", 1_200],
    ["1'200", 1_200],
    ["1’204’000", 1_204_000],
    ["1,200,300", 1_200_300],
    ["1200.0", 1_200],
    ["1.2k", 1_200],
    ["1,5 K", 1_500],
    ["12k", 12_000],
    ["1.2345k", undefined],
    ["~20", 20],
    ["≈ 20", 20],
    ["**32**", 32],
    ["`15/day`", 465],
    ["1,200 runs", 1_200],
    ["15/day", 465],
    ["15 / day", 465],
    ["15 per day", 465],
    ["15 a day", 465],
    ["15 times a day", 465],
    ["15x daily", 465],
    ["15d", 465],
    ["1.2k/day", 37_200],
    ["1,200/day", 37_200],
    ["4.3/day", 134],
    ["4,3/day", 134],
    ["0.333/day", 11],
    ["1.1 a week", 6],
    ["4/week", 20],
    ["4/wk", 20],
    ["2 per weekday", 46],
    ["2/hour", 1_488],
    ["1 every 2 hours", 372],
    ["every 2 hours", 372],
    ["every 15 minutes", 2_976],
    ["every weekday", 23],
    ["hourly", 744],
    ["Daily", 31],
    ["per day", 31],
    ["a day", 31],
    ["weekly", 5],
    ["monthly", 1],
    ["3 x/mo", 3],
    ["10000000", 10_000_000],
  ])("%j are %p", (cell, runs) => {
    const { value, problem } = readRuns(cell);
    expect(problem === undefined ? value : undefined).toBe(runs);
  });

  const NONE = "must be a number, such as 1,200, or a rate, such as 15/day";
  test.each([
    ["", "must not be blank"],
    ["often", NONE],
    ["-3", NONE],
    ["12.5", NONE],
    ["1.2", NONE],
    ["1,00", NONE],
    ["1.200k", NONE],
    ["2026-11-01", NONE],
    ["1,00,000", NONE],
    ["1,200.300", NONE],
    ["1.333/day", NONE],
    ["1.2m", NONE],
    ["45 per run", NONE],
    ["15 or so", NONE],
    ["9".repeat(13), NONE],
    ["10000001", "must be at most 10,000,000"],
  ])("are not %j", (cell, problem) => {
    expect(readRuns(cell).problem).toBe(problem);
  });
});

describe("the action steps", () => {
  test.each([
    ["2", undefined],
    ["**2**", undefined],
    ["100", undefined],
    ["101", "must be at most 100"],
    ["0", "must be at least 1"],
    ["", "must not be blank"],
    ["two", "must be a whole number, such as 2"],
    ["2/day", "must be a whole number, such as 2"],
    ["1.5", "must be a whole number, such as 2"],
  ])("of %j: %p", (cell, problem) => {
    expect(readSteps(cell).problem).toBe(problem);
  });
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
  [
    "Daily summary;Total sales report;Total sync;Total 2025;Total (2 Zaps);Summary;Tasks;Monthly;",
    false,
  ],
])("the names %s say that they are totals: %p", (names, isOne) => {
  for (const name of names.split(";")) expect([name, isTotal(name)]).toEqual([name, isOne]);
});
