import { describe, expect, test } from "bun:test";
import { commandLine } from "./support.ts";

const COST = ["automation-cost", "--action-steps", "1", "--runs-per-month", "1800"];

const linesOf = async (argv: readonly string[], outColumns?: number) => {
  const { out } = await commandLine(argv, {
    ...(outColumns !== undefined && { outColumns, outIsTerminal: true }),
    environment: { NO_COLOR: "1" },
  });
  return out.split("\n");
};

const longest = (lines: readonly string[]): number =>
  Math.max(...lines.map(({ length }) => length));

/** The notes of a result, each with its further lines. */
const notesIn = (lines: readonly string[]): readonly string[] =>
  lines.slice(lines.findIndex((line) => line.startsWith("- ")));

describe("the width of a terminal", () => {
  test.each([
    [60, 60],
    [80, 80],
    [200, 120],
  ])("of %d columns wraps notes and explanations at %d", async (columns, most) => {
    const notes = notesIn(await linesOf(COST, columns));
    expect(longest(notes)).toBeLessThanOrEqual(most);
    expect(longest(notes)).toBeGreaterThan(most - 20);
    const flat = notesIn(await linesOf(COST)).join("\n");
    expect(notes.join("\n").replaceAll("\n  ", " ")).toBe(flat);
    expect(longest(await linesOf(["explain", "plain-http"], columns))).toBeLessThanOrEqual(most);
  });

  test("of 60 columns wraps the help, but no line to copy", async () => {
    const help = await linesOf(["automation-cost", "--help"], 60);
    const long = help.filter((line) => line.length > 60 && !/^ {2}\$/.test(line));
    expect(long).toEqual([]);
  });

  test("of 0 columns is an unknown one", async () => {
    for (const argv of [COST, ["explain", "plain-http"], ["--help"], ["mcp-install", "--help"]]) {
      const unknown = { environment: { NO_COLOR: "1" }, outIsTerminal: true };
      expect(await linesOf(argv, 0)).toEqual((await commandLine(argv, unknown)).out.split("\n"));
    }
  });

  test("of a pipe wraps nothing, and JSON is never wrapped", async () => {
    expect(longest(await linesOf(COST))).toBeGreaterThan(200);
    expect(longest(await linesOf([...COST, "--json"], 60))).toBeGreaterThan(200);
  });
});
