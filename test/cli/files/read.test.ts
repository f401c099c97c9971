import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readFile, readStream } from "../../../cli/files/read.ts";

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
      "a named pipe that is written slowly",
      `mkfifo pipe; { head -c 9 in.json; sleep 0.1; tail -c +10 in.json; } > pipe & config pipe`,
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
    ["a file to compare with", "config in.json --check large", "large"],
    ["a client's file", `"$BUN" "$MAIN" mcp-list --client cursor --file /dev/zero`, "/dev/zero"],
  ])("is rejected when it is too large: %s", (_, script, name) => {
    writeFileSync(join(folder, "large"), "");
    truncateSync(join(folder, "large"), 1024 ** 3);
    const { out, error } = bash(script);
    expect({ out, error }).toEqual({ out: "", error: `error: ${name}: ${TOO_LARGE}` });
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

describe("readStream()", () => {
  // Of many chunks.
  const bytes = randomBytes(2_000_000);
  const write = (content: Uint8Array) => writeFileSync(join(folder, "mail"), content);
  const readAll = async (path: string) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await readStream(path)) chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  test.each([
    ["a file", bytes, bytes],
    ["gzip, which it unpacks", gzipSync(bytes), bytes],
    ["an empty file", new Uint8Array(), new Uint8Array()],
    ["a file with one byte of gzip's mark", Buffer.from("\u001fa"), Buffer.from("\u001fa")],
  ])("reads %s", async (_, file, text) => {
    write(file);
    expect((await readAll(join(folder, "mail"))).equals(text)).toBe(true);
  });

  const mailTry = () => bash(`"$BUN" "$MAIN" mail-try <("$BUN" "$MAIN" example mail-filter) mail`);

  test("fails for gzip that is cut off", () => {
    const mail = `From: a@b.example\nSubject: x\n\n${randomBytes(1000).toString("hex")}`;
    write(gzipSync(mail).subarray(0, 500));
    expect(mailTry()).toMatchObject({ exitCode: 1, error: "error: mail: is truncated\n" });
  });

  test("fails for a folder, which is no mailbox", () => {
    mkdirSync(join(folder, "mail"));
    expect(mailTry().error).toContain("mail: is a folder, in which other programs keep mail: take");
  });

  test.if(process.platform === "linux")("closes a file that is not read to its end", async () => {
    const open = readdirSync("/proc/self/fd").length;
    for (const content of [bytes, gzipSync(bytes)]) {
      write(content);
      for (let run = 0; run < 10; run += 1) {
        for await (const _ of await readStream(join(folder, "mail"))) break;
      }
    }
    expect(readdirSync("/proc/self/fd").length).toBeLessThan(open + 10);
  });
});
