import { afterAll } from "bun:test";
import { join } from "node:path";
import { createApp } from "../../../server/app.ts";
import { readServerConfig } from "../../../server/config.ts";
import { listen } from "../../../server/process/lifecycle.ts";
import { jsonLog } from "../../../server/process/log.ts";
import { createRunner, type Service } from "../../../server/service.ts";
import { TOOLS } from "../../../src/call-tool.ts";
import { sqlite } from "./databases.ts";
import { TODAY } from "./http.ts";
import { handtools } from "./program.ts";
import { signupPorts } from "./signup.ts";

/** The origin that a server under test takes for its own; nothing is ever fetched from it. */
export const BASE_URL = "https://tools.test";

/** Runs the service on a free port of this machine until the tests of the file are done. */
export function runningServer(service: Partial<Service> = {}) {
  const lines: string[] = [];
  const app = createApp({
    baseUrl: () => BASE_URL,
    config: readServerConfig({}),
    tools: TOOLS,
    run: createRunner(service.priceBook, () => TODAY),
    priceBook: undefined,
    onRequest: undefined,
    signup: signupPorts(),
    log: jsonLog((line) => lines.push(line)),
    isDraining: () => false,
    ...service,
  });
  const port = listen(app, { hostname: "127.0.0.1", port: 0 });
  afterAll(() => app.stop(true));
  const origin = `http://127.0.0.1:${port}`;
  return {
    port,
    origin,
    /** The log so far: one JSON text each. */
    lines,
    fetch: (path: string, init?: BunFetchRequestInit) => fetch(`${origin}${path}`, init),
    text: async (path: string) => (await fetch(`${origin}${path}`)).text(),
  };
}

const root = join(import.meta.dir, "../../..");

/**
 * `handtools serve` as a process of its own, on a free port of the loopback address. Its database
 * goes when it ends, unless the test brings one.
 */
export async function startServer(
  flags: readonly string[] = ["--port", "0"],
  environment: Readonly<Record<string, string>> = {},
) {
  const database = await sqlite.create();
  const child = Bun.spawn([...(await handtools()), "serve", ...flags], {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", DATABASE_URL: database.url, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    onExit: () => {
      process.off("exit", kill);
      void database.drop();
    },
  });
  // A test that fails half-way leaves no process behind.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  // The first line says where it is; without one it ended, and standard error says why.
  const { text, readAll } = await firstLine(child.stdout);
  // A log that nobody reads fills its pipe, and the server waits for its reader before it ends.
  const output = readAll();
  const port = Number(/port (\d+)\)/.exec(text)?.[1] ?? Number.NaN);
  const base = `http://127.0.0.1:${port}`;
  const health = async () => {
    const response = await fetch(`${base}/api/health`, { keepalive: false });
    return `${response.status} ${await response.text()}`;
  };
  return {
    pid: child.pid,
    port,
    base,
    /** Resolves when the server has taken what was sent before: it takes connections in their order. */
    hasTaken: async () => void (await health()),
    /** Asks for its health until it takes no connection any more; the last answer. */
    lastHealth: async () => {
      let last = "";
      for (;;) {
        const answer = await health().catch(() => undefined);
        if (answer === undefined) return last;
        last = answer;
      }
    },
    firstLine: text.split("\n")[0] ?? "",
    signal: (name: NodeJS.Signals) => child.kill(name),
    /** The exit code; a process that does not end in time is killed. */
    exited: async (milliseconds = 30_000) => {
      const timer = setTimeout(() => child.kill("SIGKILL"), milliseconds);
      const code = await child.exited;
      clearTimeout(timer);
      return code;
    },
    /** All of standard output; it waits for its end. */
    output: () => output,
    error: () => new Response(child.stderr).text(),
  };
}

/** Reads standard output up to the end of its first line; `readAll` reads the rest, and gives all. */
export async function firstLine(output: ReadableStream<Uint8Array>) {
  const reader = output.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const readOn = async () => {
    const { done, value } = await reader.read();
    text += decoder.decode(value, { stream: !done });
    return !done;
  };
  while (!text.includes("\n") && (await readOn()));
  return {
    text,
    readAll: async () => {
      while (await readOn());
      return text;
    },
  };
}
