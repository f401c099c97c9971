import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandLine } from "./support.ts";

/** They run until they are stopped or their client leaves, need an address that has signed up, or are a flag. */
const NOT_RUN = ["serve", "signups", "help"];

const MODES = [
  ...["read", "diff", "additions", "merge", "test", "preview"].map((mode) => ["mail-filter", mode]),
  ...["read", "breakpoints"].map((mode) => ["automation-cost", mode]),
  ...["read", "readme"].map((mode) => ["mcp-config", mode]),
  ...["add", "remove", "list", "doctor"].map((mode) => ["mcp", mode]),
];

const main = join(import.meta.dir, "../../cli/main.ts");
const help = (await commandLine(["--help"])).out;
const commands = [...help.matchAll(/^ {2}([a-z][a-z-]+) /gm)].map(([, name = ""]) => name);

/** The only file of the user. */
const CURSOR = '{ "mcpServers": { "notes": { "url": "https://notes.example.com/mcp" } } }';

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "handtools-"));
  mkdirSync(join(folder, ".cursor"));
  writeFileSync(join(folder, ".cursor/mcp.json"), CURSOR);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a line in a POSIX shell, in a folder that is also the user's home. */
function shell(line: string) {
  const script = `handtools() { "$BUN" "$MAIN" "$@"; }\n${line}`;
  const { exitCode, stdout, stderr } = Bun.spawnSync(["sh", "-c", script], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, BUN: process.execPath, MAIN: main },
    timeout: 20_000,
  });
  return { exitCode, out: stdout.toString(), error: stderr.toString() };
}

/** Lines without files and quotes, which need no shell and no process. */
const isPlain = (line: string): boolean => /^handtools[\w ./:@,|-]*$/.test(line);

async function inMemory(line: string) {
  const ended = { exitCode: 0, out: "", error: "" };
  for (const part of line.split(" | ")) {
    const files = { [join(folder, ".cursor/mcp.json")]: CURSOR };
    const world = { stdin: ended.out, environment: { HOME: folder }, files };
    const { exitCode, out, error } = await commandLine(part.split(" ").slice(1), world);
    Object.assign(ended, { exitCode, out, error: ended.error + error });
  }
  return ended;
}

describe.if(process.platform !== "win32")("the examples of --help run:", () => {
  const done = new Set<string>();
  const named = commands.filter((name) => !NOT_RUN.includes(name)).map((name) => [name]);
  for (const words of [[], ...named, ...MODES]) {
    test(["handtools", ...words].join(" "), async () => {
      const { out } = await commandLine([...words, "--help"]);
      const lines = [...out.matchAll(/^ {2}\$ (.*)$/gm)].map(([, line = ""]) => line);
      expect(lines.length).toBeGreaterThan(0);
      const run = lines.every(isPlain) ? inMemory : shell;
      for (const line of lines.filter((other) => !done.has(other))) {
        done.add(line);
        const { exitCode, error } = await run(line);
        const complaints = error.match(/^(?:warning|error): .*/gm);
        expect({ line, exitCode, complaints }).toEqual({ line, exitCode: 0, complaints: null });
      }
    });
  }
});
