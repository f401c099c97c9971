import { afterAll } from "bun:test";
import { createApp } from "../../server/app.ts";
import { listen } from "../../server/lifecycle.ts";
import { jsonLog } from "../../server/log.ts";
import type { Service } from "../../server/service.ts";
import { signupPorts } from "./signup/signup-ports.ts";

/** The origin that a server under test takes for its own; nothing is ever fetched from it. */
export const BASE_URL = "https://tools.test";

/** Runs the service on a free port of this machine until the tests of the file are done. */
export function runningServer(service: Partial<Service> = {}) {
  const lines: string[] = [];
  const app = createApp({
    baseUrl: () => BASE_URL,
    identity: {},
    settings: {},
    signup: signupPorts(),
    log: jsonLog((line) => lines.push(line)),
    isDraining: () => false,
    ...service,
  });
  const port = listen(app, { hostname: "127.0.0.1", port: 0, shared: false });
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
