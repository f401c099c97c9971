import { describe, expect, test } from "bun:test";
import { commandLine } from "./support.ts";

describe("an internal error", () => {
  const argv = ["mcp", "add", "--client", "cursor", "--self"];
  const world = (environment: Readonly<Record<string, string>>) => ({
    environment,
    get ownCommand(): readonly string[] {
      throw new Error("a bug");
    },
  });
  const line = "error: this is a bug in handtools; ";

  test("is one line", async () => {
    expect(await commandLine(argv, world({}))).toMatchObject({
      exitCode: 1,
      out: "",
      error: `${line}set DEBUG=1 to see the stack\n`,
    });
  });

  test("has its stack with DEBUG=1", async () => {
    const { exitCode, error } = await commandLine(argv, world({ DEBUG: "1" }));
    expect(exitCode).toBe(1);
    expect(error).toStartWith(`${line}please report it with these lines\nerror: Error: a bug\n`);
    expect(error).toContain("test/cli/run.test.ts");
  });
});

test("a run without a message does not ask whether standard error is a terminal", async () => {
  let isAsked = false;
  const world = {
    files: { "server.json": '{ "name": "files", "command": "npx" }' },
    get errorIsTerminal() {
      isAsked = true;
      return false;
    },
  };
  const { exitCode } = await commandLine(["mcp-config", "server.json", "--json"], world);
  expect({ exitCode, isAsked }).toEqual({ exitCode: 0, isAsked: false });
});
