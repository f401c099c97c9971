import { PassThrough, type Readable, Transform, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { escapeText } from "../../src/text.ts";
import { createRunner } from "../service.ts";
import { createMcpServer, type McpServerOptions } from "./create-mcp-server.ts";
import { parseJsonRpcMessage } from "./json-rpc-message.ts";

/** Serves the tools over the standard input and output of this process. */
export async function serveTools(): Promise<void> {
  const host: McpServerOptions = {
    run: createRunner(),
    onError: (error) => {
      const text = String(error instanceof Error ? error.stack : error);
      process.stderr.write(`${escapeText(text)}\n`);
    },
  };
  await serveMcp(host, process.stdin, process.stdout);
}

/**
 * Serves one connection, a message a line, until the client closes it. The SDK gets only messages
 * that were checked as text.
 */
export async function serveMcp(
  host: McpServerOptions,
  input: Readable,
  output: Writable,
): Promise<void> {
  const messages = new PassThrough();
  const answers = escapeSeparators();
  // Nobody reads what fails because the client is gone.
  const onerror = (error: unknown) => {
    if (!answers.errored) host.onError(error);
  };
  const server = serveStdio(() => createMcpServer(host), {
    transport: new StdioServerTransport(messages, answers),
    onerror,
  });
  const check = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const line of readLines(chunks)) {
      if (line.trim() === "") continue;
      const read = parseJsonRpcMessage(line);
      if ("message" in read) yield `${JSON.stringify(read.message)}\n`;
      else if (read.answer) answers.write(`${JSON.stringify(read.answer)}\n`);
      // The message is answered by the next tick of the event loop.
      await wait(0);
      // A client that reads no answers is asked for no more messages.
      while (answers.writableNeedDrain && !answers.destroyed) await wait(5);
    }
    // The last requests have this long to be answered after the client has closed its end.
    await wait(100);
  };
  await Promise.all([
    pipeline(input, check, messages)
      .catch(onerror)
      .finally(() => answers.end()),
    pipeline(answers, output, { end: false }).catch(() => input.destroy()),
  ]);
  await server.close();
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Clients that use readline end a line at U+2028 and U+2029 too. */
const escapeSeparators = () =>
  new Transform({
    transform: (chunk: Buffer, _, done) =>
      done(null, chunk.toString().replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")),
  });

/**
 * Lines end with a line feed alone: a message may hold U+2028, where readline would end one too. Of
 * a line that is much longer than a message may be, only the beginning is kept.
 */
async function* readLines(input: AsyncIterable<Buffer>): AsyncGenerator<string> {
  // Decoded as Latin-1: one character a byte, so that a character may come in two chunks.
  let line = "";
  for await (const chunk of input) {
    const [end = "", ...next] = Buffer.from(chunk).toString("latin1").split("\n");
    const lines = [line + end, ...next];
    line = lines.pop()?.slice(0, MAX_LINE_BYTES) ?? "";
    yield* lines.map(utf8);
  }
  yield utf8(line);
}

/** Longer than a message may be, so that one that is too long is read for its id, and answered to it. */
const MAX_LINE_BYTES = 131_072;

const utf8 = (bytes: string): string => new TextDecoder().decode(Buffer.from(bytes, "latin1"));
