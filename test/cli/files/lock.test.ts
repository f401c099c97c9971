import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { whileLocked } from "../../../cli/files/write.ts";
import { installAtOnce } from "../../support/installs-at-once.ts";
import { runs } from "../../support/runs.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "handtools-"));
  file = join(folder, "a.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("whileLocked()", () => {
  test("lets one work at a time, and leaves nothing", async () => {
    let working = 0;
    let most = 0;
    const work = async () => {
      working += 1;
      most = Math.max(most, working);
      await Bun.sleep(1);
      working -= 1;
    };
    await Promise.all(Array.from({ length: 12 }, () => whileLocked(file, work)));
    expect({ most, files: readdirSync(folder) }).toEqual({ most: 1, files: [] });
  });

  test("removes the lock when the work fails", async () => {
    const work = () => Promise.reject(new Error("no"));
    await expect(whileLocked(file, work)).rejects.toThrow("no");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("leaves the lock of another run, and says how to remove one that was left", async () => {
    const lock = join(folder, ".a.json.handtools.lock");
    writeFileSync(lock, "");
    await expect(whileLocked(file, async () => "done", 20)).rejects.toThrow(
      `${file}: another run of handtools is changing it; try again, or remove ${lock} if there is none`,
    );
    expect(readdirSync(folder)).toEqual([".a.json.handtools.lock"]);
  });

  test.if(process.platform !== "win32")(
    "removes the lock and the unfinished file when a signal ends the work",
    async () => {
      writeFileSync(file, "old");
      const program = `
      import { replaceFile, whileLocked } from ${JSON.stringify(join(import.meta.dir, "../../../cli/files/write.ts"))};
      const approve = () => new Promise(() => {
        setInterval(() => {}, 1000);
        console.log("working");
      });
      const path = ${JSON.stringify(file)};
      await whileLocked(path, () => replaceFile(path, "secret", { isSecret: true, approve }));`;
      const child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe" });
      await child.stdout.getReader().read();
      expect(readdirSync(folder).toSorted()).toEqual([
        ".a.json.handtools.lock",
        expect.stringMatching(/^\.handtools-/),
        "a.json",
      ]);
      child.kill("SIGTERM");
      await child.exited;
      expect({ signal: child.signalCode, files: readdirSync(folder) }).toEqual({
        signal: "SIGTERM",
        files: ["a.json"],
      });
    },
  );
});

test("of 12 installs at once, by six processes, none loses a server", async () => {
  const answers = new Map<number, (code: number) => void>();
  const worker = join(import.meta.dir, "command-line-worker.ts");
  const workers = Array.from({ length: 6 }, () =>
    Bun.spawn([process.execPath, worker], {
      stdout: "ignore",
      ipc: ({ id, code }) => answers.get(id)?.(code),
    }),
  );
  try {
    for (let round = 0; round < runs(4); round += 1) {
      await installAtOnce(folder, round, (argv, index) => {
        const id = answers.size;
        workers[index % workers.length]?.send({ id, argv });
        return new Promise((resolve) => answers.set(id, resolve));
      });
    }
  } finally {
    for (const child of workers) child.kill();
  }
});
