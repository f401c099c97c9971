import { join } from "node:path";
import { sqlite } from "../server/signup/store-database.ts";

const root = join(import.meta.dir, "../..");

/** A server in a process of its own, on a free port of this machine. */
export async function startServer(baseUrl: string) {
  const database = await sqlite.create();
  const child = Bun.spawn([process.execPath, "cli/main.ts", "serve"], {
    cwd: root,
    env: {
      ...process.env,
      PORT: "0",
      HOST: "127.0.0.1",
      LOG: "off",
      BASE_URL: baseUrl,
      DATABASE_URL: database.url,
    },
    stdout: "pipe",
    stderr: "inherit",
    onExit: () => void database.drop(),
  });
  let printed = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    printed += chunk;
    const [, port] = /port (\d+)\)\n/.exec(printed) ?? [];
    if (port) return { origin: `http://127.0.0.1:${port}`, stop: () => stop(child) };
  }
  throw new Error(`The server ended with ${await child.exited}: ${printed}`);
}

async function stop(child: Bun.Subprocess): Promise<void> {
  child.kill();
  await child.exited;
}
