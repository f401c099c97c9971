import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { whileLocked } from "../../../cli/files/write-file.ts";

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
      `${file}: another run of handtools is changing it; try again. If there is none, remove ${lock}`,
    );
    expect(readdirSync(folder)).toEqual([".a.json.handtools.lock"]);
  });

  test.if(process.platform !== "win32")(
    "removes the lock and the unfinished file when a signal ends the work",
    async () => {
      writeFileSync(file, "old");
      const program = `
      import { replaceFile, whileLocked } from ${JSON.stringify(join(import.meta.dir, "../../../cli/files/write-file.ts"))};
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
