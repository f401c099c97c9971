import net from "node:net";
import { join } from "node:path";
import { outcomeOf } from "../site/answer.ts";
import { waitUntil } from "../site/wait-until.ts";

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

/** A port that nobody listens on, as far as anyone can know. */
async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== "object" || address === null) throw new Error("there is no free port");
  return address.port;
}
