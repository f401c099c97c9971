import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { commandLine } from "./support.ts";

/*
 * Behaviour that only a real process shows. Each script runs in a POSIX shell, with `handtools`
 * as a command and $big as an input with a large result.
 */
const main = join(import.meta.dir, "../../cli/main.ts");
const big = JSON.stringify({ name: "big", command: "x", args: Array(50).fill("y".repeat(1000)) });

function shell(script: string) {
  const prelude = `handtools() { "$BUN" "$MAIN" "$@"; }\n`;
  const { stdout, stderr, exitCode } = Bun.spawnSync(["sh", "-c", prelude + script], {
    env: { ...process.env, BUN: process.execPath, MAIN: main, big },
    timeout: 20_000,
  });
  return { out: stdout.toString(), error: stderr.toString(), exitCode };
}

const isPosix = process.platform !== "win32";
const hasFullDevice = existsSync("/dev/full");

describe.if(isPosix)("a process", () => {
  test("reads standard input and ends with the code of the run", () => {
    expect(shell(`echo '{"name":"a","command":"b"}' | handtools mcp-config -`).exitCode).toBe(0);
    const { exitCode, error } = shell(`echo '{"name":"a"' | handtools mcp-config -`);
    expect({ exitCode, error }).toEqual({
      exitCode: 2,
      error: "error: standard input:2:1: expected a closing }\n",
    });
  });

  test("takes a value from the environment", () => {
    const { out } = shell(
      "K=s3cret handtools mcp-config --name a --command b --env K --client codex",
    );
    expect(out).toContain('K = "s3cret"');
  });

  test("writes a large output whole to a slow reader", async () => {
    const { out } = shell(`echo "$big" | handtools mcp-config - --json | { sleep 0.3; cat; }`);
    expect(out.length).toBeGreaterThan(250_000);
    expect(out).toBe((await commandLine(["mcp-config", "-", "--json"], { stdin: big })).out);
  });

  test("adds to a file, whether or not it has something to report", () => {
    const { out } = shell(
      `log=$(mktemp); echo kept > "$log"
      handtools mail-filter --from a@x.example --label Shop --format search >> "$log" 2>&1
      handtools mail-filter --from a@x.example --forward-to b@x.example --format search >> "$log" 2>> "$log"
      cat "$log"; rm "$log"`,
    );
    expect(out.split("\n").map((line) => line.split(":")[0])).toEqual([
      "kept",
      "from",
      "warning",
      "from",
      "",
    ]);
  });

  test("ends quietly when the reader has seen enough", () => {
    const { out, error } = shell(
      `{ echo "$big" | handtools mcp-config - --json; echo "code $?" >&2; } | head -n 1`,
    );
    expect({ out, error }).toEqual({ out: "{\n", error: "code 0\n" });
  });

  test.if(hasFullDevice)("says that standard output is full", () => {
    for (const command of ["tools", "--help", "example mail-filter"]) {
      expect(shell(`handtools ${command} > /dev/full`)).toEqual({
        out: "",
        error: "error: standard output: no space left on the device\n",
        exitCode: 1,
      });
    }
  });

  test.if(hasFullDevice)("keeps its code when nobody can read the messages", () => {
    expect(shell("handtools nothing 2> /dev/full").exitCode).toBe(2);
  });
});
