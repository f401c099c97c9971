import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { whileLocked } from "../../../cli/files/edit.ts";
import { installAtOnce } from "../../support/installs-at-once.ts";
import { runs } from "../../support/runs.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "handtools-"));
  file = join(folder, "a.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The number of a process that has ended. */
const GONE = Bun.spawnSync(["true"]).pid;

const lockOf = (owner: string) => writeFileSync(join(folder, ".a.json.handtools.lock"), owner);

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

  test("takes the lock of a process that is gone, one of many at a time", async () => {
    lockOf(`${GONE} ${hostname()}\n`);
    let working = 0;
    const work = async () => {
      working += 1;
      await Bun.sleep(1);
      expect(working).toBe(1);
      working -= 1;
    };
    await Promise.all(Array.from({ length: 12 }, () => whileLocked(file, work)));
    expect(readdirSync(folder)).toEqual([]);
  });

  test("leaves a leftover to the run that already removes it", async () => {
    lockOf(`${GONE} ${hostname()}\n`);
    const guard = join(folder, ".a.json.handtools.lock.leftover");
    writeFileSync(guard, "");
    const work = async () => readdirSync(folder);
    await expect(whileLocked(file, work, 20)).rejects.toThrow(`(process ${GONE} on ${hostname()})`);
    setTimeout(() => rmSync(guard), 30);
    expect(await whileLocked(file, work)).toEqual([".a.json.handtools.lock"]);
  });

  test("takes the lock of an older version too", async () => {
    lockOf(`${GONE} ${hostname()} 3f0e\n`);
    expect(await whileLocked(file, async () => "done")).toBe("done");
  });

  test.if(process.platform !== "win32")(
    "reads no more of a lock than a file may hold",
    async () => {
      symlinkSync("/dev/zero", join(folder, ".a.json.handtools.lock"));
      await expect(whileLocked(file, async () => "done")).rejects.toThrow("is larger than 32 MiB");
    },
  );

  test.each([
    ["a process that runs", `${process.pid} ${hostname()}\n`, `(process ${process.pid} on `],
    ["another host", `${GONE} elsewhere.example\n`, `(process ${GONE} on elsewhere.example)`],
    ["a process that is not known", "", "is changing it; try again"],
  ])("leaves the lock of %s", async (_, owner, named) => {
    lockOf(owner);
    const work = async () => "done";
    const error = await whileLocked(file, work, 20).catch(String);
    expect(error).toContain(`${file}: another run of handtools is changing it`);
    expect(error).toContain(named);
    expect(readdirSync(folder)).toEqual([".a.json.handtools.lock"]);
  });

  test.if(process.platform !== "win32")(
    "removes the lock and the unfinished file when a signal ends the work",
    async () => {
      const program = `
      import { whileLocked } from ${JSON.stringify(join(import.meta.dir, "../../../cli/files/edit.ts"))};
      import { replaceFile } from ${JSON.stringify(join(import.meta.dir, "../../../cli/files/replace.ts"))};
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
      ]);
      child.kill("SIGTERM");
      await child.exited;
      expect({ signal: child.signalCode, files: readdirSync(folder) }).toEqual({
        signal: "SIGTERM",
        files: [],
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
