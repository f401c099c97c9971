import { describe, expect, test } from "bun:test";
import { commandLine } from "./support.ts";

describe("a run that takes seconds", () => {
  const filters = Array.from({ length: 300 }, (_, index) => ({
    name: "n".repeat(80),
    from: [`a@${"x".repeat(60)}${index}.com`],
    label: "l".repeat(100),
  }));
  const files = { "f.json": JSON.stringify({ filters }) };
  const run = (argv: readonly string[], world: object) =>
    commandLine(["mail-filter", ...argv], { files, errorIsTerminal: true, ...world });

  test("says so on a terminal, and wipes it away", async () => {
    const shown = "\r\u001b[K300 filters …\r\u001b[K";
    const { out, error } = await run(["f.json"], {});
    expect(error).toBe(shown);
    expect((await run(["f.json", "--merge", "--json"], {})).error).toStartWith(shown);
    const read = await run(["--read", "-"], { stdin: out });
    expect(read.error).toBe("\r\u001b[Kreading standard input …\r\u001b[K");
    const broken = JSON.stringify({ filters: [...filters, { label: "a" }] });
    const rejected = await run(["-"], { stdin: broken });
    expect(rejected.error).toMatch(/^\r\u001b\[K301 filters …\r\u001b\[K.*error/);
  });

  test.each([
    ["a pipe", [], { errorIsTerminal: false }],
    ["--quiet", ["--quiet"], {}],
    ["another reporter", ["--reporter", "json"], {}],
  ])("says nothing with %s", async (_, argv, world) => {
    expect((await run(["f.json", ...argv], world)).error).toBe("");
  });

  test("says nothing where it is short", async () => {
    const stdin = JSON.stringify({ filters: filters.slice(0, 20) });
    expect((await run(["-"], { stdin })).error).toBe("");
  });
});
