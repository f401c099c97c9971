import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { requireTool, toToolResult } from "../../src/call-tool.ts";
import { visibleText } from "../../src/text.ts";
import { runTool } from "../../src/tool.ts";
import { readMessage, tooLong } from "./message.ts";
import { createMcpServer, type McpHost } from "./server.ts";

/** Serves the tools over the standard input and output of this process. */
export async function serveTools(): Promise<void> {
  const host: McpHost = {
    run: (name, input, options) =>
      toToolResult(() => runTool(requireTool(name), input, { today: today(), ...options })),
    onError: (error) => {
      process.stderr.write(
        `${visibleText(String(error instanceof Error ? error.stack : error))}\n`,
      );
    },
  };
  await serveMcp(host, process.stdin, process.stdout);
}

const today = (): string => new Date().toISOString().slice(0, 10);

/** Serves one connection, a message a line, until the client closes it. */
export async function serveMcp(host: McpHost, input: Readable, output: Writable): Promise<void> {
  const transport = new LineTransport(input, output);
  const handle = serveStdio(() => createMcpServer(host), { transport, onerror: host.onError });
  await transport.ended;
  await handle.close();
  // An input that stays open would keep the process, though nobody reads its answers.
  input.destroy();
}

/** Requests in flight have this long to finish after the client has closed its end. */
const GRACE_MS = 1_000;

/** While more than this is unsent, no message is read. */
const MAX_UNSENT_BYTES = 2_000_000;

type Message = Parameters<NonNullable<Transport["onmessage"]>>[0];

/** Reads lines by itself, because a message is checked as text before it is parsed. */
class LineTransport implements Transport {
  onmessage?: (message: Message) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly ended: Promise<void>;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #end: () => void;
  readonly #pending = new Set<unknown>();
  #isInputOver = false;
  #isClosed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
    let end = () => {};
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    this.#end = end;
    // The client is gone.
    output.on("error", end);
  }

  async start(): Promise<void> {
    this.#read().catch((error) => {
      if (!this.#isClosed) this.onerror?.(error);
      this.#end();
    });
  }

  async send(message: Message): Promise<void> {
    await this.#write(message);
    if ("id" in message && !("method" in message)) this.#pending.delete(message.id);
    this.#endIfDone();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.onclose?.();
    this.#end();
  }

  async #read(): Promise<void> {
    for await (const line of linesOf(this.#input)) {
      if (line?.trim() === "") continue;
      const read = line === undefined ? tooLong(null) : readMessage(line);
      if ("answer" in read) await this.#write(read.answer);
      else if ("message" in read) this.#receive(read.message);
      // The message is answered by the next tick of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#output.writableLength > MAX_UNSENT_BYTES) await this.#drained();
    }
    this.#isInputOver = true;
    this.#endIfDone();
    // A cancelled request is never answered.
    const grace = setTimeout(this.#end, GRACE_MS);
    await this.ended;
    clearTimeout(grace);
  }

  /** Waits until the client has read its answers, or is gone. */
  #drained(): Promise<void> {
    return Promise.race([once(this.#output, "drain").then(() => undefined), this.ended]);
  }

  #receive(message: object): void {
    if ("id" in message && "method" in message) this.#pending.add(message.id);
    // The SDK checks what a message must have.
    this.onmessage?.(message as Message);
  }

  #write(message: object): Promise<void> {
    return new Promise((resolve) => {
      this.#output.write(`${jsonLine(message)}\n`, () => resolve());
    });
  }

  #endIfDone(): void {
    if (this.#isInputOver && this.#pending.size === 0) this.#end();
  }
}

/** Clients that use readline end a line at U+2028 and U+2029 too. */
const jsonLine = (message: object): string =>
  JSON.stringify(message).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");

/** Longer than a message may be, so that one that is too long is read for its id, and answered to it. */
const MAX_LINE_BYTES = 1_000_000;

/**
 * Lines end with a line feed alone: a message may hold U+2028, where readline would end one too. A
 * line that grows above the limit is given as undefined at once, and the rest of it is skipped.
 */
async function* linesOf(input: Readable): AsyncGenerator<string | undefined> {
  // Decoded as Latin-1: one character a byte, so that lengths count bytes.
  let line = "";
  for await (const chunk of input) {
    for (const [index, piece] of Buffer.from(chunk).toString("latin1").split("\n").entries()) {
      if (index > 0) {
        if (line.length <= MAX_LINE_BYTES) yield utf8(line);
        line = "";
      }
      const wasTooLong = line.length > MAX_LINE_BYTES;
      if (!wasTooLong) line += piece.slice(0, MAX_LINE_BYTES + 1);
      if (!wasTooLong && line.length > MAX_LINE_BYTES) yield undefined;
    }
  }
  if (line.length <= MAX_LINE_BYTES) yield utf8(line);
}

const utf8 = (bytes: string): string => new TextDecoder().decode(Buffer.from(bytes, "latin1"));
