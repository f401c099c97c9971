import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { exchange, openConnection } from "../server/connection.ts";
import { inParallel, upTo } from "./in-parallel.ts";
import { openFiles, waitForRelease } from "./open-files.ts";
import type { Scenario } from "./scenario.ts";
import { toolRequest } from "./tool-request.ts";

const AT_A_TIME = 100;
const CALLS_MEANWHILE = 200;
const RELEASE_MS = 40_000;

/** Files a process needs for everything else. */
const RESERVED = 200;

/** How many files a process may have open. Bun has raised it as far as the system lets it. */
function fileLimit(): number {
  if (process.platform !== "linux") return 1_024;
  const limits = readFileSync("/proc/self/limits", "utf8");
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? 1_024);
}

/** Thousands who have asked something and keep the connection. */
export const idleConnections: Scenario = {
  title: "idle connections keep nobody waiting, and are closed in the end",

  async run({ pid, port, times }) {
    const before = openFiles(pid);
    const count = Math.min(times(2_000, 10_000), fileLimit() - RESERVED);
    const connections: Awaited<ReturnType<typeof openConnection>>[] = [];
    const call = async (mark: string) => {
      const { bytes, answer } = toolRequest(mark);
      expect(await exchange(port, bytes)).toMatchObject(answer);
    };
    await inParallel(upTo(count), AT_A_TIME, async (index) => {
      const connection = await openConnection(port);
      connections.push(connection);
      const { bytes, answer } = toolRequest(`idle-${index}`);
      connection.send(bytes);
      expect(await connection.response()).toMatchObject(answer);
    });
    const open = connections.filter(({ isClosed }) => !isClosed).length;
    await inParallel(upTo(CALLS_MEANWHILE), 8, (index) => call(`meanwhile-${index}`));
    await Promise.all(connections.map((connection) => connection.closed(RELEASE_MS)));
    await waitForRelease(pid, before, RELEASE_MS);
    return `${count} connections, ${open} of them open at a time`;
  },
};
