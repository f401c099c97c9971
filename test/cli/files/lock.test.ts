import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { whileLocked } from "../../../cli/files/write-file.ts";
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

/** Pairs of servers, each for a process. */
const PAIRS = Array.from({ length: 12 }, (_, index) => [`a${index}`, `b${index}`]);

test.each([
  ["cursor", ".json", (text: string) => JSON.parse(text).mcpServers],
  ["codex", ".toml", (text: string) => Object(Bun.TOML.parse(text)).mcp_servers],
] as const)(
  "of 12 installs at once for %s, by three processes, none loses a server",
  async (client, end, serversIn) => {
    const answers = new Map<number, (code: number) => void>();
    const worker = join(import.meta.dir, "command-line-worker.ts");
    const workers = Array.from({ length: 3 }, () =>
      Bun.spawn([process.execPath, worker], {
        stdout: "ignore",
        ipc: ({ id, code }) => answers.get(id)?.(code),
      }),
    );
    try {
      for (let round = 0; round < runs(2); round += 1) {
        const path = join(folder, `${round}${end}`);
        const codes = PAIRS.map((names, index) => {
          const config = join(folder, `${round}.${index}.config`);
          const entries = names.map((name) => [name, { command: "b" }]);
          writeFileSync(config, JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
          const id = answers.size;
          const argv = ["mcp", "add", config, "--client", client, "--config-file", path];
          workers[index % workers.length]?.send({ id, argv });
          return new Promise<number>((resolve) => answers.set(id, resolve));
        });
        expect(new Set(await Promise.all(codes))).toEqual(new Set([0]));
        const installed = Object.keys(serversIn(readFileSync(path, "utf8")));
        expect(installed.toSorted()).toEqual(PAIRS.flat().toSorted());
      }
    } finally {
      for (const child of workers) child.kill();
    }
  },
);
