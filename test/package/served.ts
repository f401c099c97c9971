import { delimiter, dirname } from "node:path";
import { sqlite } from "../server/signup/store-database.ts";
import type { Checks } from "./checks.ts";
import type { Runtime } from "./runtimes.ts";

/** `handtools serve` from the installed package: Node and Deno find Bun on the PATH. */
export async function checkServer(
  { name, command }: Runtime,
  main: string,
  checks: Checks,
): Promise<void> {
  const database = await sqlite.create();
  const child = Bun.spawn([...command, main, "serve", "--port", "0"], {
    cwd: dirname(main),
    env: {
      ...process.env,
      LOG: "off",
      DATABASE_URL: database.url,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    },
    stdout: "pipe",
    stderr: "pipe",
    timeout: 60_000,
  });
  const base = await firstAddress(child.stdout);
  for (const path of ["/api/health", "/api/tools", "/openapi.json", "/docs"]) {
    const problem = await fetch(`${base}${path}`).then(
      ({ status }) => (status === 200 ? "" : `status ${status}`),
      (error: unknown) => String(error),
    );
    checks.add(`${name} handtools serve answers ${path}`, problem);
  }
  child.kill("SIGTERM");
  checks.same(`${name} handtools serve ends at SIGTERM`, String(await child.exited), "0");
  await database.drop();
}

/** Where the server says that it is; empty when it ends without a word. */
async function firstAddress(output: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of output) {
    text += new TextDecoder().decode(chunk);
    const [address] = /http:\/\/localhost:\d+/.exec(text) ?? [];
    if (address !== undefined) return address;
  }
  return "";
}
