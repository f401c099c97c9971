import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../support/free-port.ts";
import { outcomeOf, waitUntil } from "./expect.ts";

const run = (...command: readonly string[]) => Bun.spawnSync([...command]);

/** True when this process may mount, which needs root, and more than a container's root. */
export const mayMount = (): boolean => run("unshare", "--mount", "true").success;

/** A file system of 16 MB, which lasts until it is disposed of. */
export function smallDisk() {
  const folder = mkdtempSync(join(tmpdir(), "handtools-disk-"));
  const mounted = run("mount", "-t", "tmpfs", "-o", "size=16m", "handtools", folder);
  if (!mounted.success) throw new Error(`mount failed: ${mounted.stderr}`);
  const filler = join(folder, "filler");
  return {
    folder,
    /** Leaves no byte free. */
    fill: () => {
      const file = openSync(filler, "w");
      try {
        for (;;) writeSync(file, new Uint8Array(4_096));
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler),
    /** Nothing on it can be written any more, or again. No file on it may be open for that. */
    allowWrites: (isAllowed: boolean) => {
      const done = run("mount", "-o", `remount,${isAllowed ? "rw" : "ro"}`, folder);
      if (!done.success) throw new Error(`remount failed: ${done.stderr}`);
    },
    [Symbol.dispose]: () => {
      // Lazily: a process that has just been killed may still hold a file.
      run("umount", "--lazy", folder);
      rmdirSync(folder);
    },
  };
}

const root = join(import.meta.dir, "../../..");

/**
 * A server whose standard output and standard error are this file, known by its port and not by
 * what it prints.
 */
export async function startLoggingServer(databaseUrl: string, path: string) {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const child = Bun.spawn([process.execPath, "cli/main.ts", "serve", "--port", String(port)], {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", DATABASE_URL: databaseUrl },
    stdio: ["ignore", Bun.file(path), Bun.file(path)],
  });
  /** Asked for what is logged. */
  const answers = async () =>
    (await outcomeOf(`${base}/api/tools`, undefined, 5_000)).outcome.startsWith("200 ");
  await waitUntil("the server", answers);
  return {
    answers,
    /** The exit code after SIGTERM. */
    stop: async () => {
      child.kill("SIGTERM");
      return child.exited;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** A process that reads a pipe, as a program does that ships logs. */
export function openLogReader(folder: string) {
  const path = join(folder, "log");
  const made = Bun.spawnSync(["mkfifo", path]);
  if (!made.success) throw new Error(`mkfifo failed: ${made.stderr}`);
  const reader = Bun.spawn(["cat", path], { stdio: ["ignore", "pipe", "inherit"] });
  const text = new Response(reader.stdout).text();
  return {
    path,
    stick: () => reader.kill("SIGSTOP"),
    goOn: () => reader.kill("SIGCONT"),
    leave: async () => {
      reader.kill("SIGKILL");
      await reader.exited;
    },
    /** All that it has read; it waits for the end. */
    text: () => text,
    [Symbol.dispose]: () => reader.kill("SIGKILL"),
  };
}
