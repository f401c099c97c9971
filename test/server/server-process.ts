import { join } from "node:path";
import { sqlite } from "./signup/store-database.ts";

const root = join(import.meta.dir, "../..");

/**
 * `handtools serve` as a process of its own, on a free port of the loopback address. Its database
 * goes when it ends, unless the test brings one.
 */
export async function startServer(
  flags: readonly string[] = ["--port", "0"],
  environment: Readonly<Record<string, string>> = {},
) {
  const database = await sqlite.create();
  const child = Bun.spawn([process.execPath, "cli/main.ts", "serve", ...flags], {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", DATABASE_URL: database.url, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    onExit: () => void database.drop(),
  });
  const reader = child.stdout.getReader();
  let output = "";
  const readOn = async () => {
    const { done, value } = await reader.read();
    output += new TextDecoder().decode(value);
    return !done;
  };
  // The first line says where it is; without one it ended, and standard error says why.
  while (!output.includes("\n") && (await readOn()));
  const port = Number(/port (\d+)\)/.exec(output)?.[1] ?? Number.NaN);
  return {
    pid: child.pid,
    port,
    base: `http://127.0.0.1:${port}`,
    firstLine: output.split("\n")[0] ?? "",
    signal: (name: NodeJS.Signals) => child.kill(name),
    /** The exit code; a process that does not end in time is killed. */
    exited: async (milliseconds = 5_000) => {
      const timer = setTimeout(() => child.kill("SIGKILL"), milliseconds);
      const code = await child.exited;
      clearTimeout(timer);
      return code;
    },
    /** All of standard output; it waits for its end. */
    output: async () => {
      while (await readOn());
      return output;
    },
    error: () => new Response(child.stderr).text(),
  };
}
