import * as v from "valibot";
import { freePort } from "../../support/free-port.ts";
import type { Engine } from "./engine.ts";

/** WebKitGTK's little browser, by its own driver; it needs a screen, so Xvfb is one. */
export async function startWebKit(driver: string, program: string): Promise<Engine> {
  const port = await freePort();
  // It tells the number of the display that it takes.
  const screen = Bun.spawn(["Xvfb", "-displayfd", "1"], { stdout: "pipe", stderr: "ignore" });
  const { value: display } = await screen.stdout.getReader().read();
  const server = Bun.spawn([driver, `--port=${port}`], {
    stdout: "ignore",
    stderr: "ignore",
    env: { ...process.env, DISPLAY: `:${new TextDecoder().decode(display).trim()}` },
  });
  const origin = `http://127.0.0.1:${port}`;
  await listening(origin);
  const options = { binary: program, args: ["--automation"] };
  const capabilities = {
    alwaysMatch: { browserName: "MiniBrowser", "webkitgtk:browserOptions": options },
  };
  const { sessionId } = v.parse(
    v.object({ sessionId: v.string() }),
    await command("POST", `${origin}/session`, { capabilities }),
  );
  const session = `${origin}/session/${sessionId}`;
  return {
    name: "WebKit",
    open: async (url) => {
      await command("POST", `${session}/url`, { url });
    },
    evaluate: (expression) =>
      command("POST", `${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
    perform: async (actions) => {
      await command("POST", `${session}/actions`, { actions });
    },
    // Its driver has no log.
    complaints: () => [],
    close: async () => {
      await command("DELETE", session);
      for (const started of [server, screen]) {
        started.kill();
        await started.exited;
      }
    },
  };
}

const AnswerSchema = v.object({ value: v.unknown() });
const FailureSchema = v.object({ error: v.string(), message: v.string() });

async function command(method: string, url: string, body?: object): Promise<unknown> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = v.parse(AnswerSchema, await response.json());
  if (response.ok) return value;
  const { error, message } = v.parse(FailureSchema, value);
  throw new Error(`${error}: ${message}`);
}

const START_MS = 30_000;
const RETRY_MS = 200;

async function listening(origin: string): Promise<void> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const isUp = await fetch(`${origin}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    if (Date.now() > deadline) throw new Error(`Nothing answers at ${origin}`);
    await Bun.sleep(RETRY_MS);
  }
}
