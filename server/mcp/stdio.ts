import { PassThrough, type Readable, Transform, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { escapeText } from "../../src/text.ts";
import { createRunner } from "../service.ts";
import { createMcpServer, type McpServerOptions } from "./create-mcp-server.ts";
import { parseJsonRpcMessage } from "./json-rpc-message.ts";

/** Serves the tools over standard input and output. */
export async function serveTools(): Promise<void> {
  const onError = (error: unknown) => {
    const stack = String(error instanceof Error ? error.stack : error);
    process.stderr.write(`${escapeText(stack)}\n`);
  };
  await serveMcp({ run: createRunner(), onError }, process.stdin, process.stdout);
}

/**
 * Serves one connection, with a message on each line, until the client closes it. Only checked
 * messages reach the SDK.
 */
export async function serveMcp(
  options: McpServerOptions,
  input: Readable,
  output: Writable,
): Promise<void> {
  const messages = new PassThrough();
  const responses = escapeSeparators();
  const onerror = (error: unknown) => {
    // Not if the client is gone.
    if (!responses.errored) options.onError(error);
  };
  const server = serveStdio(() => createMcpServer(options), {
    transport: new StdioServerTransport(messages, responses),
    onerror,
  });
  const check = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const line of readLines(chunks)) {
      if (line.trim() === "") continue;
      const parsed = parseJsonRpcMessage(line);
      if ("message" in parsed) yield `${JSON.stringify(parsed.message)}\n`;
      else if (parsed.response) responses.write(`${JSON.stringify(parsed.response)}\n`);
      // The response is ready by the next tick.
      await sleep(0);
      // Stop reading if the client does not read its responses.
      while (responses.writableNeedDrain && !responses.destroyed) await sleep(5);
    }
    // Time for the last responses after the client has closed its input.
    await sleep(100);
  };
  await Promise.all([
    pipeline(input, check, messages)
      .catch(onerror)
      .finally(() => responses.end()),
    pipeline(responses, output, { end: false }).catch(() => input.destroy()),
  ]);
  await server.close();
}

/** Clients with readline also end a line at U+2028 and U+2029. */
const escapeSeparators = () =>
  new Transform({
    transform: (chunk: Buffer, _, done) =>
      done(null, chunk.toString().replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")),
  });

/**
 * Splits at line feeds only, because readline would also split at U+2028. It truncates lines that are
 * much too long for a message.
 */
async function* readLines(input: AsyncIterable<Buffer>): AsyncGenerator<string> {
  // Latin-1 has one character per byte, so a UTF-8 character may span two chunks.
  let line = "";
  for await (const chunk of input) {
    const [end = "", ...next] = Buffer.from(chunk).toString("latin1").split("\n");
    const lines = [line + end, ...next];
    line = lines.pop()?.slice(0, MAX_LINE_BYTES) ?? "";
    yield* lines.map(utf8);
  }
  yield utf8(line);
}

/** Above the limit of a message, so that the error response can have the message's ID. */
const MAX_LINE_BYTES = 131_072;

const utf8 = (bytes: string): string => new TextDecoder().decode(Buffer.from(bytes, "latin1"));
