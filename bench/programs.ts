import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../test/support/free-port.ts";

/** Runs a server, on the port in its variable PORT and without its output, while it is used. */
export async function withProgram<Result>(
  { words, environment }: Command,
  use: (program: Program) => Promise<Result>,
): Promise<Result> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "handtools-bench-"));
  const child = Bun.spawn([process.execPath, ...words], {
    env: {
      ...process.env,
      // Ours opens a database, although nobody signs up here.
      DATABASE_URL: `file:${join(folder, "handtools.sqlite")}`,
      ...environment,
      PORT: String(port),
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    const deadline = performance.now() + START_MS;
    while (!(await isListening(port))) {
      const isLate = performance.now() > deadline;
      if (isLate || child.exitCode !== null) throw new Error(`${words.join(" ")} does not listen`);
      await Bun.sleep(50);
    }
    return await use({ pid: child.pid, port });
  } finally {
    child.kill();
    await child.exited;
    rmSync(folder, { recursive: true });
  }
}

const isListening = (port: number): Promise<boolean> =>
  Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } }).then(
    (socket) => {
      socket.end();
      return true;
    },
    () => false,
  );

/** How to start a server: a script for Bun with its arguments, and its environment. */
export interface Command {
  readonly words: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Program {
  readonly pid: number;
  readonly port: number;
}

/** A server must listen within this time. */
const START_MS = 10_000;

/** Our server, with its log or without it. */
export const handtools = (log: "json" | "off" = "off"): Command => ({
  words: [join(import.meta.dir, "../cli/main.ts"), "serve"],
  environment: { LOG: log },
});

/** One of the servers with which ours is compared. */
export const baseline = (name: string): Command => ({
  words: [join(import.meta.dir, "baselines.ts"), name],
});
