import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFile } from "../../../cli/files/read-file.ts";

const main = join(import.meta.dir, "../../../cli/main.ts");
const input = JSON.stringify({ name: "a", command: "b" });
const TOO_LARGE = "is larger than 32 MiB\n";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "handtools-"));
  writeFileSync(join(folder, "in.json"), input);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a script of bash in the folder, where `config` makes a config of its input. */
function bash(script: string) {
  const prelude = `config() { "$BUN" "$MAIN" mcp-config "$@" --client cursor; }; `;
  const { stdout, stderr, exitCode } = Bun.spawnSync(["bash", "-c", prelude + script], {
    cwd: folder,
    env: { ...process.env, BUN: process.execPath, MAIN: main },
    timeout: 20_000,
  });
  return { out: stdout.toString(), error: stderr.toString(), exitCode };
}

describe.if(process.platform !== "win32")("a file of the command line", () => {
  test.each([
    ["standard input", "config - < in.json"],
    ["standard input by its path", "cat in.json | config /dev/stdin"],
    ["a shell's <(…)", "config <(cat in.json)"],
    [
      "a slow pipe",
      "mkfifo p; { head -c 9 in.json; sleep 0.1; tail -c +10 in.json; } > p & config p",
    ],
  ])("may be %s", (_, script) => {
    const { exitCode, out, error } = bash(script);
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
    expect(JSON.parse(out)).toEqual({ mcpServers: { a: { type: "stdio", command: "b" } } });
  });

  test.each([
    ["a file", "config large", "large"],
    ["a device without an end", "config /dev/zero", "/dev/zero"],
    ["standard input", "config - < /dev/zero", "standard input"],
    ["a file to compare with", "config in.json -o large --check", "large"],
    [
      "a client's file",
      `"$BUN" "$MAIN" mcp list --client cursor --config-file /dev/zero`,
      "/dev/zero",
    ],
  ])("is rejected when it is too large: %s", (_, script, name) => {
    writeFileSync(join(folder, "large"), "");
    truncateSync(join(folder, "large"), 1024 ** 3);
    const { out, error } = bash(script);
    expect({ out, error }).toEqual({ out: "", error: `error: ${name}: ${TOO_LARGE}` });
  });

  test("must not be a pipe where a client's file is read, which nobody may write to", () => {
    const { error } = bash(
      'mkfifo lone; "$BUN" "$MAIN" mcp list --client cursor --config-file lone',
    );
    expect(error).toBe("error: lone: must be a regular file\n");
  });

  test("is read once where it is a stream, also to name the flag that reads it", () => {
    const exported = `"$BUN" "$MAIN" mail-filter --from a@x.org --label A --skip-inbox`;
    const { error } = bash(`"$BUN" "$MAIN" mail-filter <(${exported})`);
    expect(error).toMatch(/is not an input; try handtools mail-filter read \/dev\/fd\/\d+\n/);
  });

  test("is what a limit allows, and no byte more", async () => {
    const file = join(folder, "four");
    writeFileSync(file, "1234");
    expect(await readFile(file, 4)).toEqual(Buffer.from("1234"));
    await expect(readFile(file, 3)).rejects.toThrow(`${file}: is larger than`);
  });
});
