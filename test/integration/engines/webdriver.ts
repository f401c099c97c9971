import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A browser that a test drives, by the part of WebDriver that both ways of speaking it have. */
export interface Driven extends AsyncDisposable {
  open(url: string): Promise<void>;
  /** The value of an expression in the page, as JSON has it. */
  evaluate(expression: string): Promise<unknown>;
  /** Types into what has the focus. */
  type(text: string): Promise<void>;
}

/** Firefox by WebDriver BiDi, which it speaks itself. */
export async function firefox(): Promise<Driven> {
  const profile = mkdtempSync(join(tmpdir(), "handtools-firefox-"));
  const child = Bun.spawn(
    ["firefox-esr", "--headless", "--remote-debugging-port", "0", "--profile", profile],
    { stdout: "ignore", stderr: "pipe" },
  );
  const socket = new WebSocket(`${await addressIn(child.stderr)}/session`);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  let number = 0;
  async function send(method: string, params: object): Promise<Answer> {
    number += 1;
    const id = number;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const listen = ({ data }: MessageEvent) => {
      const answer: Answer & { id?: number } = JSON.parse(data);
      if (answer.id === id) resolve(answer);
    };
    socket.addEventListener("message", listen);
    socket.send(JSON.stringify({ id, method, params }));
    const answer = await inTime(promise);
    socket.removeEventListener("message", listen);
    if (answer.error) throw new Error(`${method}: ${answer.error} ${answer.message}`);
    return answer;
  }
  await send("session.new", { capabilities: {} });
  const tree = await send("browsingContext.getTree", {});
  const context = tree.result?.contexts?.[0]?.context;
  return {
    async open(url) {
      await send("browsingContext.navigate", { context, url, wait: "complete" });
    },
    async evaluate(expression) {
      const target = { context };
      const { result } = await send("script.evaluate", {
        expression: inJson(expression),
        target,
        awaitPromise: true,
      });
      return JSON.parse(result?.result?.value ?? "null");
    },
    async type(text) {
      await send("input.performActions", { context, actions: keysOf(text) });
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** What the answers of BiDi have that is read here. */
interface Answer {
  readonly error?: string;
  readonly message?: string;
  readonly result?: {
    readonly contexts?: readonly { readonly context: string }[];
    readonly result?: { readonly value?: string };
  };
}

/** The address that the browser prints when it listens. */
async function addressIn(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    const [address] = /ws:\/\/\S+/.exec(text) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(`The browser does not listen:\n${text}`);
}

/** WebKitGTK, the engine of Safari on Linux, by WebDriver over HTTP. It needs a display. */
export async function webkit(): Promise<Driven> {
  const display = `:${90 + (process.pid % 9)}`;
  const screen = Bun.spawn(["Xvfb", display, "-screen", "0", "1280x900x24"], { stderr: "ignore" });
  const port = 20_000 + (process.pid % 10_000);
  const driver = Bun.spawn(["WebKitWebDriver", `--port=${port}`], {
    env: { ...process.env, DISPLAY: display, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" },
    stderr: "ignore",
  });
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = JSON.parse(await response.text());
    if (!response.ok) throw new Error(`${path}: ${value.error} ${value.message}`);
    return value;
  };
  const { sessionId } = await retry(() => call("POST", "/session", { capabilities: {} }));
  const session = `/session/${sessionId}`;
  return {
    open: (url) => call("POST", `${session}/url`, { url }),
    async evaluate(expression) {
      const script = `const done = arguments[0]; Promise.resolve(${inJson(expression)}).then(done);`;
      return JSON.parse(await call("POST", `${session}/execute/async`, { script, args: [] }));
    },
    type: (text) => call("POST", `${session}/actions`, { actions: keysOf(text) }),
    async [Symbol.asyncDispose]() {
      await call("DELETE", session);
      driver.kill();
      screen.kill();
      await Promise.all([driver.exited, screen.exited]);
    },
  };
}

const TIMEOUT_MS = 30_000;

const inTime = <Value>(promise: Promise<Value>): Promise<Value> =>
  Promise.race([
    promise,
    Bun.sleep(TIMEOUT_MS).then(() => {
      throw new Error("The browser does not answer");
    }),
  ]);

/** A program that was just started may not listen yet. */
async function retry<Value>(run: () => Promise<Value>): Promise<Value> {
  for (let times = 0; times < 50; times += 1) {
    try {
      return await run();
    } catch {
      await Bun.sleep(200);
    }
  }
  return run();
}

const inJson = (expression: string): string =>
  `(async () => JSON.stringify((await (${expression})) ?? null))()`;

const keysOf = (text: string) => [
  {
    type: "key",
    id: "keyboard",
    actions: [...text].flatMap((value) => [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ]),
  },
];
