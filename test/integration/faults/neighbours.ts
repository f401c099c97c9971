import { Database } from "bun:sqlite";
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Line {
  readonly near: net.Socket;
  /** Nothing passes any more in either direction, not even that the other end has closed. */
  isCut: boolean;
}

/**
 * A relay on this machine in front of another server, whose machine can die.
 *
 * @param target the neighbour's URL, with its port.
 */
export async function openRelay(target: string) {
  const lines = new Set<Line>();
  let isSilent = false;
  const server = net.createServer({ allowHalfOpen: true }, (near) => {
    const far = net.connect(Number(new URL(target).port), "127.0.0.1");
    const line: Line = { near, isCut: isSilent };
    lines.add(line);
    near.on("data", (bytes) => line.isCut || far.write(bytes));
    far.on("data", (bytes) => line.isCut || near.write(bytes));
    far.on("close", () => line.isCut || near.destroy());
    near.on("end", () => line.isCut || near.end());
    near.on("close", () => {
      lines.delete(line);
      far.destroy();
    });
    // A broken socket is closed after it, which is enough here.
    for (const socket of [near, far]) socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the relay has no port");
  const url = new URL(target);
  url.port = String(address.port);
  return {
    /** The other server's URL by way of this relay. */
    url: url.href,
    /** Every connection, old or new, is open and says nothing: the machine behind it is dead. */
    begin: () => {
      isSilent = true;
      for (const line of lines) line.isCut = true;
    },
    /** New connections work. Those that have fallen silent stay so. */
    end: () => {
      isSilent = false;
    },
    [Symbol.dispose]: () => {
      server.close();
      for (const { near } of lines) near.destroy();
    },
  };
}

/** The place of a SQLite file in a folder of its own, or in the one that is given. */
export function sqliteFile(given?: string) {
  const folder = given ?? mkdtempSync(join(tmpdir(), "handtools-faults-"));
  const path = join(folder, "signups.sqlite");
  return {
    path,
    url: `file:${path}`,
    /** What is stored, read beside the server. */
    query: (sql: string): string[] => {
      using file = new Database(path);
      return file
        .query<[string], []>(sql)
        .values()
        .map(([value]) => String(value));
    },
    [Symbol.dispose]: () => {
      if (given === undefined) rmSync(folder, { recursive: true });
    },
  };
}

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
    begin: () => {
      const file = openSync(filler, "w");
      try {
        for (;;) writeSync(file, new Uint8Array(4_096));
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      } finally {
        closeSync(file);
      }
    },
    end: () => rmSync(filler),
    [Symbol.dispose]: () => {
      // Lazily: a process that has just been killed may still hold a file.
      run("umount", "--lazy", folder);
      rmdirSync(folder);
    },
  };
}
