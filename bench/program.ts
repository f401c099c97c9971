import { probe } from "../server/lifecycle.ts";

/** How to start a server: a script for Bun with its arguments, and its environment. */
export interface Command {
  readonly words: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** A server in a process of its own. */
export interface Program {
  readonly pid: number;
  readonly port: number;
}

/** It has this long to begin to listen. */
const START_MS = 10_000;

/**
 * Runs a server as long as it is used. It listens on the port in its variable PORT; what it
 * prints goes to /dev/null.
 */
export async function withProgram<Result>(
  { words, environment }: Command,
  use: (program: Program) => Promise<Result>,
): Promise<Result> {
  const port = await probe("127.0.0.1", 0);
  const child = Bun.spawn([process.execPath, ...words], {
    env: { ...process.env, ...environment, PORT: String(port) },
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
