import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { freePort } from "../../support/free-port.ts";
import type { Engine } from "./engine.ts";

/** Firefox, by WebDriver BiDi, which it speaks itself. */
export async function startFirefox(program: string): Promise<Engine> {
  const port = await freePort();
  const profile = mkdtempSync(join(tmpdir(), "handtools-firefox-"));
  const flags = ["--headless", "--profile", profile, "--remote-debugging-port", String(port)];
  const browser = Bun.spawn([program, ...flags, "--remote-allow-system-access", "about:blank"], {
    stdout: "ignore",
    stderr: "ignore",
    env: { ...process.env, MOZ_CRASHREPORTER_DISABLE: "1" },
  });
  const connection = await connect(`ws://127.0.0.1:${port}/session`);
  const { send, events } = connection;
  await send("session.new", { capabilities: {} });
  await send("session.subscribe", { events: ["log.entryAdded"] });
  // In the tab that is there at the start, the address bar keeps the focus.
  const { context } = v.parse(TabSchema, await send("browsingContext.create", { type: "tab" }));
  await send("browsingContext.activate", { context });
  return {
    name: "Firefox",
    open: async (url) => {
      await send("browsingContext.navigate", { context, url, wait: "complete" });
    },
    evaluate: async (expression) => {
      const answer = await send("script.evaluate", {
        expression: `JSON.stringify(${expression})`,
        target: { context },
        awaitPromise: true,
      });
      const { result } = v.parse(ResultSchema, answer);
      return result.value === undefined ? undefined : JSON.parse(result.value);
    },
    perform: async (actions) => {
      await send("input.performActions", { context, actions });
    },
    complaints: () =>
      events.splice(0).flatMap((event) => {
        const entry = v.safeParse(LogSchema, event);
        return entry.success ? [entry.output.params.text ?? "an error"] : [];
      }),
    close: async () => {
      connection.close();
      browser.kill();
      await browser.exited;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

const TabSchema = v.object({ context: v.string() });
const ResultSchema = v.object({ result: v.object({ value: v.optional(v.string()) }) });
const LogSchema = v.object({
  params: v.object({ level: v.picklist(["error", "warn"]), text: v.nullable(v.string()) }),
});
const AnswerSchema = v.object({
  id: v.number(),
  result: v.optional(v.unknown()),
  message: v.optional(v.string()),
});

const START_MS = 30_000;
const RETRY_MS = 200;

/** Commands over a socket, which answers each by its number. */
async function connect(url: string) {
  const socket = await openSocket(url, Date.now() + START_MS);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const events: unknown[] = [];
  let last = 0;
  socket.addEventListener("message", ({ data }) => {
    const message: unknown = JSON.parse(String(data));
    const answer = v.safeParse(AnswerSchema, message);
    if (!answer.success) {
      events.push(message);
      return;
    }
    const { id, result, message: problem } = answer.output;
    if (problem === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(problem));
    waiting.delete(id);
  });
  return {
    events,
    send: (method: string, params: object): Promise<unknown> => {
      last += 1;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(last, answer);
      socket.send(JSON.stringify({ id: last, method, params }));
      return answer.promise;
    },
    close: () => socket.close(),
  };
}

async function openSocket(url: string, deadline: number): Promise<WebSocket> {
  for (;;) {
    const socket = new WebSocket(url);
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.addEventListener("open", () => resolve(true), { once: true });
      socket.addEventListener("error", () => resolve(false), { once: true });
    });
    if (isOpen) return socket;
    if (Date.now() > deadline) throw new Error(`Nothing answers at ${url}`);
    await Bun.sleep(RETRY_MS);
  }
}
