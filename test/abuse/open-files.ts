import { readdirSync } from "node:fs";

/** How many files and connections a process has open; undefined where the system does not say. */
export function openFiles(pid: number): number | undefined {
  return process.platform === "linux" ? readdirSync(`/proc/${pid}/fd`).length : undefined;
}

/** A few that come and go, such as the connections of the health probe. */
const SPARE = 10;

/** Waits until a process has let go of the connections it had. */
export async function waitForRelease(
  pid: number,
  before: number | undefined,
  milliseconds: number,
): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (before !== undefined && (openFiles(pid) ?? 0) > before + SPARE) {
    if (performance.now() > deadline) throw new Error(`${openFiles(pid)} files are still open`);
    await Bun.sleep(100);
  }
}
