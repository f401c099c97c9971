import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realPath } from "../../../cli/files/write-file.ts";

const main = join(import.meta.dir, "../../../cli/main.ts");
let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "handtools-")));
  mkdirSync(join(folder, "project/config"), { recursive: true });
  for (const [link, target] of Object.entries(links)) symlinkSync(target, join(folder, link));
});
afterEach(() => rmSync(folder, { recursive: true }));

const links = {
  "project/.inside": "config",
  "project/.outside": "../elsewhere",
  "project/.twice": ".outside/deeper",
  "project/file.json": "config/../../file.json",
};

describe.if(process.platform !== "win32")("realPath()", () => {
  test.each([
    ["a path without links", "project/config/mcp.json", "project/config/mcp.json"],
    ["folders that do not exist", "project/no/such/mcp.json", "project/no/such/mcp.json"],
    ["a link of a folder", "project/.inside/mcp.json", "project/config/mcp.json"],
    ["a link to a folder that does not exist", "project/.outside/mcp.json", "elsewhere/mcp.json"],
    ["a link through a link", "project/.twice/mcp.json", "elsewhere/deeper/mcp.json"],
    ["a link of the file", "project/file.json", "file.json"],
  ])("follows %s", async (_, path, real) => {
    expect(await realPath(join(folder, path))).toBe(join(folder, real));
  });
});

describe.if(process.platform !== "win32")("a project with links", () => {
  test.each([".outside", ".twice"])("has nothing made behind %s", (target) => {
    symlinkSync(target, join(folder, "project/.cursor"));
    const argv = ["mcp", "add", "--client", "cursor", "--scope", "project"];
    const { exitCode, stderr } = Bun.spawnSync(
      [process.execPath, main, ...argv, "--name", "a", "--command", "b", "--env", "TOKEN=s3cret"],
      { cwd: join(folder, "project"), timeout: 20_000 },
    );
    expect(exitCode).toBe(2);
    expect(stderr.toString()).toContain(".cursor/mcp.json: links to");
    expect(existsSync(join(folder, "elsewhere"))).toBe(false);
  });
});
