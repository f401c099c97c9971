import { expect, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { commandLine } from "./support.ts";

const RULES = '{"filters":[{"from":["@shop.example"],"label":"Bills"}]}';
const MAILS =
  "From 1@xxx Mon Jan 05 10:00:00 +0000 2026\nFrom: a@shop.example\nSubject: Invoice\n\ntext\n\n".repeat(
    8,
  );

test("Ctrl-C stops it, and it prints what was counted", async () => {
  const { out, error, exitCode } = await commandLine(["mail-try", "rules.json", "All.mbox"], {
    files: { "rules.json": RULES, "All.mbox": MAILS },
    onInterrupt: (listener) => listener(),
  });
  expect(out).toStartWith("0 mails tried");
  expect({ error, exitCode }).toEqual({ error: "info: stopped after 0 mails\n", exitCode: 130 });
});

test.skipIf(process.platform === "win32")(
  "Ctrl-C stops it while standard input is silent",
  async () => {
    const rules = `${process.env.TMPDIR ?? "/tmp"}/mail-try-${process.pid}.json`;
    await Bun.write(rules, RULES);
    const running = Bun.spawn([process.execPath, "cli/main.ts", "mail-try", rules, "-"], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
      timeout: 20_000,
      killSignal: "SIGKILL",
    });
    running.stdin.write(MAILS);
    await running.stdin.flush();
    // It listens to signals when it has begun to read.
    await Bun.sleep(2000);
    running.kill("SIGINT");
    const out = await new Response(running.stdout).text();
    const error = await new Response(running.stderr).text();
    await running.exited;
    await Bun.file(rules).delete();
    expect(out).toMatch(/^\d mails? tried/);
    expect(error).toMatch(/^info: stopped after \d mails?\n$/);
    expect(running.signalCode).toBe("SIGINT");
  },
);

test("gzip is unpacked by the process itself", async () => {
  const { readStream } = await import("../../cli/files/read-stream.ts");
  const path = `${process.env.TMPDIR ?? "/tmp"}/mail-try-${process.pid}.gz`;
  // Of many chunks, each of which is overwritten by the next one.
  const text = randomBytes(2_000_000);
  const packed = gzipSync(text);
  const read = async () => {
    const hash = createHash("sha256");
    for await (const chunk of (await readStream(path)).chunks) hash.update(chunk);
    return hash.digest("hex");
  };
  await Bun.write(path, packed);
  expect(await read()).toBe(createHash("sha256").update(text).digest("hex"));
  await Bun.write(path, packed.subarray(0, packed.length / 2));
  await expect(read()).rejects.toThrow("is truncated");
  await Bun.file(path).delete();
});

test("a folder is no mailbox", async () => {
  const { readStream } = await import("../../cli/files/read-stream.ts");
  const { chunks } = await readStream(import.meta.dir);
  const read = (async () => {
    for await (const chunk of chunks) throw new Error(`${chunk.length} bytes`);
  })();
  await expect(read).rejects.toThrow("is a folder, in which other programs keep mail: take");
});
