import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { whileLocked } from "../../../cli/files/lock.ts";

const main = join(import.meta.dir, "../../../cli/main.ts");
let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "handtools-"));
  file = join(folder, "a.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

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
    const { pid } = Bun.spawnSync(["true"]);
    lockOf(`${pid} ${hostname()}\n`);
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

  test.each([
    ["a process that runs", `${process.pid} ${hostname()}\n`, `(process ${process.pid} on `],
    ["another host", "1 elsewhere.example\n", "(process 1 on elsewhere.example)"],
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
    "removes the lock when a signal ends the work",
    async () => {
      const program = `
      import { whileLocked } from ${JSON.stringify(join(import.meta.dir, "../../../cli/files/lock.ts"))};
      await whileLocked(${JSON.stringify(file)}, () => new Promise(() => {
        setInterval(() => {}, 1000);
        console.log("working");
      }));`;
      const child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe" });
      await child.stdout.getReader().read();
      expect(readdirSync(folder)).toEqual([".a.json.handtools.lock"]);
      child.kill("SIGTERM");
      await child.exited;
      expect({ signal: child.signalCode, files: readdirSync(folder) }).toEqual({
        signal: "SIGTERM",
        files: [],
      });
    },
  );
});

test.each([
  ["cursor", "mcp.json", (text: string) => Object.keys(JSON.parse(text).mcpServers)],
  ["codex", "config.toml", (text: string) => Object.keys(Object(Bun.TOML.parse(text)).mcp_servers)],
] as const)(
  "12 installs at once into a file of %s lose no server",
  async (client, name, servers) => {
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
    const path = join(folder, name);
    const codes = await Promise.all(
      names.map((server) => {
        const argv = ["mcp-install", "--client", client, "--file", path, "--name", server];
        return Bun.spawn([process.execPath, main, ...argv, "--command", "b"], { stdout: "ignore" })
          .exited;
      }),
    );
    expect(codes).toEqual(names.map(() => 0));
    expect(servers(readFileSync(path, "utf8")).sort()).toEqual([...names].sort());
  },
);
