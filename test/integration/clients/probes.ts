import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
}

/**
 * Starts a program that speaks JSON-RPC, one message a line, asks it one thing after the other,
 * and ends it.
 *
 * @returns the answers to the messages that have an id, in order.
 */
export async function askInJsonLines(
  [command = "", ...args]: readonly string[],
  messages: readonly Message[],
): Promise<Message[]> {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const answers: Message[] = [];
  try {
    for (const message of messages) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
      if (message.id !== undefined) answers.push(await answerTo(message.id, lines));
    }
    return answers;
  } finally {
    child.kill();
  }
}

async function answerTo(id: number, lines: AsyncIterator<string>): Promise<Message> {
  for (;;) {
    const { done, value } = await lines.next();
    if (done) throw new Error(`the program ended or ran out of time before it answered ${id}`);
    const message: Message = JSON.parse(value);
    if (message.id === id && message.method === undefined) return message;
  }
}

const PROTOCOL_VERSION = "2025-06-18";

/** The first message of every MCP client. */
export const initialize: Message = {
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: "handtools", version: "0" },
  },
};

/** The answer of a minimal MCP server without tools; undefined for a notification. */
export function answer({ id, method, params }: Message): object | undefined {
  if (id === undefined) return undefined;
  if (method === "initialize") {
    const result = {
      protocolVersion: params?.protocolVersion ?? PROTOCOL_VERSION,
      capabilities: { tools: {} },
      serverInfo: { name: "probe", version: "1.0.0" },
    };
    return { jsonrpc: "2.0", id, result };
  }
  return { jsonrpc: "2.0", id, result: method === "tools/list" ? { tools: [] } : {} };
}

/** An MCP server over HTTP that keeps the headers and the paths of its requests. */
export function startRemoteProbe() {
  const requests: { path: string; headers: Headers }[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      if (request.method !== "POST") return new Response(null, { status: 405 });
      requests.push({ path: pathname + search, headers: request.headers });
      const reply = answer(JSON.parse(await request.text()));
      return reply ? Response.json(reply) : new Response(null, { status: 202 });
    },
  });
  return {
    url: String(server.url).replace(/\/$/, ""),
    /** The requests since the last time it was asked. */
    takeRequests: () => requests.splice(0),
    stop: () => server.stop(true),
  };
}

export type RemoteProbe = ReturnType<typeof startRemoteProbe>;
