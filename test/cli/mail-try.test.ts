import { expect, test } from "bun:test";
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
